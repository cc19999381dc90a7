import type {Dispatcher} from 'undici'
import {defined} from '../../domain/equal.js'
import {type Incoming, type Outgoing, type Transport, Unreachable} from '../client.js'
import type {ConnectOptions} from '../target.js'
import {withTimeLimit} from '../time-limit.js'
import {acceptedCodings, bodyText} from './answer-body.js'
import {dispatcherOf, timeoutsOf} from './dispatcher.js'
import {exchangeOf} from './exchange.js'
import {foreignText} from './foreign-answer.js'
import {noAnswer, wasSent} from './no-answer.js'
import {withRetries} from './retry.js'

const defaultRetries = 4

const textOf = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(defined(headers)).map(([name, values]) => [name, [values].flat().join(', ')]))

function bodyOf(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Carries requests over HTTP: the authorization paths to one origin, all others to the API's. Follows no redirect. */
export async function httpTransport(apiUrl: string, authUrl: string, options: ConnectOptions): Promise<Transport> {
  const dispatcher = await dispatcherOf(options)
  const {retries = defaultRetries, userAgent = `frontdesk node/${process.versions.node}`, onExchange} = options
  const {totalMs} = timeoutsOf(options)
  const budget = {leftMs: options.repeatsMs ?? Number.POSITIVE_INFINITY}
  const ours = {'user-agent': userAgent, 'accept-encoding': acceptedCodings}

  const sendOnce = async (request: Outgoing, attempt: number): Promise<Incoming> => {
    const base = request.path.startsWith('/oauth/') ? authUrl : apiUrl
    const url = base.replace(/\/+$/, '') + request.path
    const started = performance.now()
    let answer: Incoming | undefined
    try {
      const response = await dispatcher.request({
        origin: new URL(url).origin,
        path: url.slice(new URL(url).origin.length),
        method: request.method as Dispatcher.HttpMethod,
        headers: {...ours, ...request.headers},
        body: request.body ?? null,
        signal: request.signal ? withTimeLimit(request.signal, totalMs) : AbortSignal.timeout(totalMs),
      })
      const headers = textOf(response.headers)
      const body = bodyOf(await bodyText(response.body, headers['content-encoding']))
      const received = {status: response.statusCode, headers, body}
      answer = {...received, ...defined({foreign: foreignText(received, request, url)})}
      if (answer.status !== 407) return answer
    } catch (error) {
      if (request.signal?.aborted) throw error
      const {message, trouble} = noAnswer(error, url, options)
      // A proxy that opens no way has passed nothing on.
      const sent = wasSent(error) && trouble !== 'proxy'
      throw new Unreachable(message, sent, request.correlationId, {cause: error, trouble})
    } finally {
      onExchange?.(exchangeOf(request, answer, {base, durationMs: performance.now() - started, attempt}))
    }
    throw new Unreachable('The proxy wants credentials (407).', false, request.correlationId, {trouble: 'proxy'})
  }

  return {
    kind: 'http',
    send: (request) => withRetries(request, retries, sendOnce, budget),
    close: () => dispatcher.close(),
  }
}
