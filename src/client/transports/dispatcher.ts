import {readFile} from 'node:fs/promises'
import {isIP} from 'node:net'
import type {buildConnector, Dispatcher, Pool} from 'undici'
import {defined} from '../../domain/equal.js'
import {Expected} from '../../domain/errors.js'
import {undici, verifiedTls} from '../../domain/verified-tls.js'
import type {ConnectOptions} from '../target.js'

const defaultTimeoutMs = 30_000
/** Nobody who answers at all takes longer to accept a connection; who asks for more patience gets it. */
const connectTimeoutMs = 10_000

const neverProxied: readonly string[] = ['127.0.0.1', '[::1]', 'localhost']

/** The proxy variables that are set, by name: their values may hold a password. */
const proxyVariables = (): readonly string[] =>
  ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => (process.env[name] ?? '') !== '')

/** The variable that names a proxy, if a request to this host may go through it. */
export const proxyVariableFor = (hostname: string): string | undefined =>
  neverProxied.includes(hostname) ? undefined : proxyVariables()[0]

/** Throws usage for a variable that names no proxy, which undici would not get over. Its value is not shown. */
function checkProxies(): void {
  for (const name of proxyVariables()) {
    try {
      const {protocol, username, password, pathname, search, hash} = new URL(process.env[name] ?? '')
      decodeURIComponent(username + password)
      if (/^https?:$/.test(protocol) && pathname + search + hash === '/') continue
    } catch {
      // Said below, without the value.
    }
    const hints = ['Write it like http://proxy.example:3128, with %25 for each % in a name or password.']
    throw new Expected('usage', 'InvalidProxy', `${name} is not the address of a proxy.`, {hints})
  }
}

/** A variable that is written in lower case or in upper case. An empty value counts as unset. */
const eitherCase = (name: string): string | undefined =>
  process.env[name] || process.env[name.toUpperCase()] || undefined

/** How long a request may take, and a connection of it. */
export function timeoutsOf({timeoutMs = defaultTimeoutMs}: ConnectOptions): {totalMs: number; connectMs: number} {
  return {
    totalMs: timeoutMs,
    connectMs: timeoutMs > defaultTimeoutMs ? timeoutMs : Math.min(timeoutMs, connectTimeoutMs),
  }
}

/** The authorities that Node trusts and one more; `ca` alone would replace them. */
async function authoritiesWith(caFile: string): Promise<string[]> {
  const tls = await import('node:tls')
  // Since Node 22.15: with those of the system and of NODE_EXTRA_CA_CERTS, as far as Node was told to trust them.
  const {getCACertificates} = tls as {getCACertificates?: (type: 'default') => string[]}
  return [...(getCACertificates?.('default') ?? tls.rootCertificates), await readFile(caFile, 'utf8')]
}

/**
 * The connections to a proxy. undici asks TLS for the server name of its address, which has none, and Node 26 refuses
 * that (ERR_INVALID_ARG_VALUE).
 */
const proxyClient =
  (Connections: typeof Pool) =>
  (origin: URL, options: object): Dispatcher => {
    const {connect} = options as {connect: buildConnector.connector}
    const named: buildConnector.connector = (target, callback) => {
      const {servername = '', ...rest} = target
      connect(isIP(servername) === 0 ? target : rest, callback)
    }
    return new Connections(origin, {...options, connect: named})
  }

/** The connections to API and authorization service, direct or through the proxy that the environment names. */
export async function dispatcherOf(options: ConnectOptions): Promise<Dispatcher> {
  const {totalMs, connectMs} = timeoutsOf(options)
  const ca = options.caFile === undefined ? undefined : await authoritiesWith(options.caFile)
  const tls = verifiedTls({timeout: connectMs, ...defined({ca})})
  // No bound on connections: whoever sends many requests bounds them, and must not meet another bound behind its own.
  const common = {pipelining: 1, headersTimeout: totalMs, bodyTimeout: totalMs, connect: tls}
  const {Agent, EnvHttpProxyAgent, Pool} = await undici()
  checkProxies()
  const direct = (eitherCase('no_proxy') ?? '').split(/[\s,]+/)
  if (proxyVariables().length === 0 || direct.includes('*')) return new Agent(common)
  return new EnvHttpProxyAgent({
    ...common,
    // Behind a tunnel `connect` is not asked: the target has its own handshake, and a proxy of https another.
    requestTls: tls,
    proxyTls: tls,
    clientFactory: proxyClient(Pool),
    ...defined({httpProxy: eitherCase('http_proxy'), httpsProxy: eitherCase('https_proxy')}),
    // undici would take the end of an address of IPv6 for a port.
    noProxy: [...neverProxied, ...direct.map((host) => (isIP(host) === 6 ? `[${host}]` : host))].join(','),
  })
}
