import {codeOf} from './no-answer.js'

/** Error codes of a socket before any byte of a request was sent. */
const neverSent: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** No request goes out before the handshake is done; OpenSSL's verdicts on a certificate have names of their own. */
const handshake = new RegExp(
  [
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
  return !neverSent.has(codeOf(error)) && !handshake.test(codeOf(error)) && !noWayThere.test(error.message)
}
