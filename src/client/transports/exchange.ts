import {defined} from '../../domain/equal.js'
import {redactedHeaders, redactedJson, redactedText} from '../../domain/redact.js'
import {pathWithoutSecrets} from '../../domain/secret-members.js'
import type {Incoming, Outgoing} from '../client.js'
import type {Exchange} from '../target.js'

/** What `-v` and `--trace-http` get of a request and its answer: everything but the secrets. */
export function exchangeOf(
  request: Outgoing,
  answer: Incoming | undefined,
  {base, durationMs, attempt}: {readonly base: string; readonly durationMs: number; readonly attempt: number},
): Exchange {
  return {
    method: request.method,
    url: base + pathWithoutSecrets(request.path),
    status: answer?.status,
    durationMs,
    attempt,
    correlationId: request.correlationId,
    requestHeaders: redactedHeaders(request.headers),
    ...defined({requestBody: request.body === undefined ? undefined : redactedText(request.body)}),
    responseHeaders: redactedHeaders(answer?.headers ?? {}),
    responseBody: redactedJson(answer?.body),
  }
}
