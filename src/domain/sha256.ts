import {hmac} from '@noble/hashes/hmac.js'
import {sha256 as digestOf} from '@noble/hashes/sha2.js'

/**
 * SHA-256 and HMAC for a command that digests a token or two and ends: loading Node's cryptography, with the streams that it
 * needs, takes 4 to 15 milliseconds.
 */

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : content

/** The digest of the UTF-8 bytes of a text, or of bytes. */
export const sha256 = (content: string | Uint8Array): Buffer => Buffer.from(digestOf(bytesOf(content)))

/** HMAC-SHA-256 of a text. */
export const hmacSha256 = (key: string, text: string): Buffer =>
  Buffer.from(hmac(digestOf, bytesOf(key), bytesOf(text)))
