import {hmac} from '@noble/hashes/hmac.js'
import {sha256 as digestOf} from '@noble/hashes/sha2.js'

/** For commands that digest a token or two and end: loading Node's cryptography takes 4 to 15 milliseconds. */

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : content

/** The digest of the UTF-8 bytes of a text, or of bytes. */
export const sha256 = (content: string | Uint8Array): Buffer => Buffer.from(digestOf(bytesOf(content)))

/** HMAC-SHA-256 of a text. */
export const hmacSha256 = (key: string, text: string): Buffer =>
  Buffer.from(hmac(digestOf, bytesOf(key), bytesOf(text)))
