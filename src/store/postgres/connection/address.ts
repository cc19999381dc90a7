import {readFileSync} from 'node:fs'
import type {ClientConfig} from 'pg'
import {defined} from '../../../domain/equal.js'
import {StateError} from '../../../domain/errors.js'
import {verifiedTls} from '../../../domain/verified-tls.js'

export type DatabaseAddress = ReturnType<typeof databaseAddressOf>

/** Parameters that are numbers, with the least and the most of each. */
const ranges = {port: [1, 65_535], connect_timeout: [1, 600], statement_timeout: [1, 600], pool_size: [2, 500]} as const
const texts = ['host', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'application_name']
const knownParameters = [...texts, ...Object.keys(ranges)]

function refused(message: string, label: string, remedy: string, cause?: unknown): StateError {
  return new StateError('StateUnusable', message, label, remedy, cause === undefined ? {} : {cause})
}

/**
 * Reads the URL of a database as libpq writes it: `postgres://user:password@host:port/database`, with `host=/folder` for a
 * socket, `port`, `sslmode`, `sslrootcert`, `sslcert`, `sslkey`, `application_name`, `connect_timeout` and
 * `statement_timeout` in seconds, and `pool_size` behind it, the most connections that one server opens. Off this machine
 * only verified TLS is spoken. `label` has no credentials: errors may show it. Throws StateUnusable without repeating the URL.
 */
export function databaseAddressOf(text: string) {
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
  const number = (name: keyof typeof ranges, usual: string): number => {
    const [least, most] = ranges[name]
    const value = parameters.get(name) ?? usual
    if (/^\d{1,6}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value)
    const message = `'${name}' in the store's URL is no number of ${least} to ${most}.`
    throw refused(message, label, 'Correct it or leave it out.')
  }
  // Every member that the driver would otherwise read from the environment is set.
  const connection = {
    ...{host, port: number('port', port), ssl: tls(parameters, host, label)},
    ...defined({user, password, database}),
    application_name: parameters.get('application_name') ?? 'frontdesk',
    connectionTimeoutMillis: number('connect_timeout', '5') * 1000,
    statement_timeout: number('statement_timeout', '10') * 1000,
  }
  return {connection, poolSize: number('pool_size', '20'), label}
}

function parsed(text: string): URL {
  const remedy = 'Write postgres://user@host:5432/database, with % escapes in the user and password.'
  const other = "The store's URL does not begin with postgres://."
  if (!/^postgres(ql)?:\/\//i.test(text)) throw refused(other, 'store URL', remedy)
  try {
    // libpq takes a user without a host.
    const url = new URL(text.replace(/^([^/]+\/\/[^/?#]*@)(?=[/?#])/, '$1localhost'))
    if (`${url.host}${url.pathname}${url.search}` === '') throw new Error('neither a host nor a database')
    for (const part of [url.username, url.password, url.hostname, url.pathname]) decodeURIComponent(part)
    if (/\s/.test(decodeURIComponent(url.hostname))) throw new Error('no host')
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

function tls(parameters: URLSearchParams, host: string, label: string): ClientConfig['ssl'] {
  const isHere = host.startsWith('/') || ['localhost', '::1'].includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host)
  const mode = parameters.get('sslmode') ?? (isHere ? 'disable' : 'verify-full')
  if (mode === 'disable' && isHere) return false
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
