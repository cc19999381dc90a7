import {ApiError} from '../../domain/errors.js'
import type {ApiClient} from '../documents/api-client.js'
import type {Runtime} from '../operation/context.js'
import {liveClient} from './authenticate.js'

/** How API clients prove who they are: HTTP Basic, nothing else (decision 25). */

const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const maxHeader = 8192
const utf8 = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true})

/** Id and secret of a `Basic` header, percent-decoded as RFC 6749 appendix B says. Undefined for anything ill-formed. */
function basicCredentials(authorization: string | undefined) {
  const encoded = /^basic +([^\s]+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined || encoded.length > maxHeader || !base64Form.test(encoded)) return undefined
  try {
    const text = utf8.decode(Buffer.from(encoded, 'base64'))
    const colon = text.indexOf(':')
    if (colon < 1 || colon === text.length - 1) return undefined
    const plain = (part: string) => (/[+%]/.test(part) ? decodeURIComponent(part.replaceAll('+', ' ')) : part)
    return {id: plain(text.slice(0, colon)), secret: plain(text.slice(colon + 1))}
  } catch {
    return undefined
  }
}

/**
 * The API client of an HTTP Basic header; an unknown id costs the same work as a wrong secret and counts alike. Throws
 * invalid_client, and TooManyRequests after too many wrong secrets for one id from one address.
 */
export async function authenticateClient(
  runtime: Runtime,
  authorization: string | undefined,
  source: string | undefined,
  now: number,
): Promise<ApiClient> {
  const {secrets, state, wrongSecrets} = runtime
  const given = basicCredentials(authorization)
  if (!given) throw ApiError.of('invalid_client', {})
  const key = secrets.digest(`${source ?? ''} ${given.id}`)
  const client = await liveClient(state, given.id, now)
  // Nothing may wait between here and the count, or requests that come together are compared beyond the limit.
  wrongSecrets.check(key, now)
  const matches = secrets.sameDigest(secrets.digest(given.secret), client?.secretDigest ?? secrets.digest(''))
  if (client && matches) return client
  wrongSecrets.failed(key, now)
  throw ApiError.of('invalid_client', {})
}
