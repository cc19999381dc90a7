import {readFileSync} from 'node:fs'
import type {PoolConfig} from 'pg'
import {StateError} from '../../domain/errors.js'

export interface Address {
  /** What the driver needs to connect. Every member that it would otherwise read from the environment is set. */
  readonly connection: PoolConfig
  /** Connections that one server opens at the most. */
  readonly poolSize: number
  /** Host, port and database without the credentials: what errors may show. */
  readonly label: string
}

const defaultPoolSize = 20
const knownParameters = new Set([
  'host',
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

function refused(message: string, label: string, wayBack: string, cause?: unknown): StateError {
  return new StateError('StateUnusable', message, label, wayBack, cause === undefined ? {} : {cause})
}

/**
 * Reads the URL of a database: `postgres://user:password@host:port/database`, with `host=/folder` for a socket,
 * `sslmode`, `sslrootcert`, `sslcert`, `sslkey`, `application_name`, `connect_timeout` and `statement_timeout` in
 * seconds, and `pool_size` behind it.
 * Off this machine only verified TLS is spoken. Throws StateUnusable without repeating the URL.
 */
export function addressOf(text: string): Address {
  const url = parsed(text)
  const host = url.searchParams.get('host') ?? (unbracketed(url.hostname) || 'localhost')
  const port = url.port === '' ? 5432 : Number(url.port)
  const database = decoded(url.pathname.slice(1))
  const label = `postgres://${host.startsWith('/') ? '' : host}:${port}/${database}`
  checkParameters(url.searchParams, label)
  const [user, password] = [decoded(url.username), decoded(url.password)]
  const poolSize = wholeNumber(url.searchParams, 'pool_size', label, {least: 2, most: 500}) ?? defaultPoolSize
  const seconds = (name: string): number | undefined =>
    wholeNumber(url.searchParams, name, label, {least: 1, most: 600})
  return {
    connection: {
      host,
      port,
      ...(user === '' ? {} : {user}),
      ...(password === '' ? {} : {password}),
      ...(database === '' ? {} : {database}),
      ssl: tls(url.searchParams, host, label),
      application_name: url.searchParams.get('application_name') ?? 'frontdesk',
      connectionTimeoutMillis: (seconds('connect_timeout') ?? 5) * 1000,
      statement_timeout: (seconds('statement_timeout') ?? 10) * 1000,
    },
    poolSize,
    label,
  }
}

function parsed(text: string): URL {
  const wayBack = 'Write postgres://user@host:5432/database, with % escapes in the user and password.'
  if (!isPostgresUrl(text)) throw refused("The store's URL does not begin with postgres://.", 'store URL', wayBack)
  try {
    const url = new URL(text)
    for (const part of [url.username, url.password, url.pathname]) decodeURIComponent(part)
    return url
  } catch {
    // The parser's error repeats its input, and with it the password.
    throw refused("The store's URL does not read.", 'store URL', wayBack)
  }
}

const decoded = (part: string): string => decodeURIComponent(part)
const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

function checkParameters(parameters: URLSearchParams, label: string): void {
  for (const name of parameters.keys()) {
    if (!knownParameters.has(name) || parameters.getAll(name).length > 1) {
      const known = [...knownParameters].join(', ')
      throw refused(`The store's URL has '${name}', which is unknown or given twice.`, label, `Known are ${known}.`)
    }
  }
  const host = parameters.get('host')
  if (host !== null && !host.startsWith('/')) {
    throw refused("'host' in the store's URL is no folder of a socket.", label, 'Write the host before the database.')
  }
}

function wholeNumber(
  parameters: URLSearchParams,
  name: string,
  label: string,
  {least, most}: {readonly least: number; readonly most: number},
): number | undefined {
  const text = parameters.get(name)
  if (text === null) return undefined
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw refused(
    `'${name}' in the store's URL is no number of ${least} to ${most}.`,
    label,
    'Correct it or leave it out.',
  )
}

const isLoopback = (host: string): boolean =>
  host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)

function tls(parameters: URLSearchParams, host: string, label: string): PoolConfig['ssl'] {
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
    ...(ca === undefined ? {} : {ca}),
    ...(cert === undefined ? {} : {cert}),
    ...(key === undefined ? {} : {key}),
  }
}
