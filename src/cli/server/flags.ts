import {createServer} from 'node:net'
import {join} from 'node:path'
import {Flags} from '@oclif/core'
import {defined} from '../../domain/equal.js'
import {reachOf} from '../../domain/network-reach.js'
import {readPrivate, replacePrivate} from '../../files/private-file.js'
import type {ServerOptions} from '../../index.js'
import {type FlagValues, switchFlag, textFlag, textsFlag} from '../input/flags.js'
import {Failure, usage} from '../process/failure.js'
import type {Environment} from '../process/io.js'

/** Flags of local servers: who reaches them and where, what requests are handed on, and which database keeps the state. */

export const reachFlags = {
  'insecure-http': switchFlag(
    'Serve plain HTTP to other machines: everybody on the network path can read secrets and tokens.',
  ),
  'allowed-host': textsFlag(
    'NAME[:PORT]',
    'Also answer requests that name this host (repeatable; `:*` is any port); others get 403.',
  ),
  'allowed-origin': textsFlag(
    'URL',
    'Let pages of this origin, such as http://localhost:5173, use the API in a browser (repeatable); others get 403.',
  ),
  'public-url': textFlag('URL', 'Address that clients use, if the server is behind a proxy or a published port.'),
}

/** The flags as options of `startServer`. Throws usage for plain HTTP that nobody asked for. */
export function reachOptions(host: string, flags: FlagValues<typeof reachFlags>) {
  const {'insecure-http': insecure, 'public-url': publicUrl} = flags
  const {'allowed-host': allowedHosts, 'allowed-origin': allowedOrigins} = flags
  if (!insecure && reachOf(host) !== 'loopback') {
    throw usage(
      `The server does not listen on ${host}: it speaks plain HTTP, and other machines reach it there.`,
      'Use 127.0.0.1 behind a proxy that speaks TLS, or say --insecure-http if the network may read secrets and tokens.',
    )
  }
  return {
    host,
    ...defined({publicUrl, allowedHosts, allowedOrigins}),
    ...(insecure ? {insecureHttp: true as const} : {}),
  }
}

/** A literal address of this machine, without brackets. Throws usage for a name, which may stand for several. */
export function checkedAddress(host: string): string {
  const plain = host === 'localhost' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1')
  if (reachOf(plain) !== undefined) return plain
  throw usage(`'${host}' is no address to listen on.`, 'Use an address of this machine, such as 127.0.0.1 or 0.0.0.0.')
}

export const listenFlags = {
  host: Flags.string({
    helpValue: 'ADDRESS',
    default: '127.0.0.1',
    summary: 'Loopback address to listen on, such as 127.0.0.1.',
  }),
  port: textFlag('N', 'Port; 0 or absent: any free one. Without it `server start` first tries its last one.'),
  seed: textFlag('demo|DIR', 'Seed pack for the project, if it does not exist yet; demo is built in.'),
}

/** A port number. Throws a usage error for anything else. */
export function checkedPort(text = '0'): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port >= 0 && port <= 65_535) return port
  throw usage(`'${text}' is not a port.`, 'Use a number from 0 to 65535; 0 takes any free one.')
}

const portFile = (dataDir: string): string => join(dataDir, 'server.port')

/** The port that the last server of a folder listened on, so that addresses in other programs' settings stay true. */
export function lastPort(dataDir: string): number | undefined {
  const port = Number(readPrivate(portFile(dataDir)) ?? Number.NaN)
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined
}

export const keepPort = (dataDir: string, port: string): void => replacePrivate(portFile(dataDir), `${port}\n`)

/** Whether nothing listens there at this moment. */
export const isFreePort = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })

/** A loopback address. Throws usage for any other, since the server speaks plain HTTP. */
export function checkedHost(host: string): string {
  const plain = checkedAddress(host)
  if (reachOf(plain) === 'loopback') return plain
  throw usage(
    `The server does not listen on ${host}: it speaks plain HTTP, and others could reach it.`,
    'Use 127.0.0.1 or ::1, and a TLS proxy or an SSH tunnel in front of it.',
  )
}

const authorizationVariable = 'FRONTDESK_FALLBACK_AUTHORIZATION'

export const fallbackFlags = {
  fallback: textFlag(
    'URL',
    `Forward requests for paths that this server does not serve to this address, without credentials and cookies; ${authorizationVariable} sets an Authorization header for it.`,
  ),
}

/** The fallback that a command line and its environment name, as an option of a server. */
export function fallbackOption(
  {fallback: url}: FlagValues<typeof fallbackFlags>,
  env: Environment,
): Pick<ServerOptions, 'fallback'> {
  if (url === undefined) return {}
  const authorization = env[authorizationVariable]
  return {fallback: {url, ...(authorization ? {authorization} : {})}}
}

const isDatabase = (place: string): boolean => /^postgres(ql)?:/i.test(place)

const storeForms = 'Write the path of a folder, or postgres://user@host:5432/database.'

/** Whether a URL contains a password; for one that cannot be parsed, whether it looks so. */
function hasPassword(url: string): boolean {
  try {
    return new URL(url).password !== ''
  } catch {
    return /\/\/[^/]*:[^/]*@/.test(url)
  }
}

/** A folder or the URL of a database from a flag. Throws SecretInArguments if the URL contains a password. */
export function checkedStoreLocation(flag: string, place: string): string {
  if (/^(\s*$|~|(?!postgres(ql)?:)[a-z][\w+.-]*:\/\/)/i.test(place))
    throw usage(`--${flag} names no folder and no database: '${place}'`, storeForms)
  if (!isDatabase(place) || !hasPassword(place)) return place
  throw new Failure('usage', 'SecretInArguments', `The URL of --${flag} holds a password, which no flag may.`, {
    hints: [
      'Other processes and the shell history can read it; change it if it was real.',
      'Leave the password out and set PGPASSWORD.',
    ],
  })
}

/** The URL of the database that keeps the state: of the flag, or whole, with its password, from the environment. */
export function storeUrlOf(flag: string | undefined, env: Environment): string | undefined {
  if (flag === undefined) return env['FRONTDESK_STORE_URL'] || undefined
  if (isDatabase(flag)) return checkedStoreLocation('store-url', flag)
  throw usage(`--store-url is not the URL of a database: ${flag}`, 'Write postgres://user@host:5432/database.')
}
