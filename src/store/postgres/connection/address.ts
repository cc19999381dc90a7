import {readFileSync} from 'node:fs'
import type {ClientConfig} from 'pg'
import {defined} from '../../../domain/equal.js'
import {StateError} from '../../../domain/errors.js'
import {verifiedTls} from '../../../domain/verified-tls.js'

export interface DatabaseAddress {
  /**
   * What the driver needs to connect. Every member that it would otherwise read from the environment is set.
   */
  readonly connection: ClientConfig & {
    readonly connectionTimeoutMillis: number
    readonly statement_timeout: number
  }
  /** Connections that one server opens at the most. */
  readonly poolSize: number
  /** Host, port and database without the credentials: what errors may show. */
  readonly label: string
}

const defaultPoolSize = 20
const knownParameters =
  'host port sslmode sslrootcert sslcert sslkey application_name connect_timeout statement_timeout pool_size'.split(' ')

export const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:\/\//i.test(text)

function refused(message: string, label: string, remedy: string, cause?: unknown): StateError {
  return new StateError('StateUnusable', message, label, remedy, cause === undefined ? {} : {cause})
}

/**
 * Reads the URL of a database as libpq writes it: `postgres://user:password@host:port/database`, with `host=/folder` for a
 * socket, `port`, `sslmode`, `sslrootcert`, `sslcert`, `sslkey`, `application_name`, `connect_timeout` and
 * `statement_timeout` in seconds, and `pool_size` behind it. Off this machine only verified TLS is spoken. Throws
 * StateUnusable without repeating the URL.
 */
export function databaseAddressOf(text: string): DatabaseAddress {
  const url = parsed(text)
  const {searchParams: parameters} = url
  const given = (part: string): string | undefined => (part === '' ? undefined : decodeURIComponent(part))
  const host = parameters.get('host') ?? given(url.hostname.replace(/^\[|\]$/g, '')) ?? 'localhost'
  const port = parameters.get('port') ?? (url.port || '5432')
  const [user, password, database] = [url.username, url.password, url.pathname.slice(1)].map(given)
  const label = `postgres://${host.startsWith('/') ? '' : host}:${port}/${database ?? ''}`
  checkParameters(parameters, label)
  const several = 'The URL names several hosts.'
  if (host.includes(',')) throw refused(several, label, 'Name one: a proxy in front of them finds the one that writes.')
  const poolSize = wholeNumber(parameters, 'pool_size', label, [2, 500]) ?? defaultPoolSize
  const seconds = (name: string): number | undefined => wholeNumber(parameters, name, label, [1, 600])
  return {
    connection: {
      ...{host, port: wholeNumber(parameters, 'port', label, [1, 65_535]) ?? Number(port)},
      ssl: tls(parameters, host, label),
      ...defined({user, password, database}),
      application_name: parameters.get('application_name') ?? 'frontdesk',
      connectionTimeoutMillis: (seconds('connect_timeout') ?? 5) * 1000,
      statement_timeout: (seconds('statement_timeout') ?? 10) * 1000,
    },
    poolSize,
    label,
  }
}

function parsed(text: string): URL {
  const remedy = 'Write postgres://user@host:5432/database, with % escapes in the user and password.'
  if (!isPostgresUrl(text)) throw refused("The store's URL does not begin with postgres://.", 'store URL', remedy)
  try {
    // libpq takes a user without a host.
    const url = new URL(text.replace(/^([^/]+\/\/[^/?#]*@)(?=[/?#])/, '$1localhost'))
    if (`${url.host}${url.pathname}${url.search}` === '') throw new Error('neither a host nor a database')
    for (const part of [url.username, url.password, url.hostname, url.pathname]) decodeURIComponent(part)
    if (/\s/.test(decodeURIComponent(url.hostname)) || url.port === '0') throw new Error('no host')
    return url
  } catch {
    // The parser's error repeats its input, and with it the password.
    throw refused("The store's URL does not read.", 'store URL', remedy)
  }
}

function checkParameters(parameters: URLSearchParams, label: string): void {
  for (const name of parameters.keys()) {
    if (!knownParameters.includes(name) || parameters.getAll(name).length > 1) {
      const known = knownParameters.join(', ')
      throw refused(`The store's URL has '${name}', which is unknown or given twice.`, label, `Known are ${known}.`)
    }
  }
  if (parameters.get('host')?.startsWith('/') === false) {
    throw refused("'host' in the store's URL is no folder of a socket.", label, 'Write the host before the database.')
  }
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
  return verifiedTls({minVersion: 'TLSv1.2', ...defined({ca, cert, key})})
}
