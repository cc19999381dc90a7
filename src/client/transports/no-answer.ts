import type {Trouble} from '../client.js'
import type {ConnectOptions} from '../target.js'
import {ForeignBody} from './answer-body.js'
import {proxyVariableFor, timeoutsOf} from './dispatcher.js'

/** Node's codes in words; the code stays, since people search for it. */
const words: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was closed'],
  ['ENOTFOUND', 'its name is not known'],
  ['EAI_AGAIN', 'its name cannot be looked up at the moment'],
  ['EHOSTUNREACH', 'there is no way to its host'],
  ['ENETUNREACH', 'there is no way to its network'],
  ['ETIMEDOUT', 'the connection timed out'],
  ['UND_ERR_SOCKET', 'the connection was closed before the answer was complete'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is signed by itself'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak TLS; is it http instead of https?'],
  ['EPROTO', 'it does not speak TLS as expected'],
  ['Z_BUF_ERROR', 'the compressed answer is cut'],
  ['Z_DATA_ERROR', 'the compressed answer is damaged'],
])

/** What Node says of a certificate that it does not trust. */
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/

/** The code that Node or undici gave an error; empty if none. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const seconds = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 100) / 10} s`

/** Why a request to a URL got no answer: the sentence, and the trouble if it is one of those. */
export function noAnswer(error: unknown, url: string, options: ConnectOptions): {message: string; trouble?: Trouble} {
  const {origin, hostname} = new URL(url)
  const code = codeOf(error)
  const said = error instanceof Error ? error.message : 'no answer'
  const proxy = proxyVariableFor(hostname)
  const around = proxy === undefined ? '' : `; ${proxy} names a proxy`
  const {totalMs, connectMs} = timeoutsOf(options)
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return {message: `No connection to ${origin} within ${seconds(connectMs)}${around}.`, trouble: 'timeout'}
  }
  if (/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code) || (error instanceof Error && error.name === 'TimeoutError')) {
    return {message: `No answer from ${origin} in time, within ${seconds(totalMs)}${around}.`, trouble: 'timeout'}
  }
  const tunnel = /^Proxy response \((\d+)\)/.exec(said)?.[1]
  if (tunnel !== undefined) {
    const why = tunnel === '407' ? 'the proxy wants credentials (407)' : `the proxy answered ${tunnel}`
    return {message: `No way to ${origin}: ${why}${around}.`, trouble: 'proxy'}
  }
  const known = /^UNABLE_TO_|_IN_CHAIN$/.test(code)
    ? 'an authority that is not known signed its certificate'
    : words.get(code)
  const reason = known === undefined ? code || said : `${known} (${code})`
  if (error instanceof ForeignBody)
    return {message: `No answer of the API from ${origin}: ${said}${around}.`, trouble: 'foreign'}
  const message = `No answer from ${origin}: ${reason}${around}.`
  return certificate.test(code) ? {message, trouble: 'certificate'} : {message}
}

/** No request goes out before the handshake is done; OpenSSL's verdicts on a certificate have names of their own. */
const neverSent = new RegExp(
  [
    '^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$',
    '^(CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)',
    '^(PATH_LENGTH_EXCEEDED|ERR_TLS_CERT_|ERR_TLS_HANDSHAKE|ERR_SSL_(WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|HTTP_REQUEST))',
    '^ERR_SSL_.*ALERT_(HANDSHAKE_FAILURE|PROTOCOL_VERSION|UNRECOGNIZED_NAME|UNKNOWN_CA|NO_APPLICATION_PROTOCOL)',
    '^ERR_SSL_.*ALERT_(BAD_CERTIFICATE|CERTIFICATE_)|^ERR_SSL_(TLSV1_UNRECOGNIZED_NAME|PACKET_LENGTH_TOO_LONG)',
  ].join('|'),
)

/** Errors without a code: a proxy that refuses the tunnel, and a connection closed during the TLS handshake. */
const noWayThere = /Proxy response .*when HTTP Tunneling|before secure TLS connection was established/

/** Whether bytes of a request may have gone out before it failed with this error of the socket, of TLS or of undici. */
export function wasSent(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.some(wasSent)
  if (!(error instanceof Error)) return true
  if ('syscall' in error && error.syscall === 'connect') return false
  return !neverSent.test(codeOf(error)) && !noWayThere.test(error.message)
}
