import {readFile} from 'node:fs/promises'
import {Agent, type Dispatcher, EnvHttpProxyAgent} from 'undici'
import {type Incoming, type Outgoing, type Transport, Unreachable} from './client.js'
import {exchangeOf} from './exchange.js'
import {withRetries} from './retry.js'
import type {ConnectOptions} from './target.js'

const defaults = {timeoutMs: 30_000, retries: 4, connections: 32}
/** A longer answer is not one of the API's. */
const maxAnswerBytes = 64 * 1024 * 1024

/** What the socket said before any request byte went out. */
const neverSent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const neverProxied: readonly string[] = ['127.0.0.1', '[::1]', 'localhost']

/** The names of those that are set. */
const proxyVariables = (): readonly string[] =>
  ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => (process.env[name] ?? '') !== '')

async function dispatcherOf({caFile, timeoutMs = defaults.timeoutMs}: ConnectOptions): Promise<Dispatcher> {
  const ca = caFile === undefined ? undefined : await readFile(caFile, 'utf8')
  const options = {
    connections: defaults.connections,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    ...(ca === undefined ? {} : {connect: {ca}}),
  }
  return proxyVariables().length > 0
    ? new EnvHttpProxyAgent({
        ...options,
        noProxy: [...neverProxied, process.env['NO_PROXY'] ?? process.env['no_proxy'] ?? ''].join(','),
      })
    : new Agent(options)
}

function textOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}

async function bodyOf(body: Dispatcher.ResponseData['body']): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxAnswerBytes) throw new Error(`the answer is longer than ${maxAnswerBytes} bytes`)
    chunks.push(chunk)
  }
  if (size === 0) return undefined
  const text = Buffer.concat(chunks).toString('utf8')
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Carries requests over HTTP: the authorization paths to one origin, all others to the API's. Follows no redirect. */
export async function httpTransport(apiUrl: string, authUrl: string, options: ConnectOptions): Promise<Transport> {
  const dispatcher = await dispatcherOf(options)
  const {timeoutMs = defaults.timeoutMs, retries = defaults.retries, onExchange} = options

  const sendOnce = async (request: Outgoing, attempt: number): Promise<Incoming> => {
    const base = request.path.startsWith('/oauth/') ? authUrl : apiUrl
    const url = base.replace(/\/+$/, '') + request.path
    const started = performance.now()
    let answer: Incoming | undefined
    try {
      const timeout = AbortSignal.timeout(timeoutMs)
      const response = await dispatcher.request({
        origin: new URL(url).origin,
        path: url.slice(new URL(url).origin.length),
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers,
        body: request.body ?? null,
        signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
      })
      answer = {status: response.statusCode, headers: textOf(response.headers), body: await bodyOf(response.body)}
      return answer
    } catch (error) {
      if (request.signal?.aborted) throw error
      const reason = codeOf(error) || (error instanceof Error ? error.message : 'no answer')
      const {origin, hostname} = new URL(url)
      const [proxy] = neverProxied.includes(hostname) ? [] : proxyVariables()
      const message = `No answer from ${origin} (${reason})${proxy === undefined ? '' : `; ${proxy} names a proxy`}.`
      throw new Unreachable(message, !neverSent.has(codeOf(error)), request.correlationId, {cause: error})
    } finally {
      onExchange?.(exchangeOf(request, answer, {base, durationMs: performance.now() - started, attempt}))
    }
  }

  return {
    kind: 'http',
    send: (request) =>
      withRetries(request, sendOnce, {
        retries,
        random: Math.random,
        wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      }),
    close: () => dispatcher.close(),
  }
}
