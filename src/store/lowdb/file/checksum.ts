import {crc32} from 'node:zlib'
import {StateError} from '../../../domain/errors.js'
import {corrupt} from './failures.js'

/** Records are lines of JSON that end in the checksum of the bytes before it. */

/** Format version, raised when older releases cannot read the new format. */
export const stateFormat = 1

export const lineFeed = 10
const emptySuffix = Buffer.from(',"x":"00000000"}')
const firstDigit = emptySuffix.indexOf('0')
const hexDigits = Buffer.from('0123456789abcdef')

/** Bytes of the checksum that closes a record. */
export const suffixLength = emptySuffix.length

/** CRC-32 of bytes, or of the UTF-8 bytes of a text, continuing from the sum of what came before. */
export const checksumOf = (content: Uint8Array | string, start = 0): number => crc32(content, start)

/** Appends to the text of a JSON object the checksum of its UTF-8 bytes, as last member `x`. */
export function withChecksum(json: string): string {
  const open = json.slice(0, -1)
  return `${open},"x":"${crc32(open).toString(16).padStart(8, '0')}"}`
}

/** Whether the bytes from `start` to `end` end in their checksum. */
export function hasValidChecksum(bytes: Uint8Array, start = 0, end = bytes.length): boolean {
  const suffix = end - suffixLength
  if (suffix <= start) return false
  const sum = crc32(bytes.subarray(start, suffix))
  for (let at = 0; at < suffixLength; at += 1) {
    const digit = at - firstDigit
    const expected = digit >= 0 && digit < 8 ? hexDigits[(sum >>> (28 - digit * 4)) & 15] : emptySuffix[at]
    if (bytes[suffix + at] !== expected) return false
  }
  return true
}

/** Parses a file of one record. Throws StateCorrupt if its checksum does not match. */
export function parsedWithChecksum(bytes: Buffer, path: string): unknown {
  const line = bytes.subarray(0, -1)
  if (bytes.at(-1) !== lineFeed || !hasValidChecksum(line)) throw corrupt(`${path} is damaged.`, path)
  return JSON.parse(line.toString())
}

/** Throws StateVersion for a newer format, which this release could misread. */
export function assertKnownFormat(format: unknown, path: string): void {
  if (format === stateFormat) return
  const message = `${path} was written by a newer release (format ${String(format)}, this one reads ${stateFormat}).`
  throw new StateError('StateVersion', message, path, 'Use that release, or another data directory.')
}
