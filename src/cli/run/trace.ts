import type {Exchange} from '../../client/target.js'
import {decodedPart} from '../../domain/redact.js'
import {jsonIn} from '../output/fields.js'
import {oneLine} from '../process/sanitize.js'
import type {Redactor} from './redaction.js'

/** One line about an exchange, for `-v`. */
export const exchangeLine = ({method, url, status, durationMs, attempt, correlationId}: Exchange): string =>
  oneLine(
    [
      `${method} ${url}`,
      status === undefined ? 'no answer' : String(status),
      `${Math.round(durationMs)} ms`,
      ...(attempt > 1 ? [`try ${attempt}`] : []),
      `request ${correlationId}`,
    ].join(' · '),
  )

/** An exchange with the personal data of its URL and bodies masked, if the run redacts. */
export function withoutPeople(exchange: Exchange, redaction: Redactor): Exchange {
  if (!redaction.on) return exchange
  const {requestBody, responseBody} = exchange
  const response = redaction.document(responseBody)
  const request = requestBody === undefined ? {} : {requestBody: bodyWithoutPeople(requestBody, redaction)}
  return {...exchange, ...request, responseBody: response, url: redaction.text(decodedPart(exchange.url))}
}

/** Masks a request body: JSON by member, a form as text. */
function bodyWithoutPeople(text: string, redaction: Redactor): string {
  const document = jsonIn(text)
  return document === undefined
    ? redaction.text(decodedPart(text.replaceAll('&', ' & ')))
    : JSON.stringify(redaction.document(document))
}

const headerList = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({name, value}))

/** Exchanges as an HTTP Archive 1.2. The client has already removed the secrets. */
export function traceText(exchanges: readonly Exchange[], now: number, version: string): string {
  const entries = exchanges.map((exchange) => ({
    startedDateTime: new Date(now).toISOString(),
    time: exchange.durationMs,
    request: {
      method: exchange.method,
      url: exchange.url,
      httpVersion: 'HTTP/1.1',
      headers: headerList(exchange.requestHeaders),
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: exchange.requestBody?.length ?? 0,
      ...(exchange.requestBody === undefined
        ? {}
        : {postData: {mimeType: exchange.requestHeaders['content-type'] ?? '', text: exchange.requestBody}}),
    },
    response: {
      status: exchange.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: headerList(exchange.responseHeaders),
      cookies: [],
      content: contentOf(exchange.responseBody),
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: {send: 0, wait: exchange.durationMs, receive: 0},
    comment: `request ${exchange.correlationId}, try ${exchange.attempt}`,
  }))
  return `${JSON.stringify({log: {version: '1.2', creator: {name: 'frontdesk', version}, entries}}, null, 2)}\n`
}

function contentOf(body: unknown): {size: number; mimeType: string; text?: string} {
  if (body === undefined) return {size: 0, mimeType: 'application/json'}
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return {size: text.length, mimeType: 'application/json', text}
}
