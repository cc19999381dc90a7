import {readFileSync} from 'node:fs'
import type {ClientConfig} from 'pg'
import {defined} from '../../../domain/equal.js'
import {StateError} from '../../../domain/errors.js'
import type {Host} from './hosts.js'

export interface Address {
  /**
   * What the driver needs to connect to the first host. Every member that it would otherwise read from the environment
   * is set.
   */
  readonly connection: ClientConfig & {
    readonly connectionTimeoutMillis: number
    readonly statement_timeout: number
  }
  /** In the order in which they are asked. */
  readonly hosts: readonly Host[]
  /** A host that takes no writes is not good enough for reading either. */
  readonly mustWrite: boolean
  /** Connections that one server opens at the most. */
  readonly poolSize: number
  /** Hosts, ports and database without the credentials: what errors may show. */
  readonly label: string
}

const defaultPoolSize = 20
const knownParameters = new Set([
  'host',
  'port',
  'target_session_attrs',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'application_name',
  'connect_timeout',
  'statement_timeout',
  'pool_size',
])

export const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:\/\//i.test(text)

function refused(message: string, label: string, remedy: string, cause?: unknown): StateError {
  return new StateError('StateUnusable', message, label, remedy, cause === undefined ? {} : {cause})
}

/**
 * Reads the URL of a database as libpq writes it: `postgres://user:password@host:port,host:port/database`, with
 * `host=/folder` for a socket, `port`, `target_session_attrs`, `sslmode`, `sslrootcert`, `sslcert`, `sslkey`,
 * `application_name`, `connect_timeout` and `statement_timeout` in seconds, and `pool_size` behind it.
 * Off this machine only verified TLS is spoken. Throws StateUnusable without repeating the URL.
 */
export function addressOf(text: string): Address {
  const {url, authority} = parsed(text)
  const {searchParams: parameters} = url
  const places = placesOf(authority, parameters)
  const names = places.map(({host, port}) => `${host.startsWith('/') ? '' : host}:${port}`)
  const label = `postgres://${names.join(',')}/${decodeURIComponent(url.pathname.slice(1))}`
  checkParameters(parameters, label)
  for (const {port} of places) if (!isPort(port)) throw refused(`'${port}' is no port.`, label, 'Correct the URL.')
  const given = (part: string): string | undefined => (part === '' ? undefined : decodeURIComponent(part))
  const [user, password, database] = [url.username, url.password, url.pathname.slice(1)].map(given)
  const poolSize = wholeNumber(parameters, 'pool_size', label, [2, 500]) ?? defaultPoolSize
  const seconds = (name: string): number | undefined => wholeNumber(parameters, name, label, [1, 600])
  const hosts = places.map(({host, port}): Host => ({host, port: Number(port), ssl: tls(parameters, host, label)}))
  return {
    connection: {
      ...hosts[0],
      ...defined({user, password, database}),
      application_name: parameters.get('application_name') ?? 'frontdesk',
      connectionTimeoutMillis: (seconds('connect_timeout') ?? 5) * 1000,
      statement_timeout: (seconds('statement_timeout') ?? 10) * 1000,
    },
    hosts,
    mustWrite: mustWrite(parameters, label),
    poolSize,
    label,
  }
}

interface Place {
  readonly host: string
  /** As it was written. */
  readonly port: string
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536

/** The hosts of the authority, or those of the parameter `host`, each with its port. */
function placesOf(authority: string, parameters: URLSearchParams): Place[] {
  const sockets = parameters.get('host')
  const ports = parameters.get('port')?.split(',') ?? []
  const written = authority.split(',').map(hostAndPort)
  const hosts = sockets === null ? written.map(({host}) => host) : sockets.split(',')
  return hosts.map((host, at) => ({
    host: host === '' ? 'localhost' : host,
    // One port counts for all hosts, as with libpq.
    port:
      (ports.length === 1 ? ports[0] : ports[at]) || written[hosts.length === written.length ? at : 0]?.port || '5432',
  }))
}

function hostAndPort(text: string): Place {
  const [, bracketed, name = '', port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(text) ?? []
  return {host: decodeURIComponent(bracketed ?? name), port}
}

/** The part between `//` and the path, with hosts that the parser of URLs does not take, and the URL with one instead. */
function parsed(text: string): {readonly url: URL; readonly authority: string} {
  const remedy = 'Write postgres://user@host:5432/database, with % escapes in the user and password.'
  if (!isPostgresUrl(text)) throw refused("The store's URL does not begin with postgres://.", 'store URL', remedy)
  const [, scheme = '', credentials = '', authority = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is.exec(text) ?? []
  try {
    if (authority === '' && rest === '') throw new Error('neither a host nor a database')
    for (const part of authority.split(',')) checkHost(part)
    const url = new URL(`${scheme}${credentials}host${rest}`)
    for (const part of [url.username, url.password, url.pathname]) decodeURIComponent(part)
    return {url, authority}
  } catch {
    // The parser's error repeats its input, and with it the password.
    throw refused("The store's URL does not read.", 'store URL', remedy)
  }
}

/** Throws for what is no host, perhaps with a port. Nothing stands for the host of this machine. */
function checkHost(text: string): void {
  const {host, port} = hostAndPort(text)
  if (port !== '' && !isPort(port)) throw new Error('no port')
  if (host !== '' && !host.startsWith('/')) new URL(`postgres://${text.startsWith('[') ? `[${host}]` : host}/`)
}

function checkParameters(parameters: URLSearchParams, label: string): void {
  for (const name of parameters.keys()) {
    if (!knownParameters.has(name) || parameters.getAll(name).length > 1) {
      const known = [...knownParameters].join(', ')
      throw refused(`The store's URL has '${name}', which is unknown or given twice.`, label, `Known are ${known}.`)
    }
  }
  const hosts = parameters.get('host')?.split(',') ?? []
  if (hosts.some((host) => !host.startsWith('/'))) {
    throw refused("'host' in the store's URL is no folder of a socket.", label, 'Write hosts before the database.')
  }
}

/**
 * Whoever writes `read-write` or `primary` wants nothing else. Otherwise the host that takes writes is preferred, and
 * while there is none the others serve reads.
 */
function mustWrite(parameters: URLSearchParams, label: string): boolean {
  const wanted = parameters.get('target_session_attrs') ?? 'any'
  if (['read-write', 'primary'].includes(wanted)) return true
  if (wanted === 'any') return false
  const message = `target_session_attrs=${wanted} asks for a host that takes no changes, or is unknown.`
  throw refused(message, label, 'Write read-write, or leave it out.')
}

function wholeNumber(
  parameters: URLSearchParams,
  name: string,
  label: string,
  [least, most]: readonly [number, number],
): number | undefined {
  const text = parameters.get(name)
  if (text === null) return undefined
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  const message = `'${name}' in the store's URL is no number of ${least} to ${most}.`
  throw refused(message, label, 'Correct it or leave it out.')
}

const isLoopback = (host: string): boolean =>
  host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)

function tls(parameters: URLSearchParams, host: string, label: string): ClientConfig['ssl'] {
  const mode = parameters.get('sslmode') ?? (isLoopback(host) ? 'disable' : 'verify-full')
  if (mode === 'disable' && isLoopback(host)) return false
  if (mode !== 'verify-full') {
    const message = `sslmode=${mode} would send passwords and customers to ${host} without knowing who it is.`
    throw refused(message, label, 'Use sslmode=verify-full, with sslrootcert=FILE for an authority of your own.')
  }
  const file = (name: string): string | undefined => {
    const path = parameters.get(name)
    if (path === null) return undefined
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      throw refused(`The file of '${name}', ${path}, cannot be read.`, label, 'Correct the path.', error)
    }
  }
  const [ca, cert, key] = [file('sslrootcert'), file('sslcert'), file('sslkey')]
  return {
    // Said here, so that NODE_TLS_REJECT_UNAUTHORIZED cannot say otherwise.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...defined({ca, cert, key}),
  }
}
