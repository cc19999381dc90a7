import {StateError} from '../../../domain/errors.js'
import type {UniqueKey} from '../../store.js'
import {crc32} from './crc32.js'
import type {Entry} from './entry.js'
import {corrupt} from './failures.js'

/**
 * Records are lines of JSON with a trailing checksum. A journal has a record per commit, a segment a record per
 * document. Each has a head, which is parsed at once, and bodies, which are located by length and parsed on demand.
 */

/** Format version, raised when older releases cannot read the new format. A record without it has format 1. */
export const stateFormat = 2

export const lineFeed = 10
const emptySuffix = Buffer.from(',"x":"00000000"}')

const firstDigit = emptySuffix.indexOf('0')
const hexDigits = Buffer.from('0123456789abcdef')

/** Bytes of the checksum that closes a record. */
export const suffixLength = emptySuffix.length

const hex = (sum: number): string => sum.toString(16).padStart(8, '0')

export const checksumOf = (bytes: Uint8Array | string, start = 0): number => crc32(bytes, start)

/** What closes a record: the checksum of what is before it, as last member. */
const checksumSuffix = (sum: number): string => `,"x":"${hex(sum)}"}`

/** Appends to the text of a JSON object the checksum of its UTF-8 bytes, as last member `x`. */
export const withChecksum = (json: string): string => closed(json.slice(0, -1))

/** Closes the text of a JSON object with its checksum. A text that was cut off first would be copied once more. */
const closed = (open: string): string => open + checksumSuffix(crc32(open))

/** Whether the bytes from `start` to `end` end in their checksum, as `withChecksum` wrote it. */
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

/** Writes what closes a record whose bytes have this checksum; returns the position behind it. */
export function writeSuffix(target: Buffer, position: number, sum: number): number {
  target.set(emptySuffix, position)
  for (let digit = 0, at = position + firstDigit; digit < 8; digit += 1, at += 1) {
    target[at] = hexDigits[(sum >>> (28 - digit * 4)) & 15] as number
  }
  return position + suffixLength
}

/** Parses a file of one record. Throws StateCorrupt if its checksum does not match. */
export function parsedWithChecksum(bytes: Buffer, path: string): unknown {
  const line = bytes.subarray(0, -1)
  if (bytes.at(-1) !== lineFeed || !hasValidChecksum(line)) throw corrupt(`${path} is damaged.`, path)
  return JSON.parse(line.toString())
}

/** Throws StateVersion for a newer format, which this release could misread. */
export function assertKnownFormat(format: unknown, path: string): void {
  if (format === undefined || (typeof format === 'number' && format <= stateFormat)) return
  const message = `${path} was written by a newer release (format ${String(format)}, this one reads ${stateFormat}).`
  throw new StateError('StateVersion', message, path, 'Use that release, or another data directory.')
}

/** The change of one document in a commit. */
export interface Operation {
  readonly kind: string
  readonly id: string
  /** The version before; 0 for a new document. */
  readonly expect: number
  /** The version after; 0 removes the document. */
  readonly version: number
  readonly uniqueKeys: readonly UniqueKey[]
  readonly facets: readonly (string | null)[]
  /** The document as JSON; absent for a removal. */
  readonly body?: string | Buffer
}

/** One commit, a line of the journal. */
export interface Line {
  readonly sequence: number
  /** The highest sequence number that was durable when this line was written. */
  readonly durable: number
  readonly operations: readonly Operation[]
}

// A unique key is one string in files; its first character is the mode.
export const uniqueKeyText = (uniqueKey: UniqueKey): string => (uniqueKey.shared ? '~' : '=') + uniqueKey.key

export const uniqueKeyOf = (text: string): UniqueKey =>
  text.startsWith('~') ? {key: text.slice(1), shared: true} : {key: text.slice(1)}

/**
 * `{"r":format,"s":sequence,"d":durable,"o":[[kind,id,expect,version,keys,facets,bytes],…],"b":[document,…],"x":…}`, but
 * for the checksum. The heads tell how long each body is, so that a body need not be parsed to find the next one.
 */
export function openLine({sequence, durable, operations}: Line): string {
  let heads = ''
  let bodies = ''
  for (const {kind, id, expect, version, uniqueKeys, facets, body} of operations) {
    const text = typeof body === 'string' ? body : body?.toString()
    if (text !== undefined) bodies += bodies === '' ? text : `,${text}`
    const bytes = text === undefined ? 0 : Buffer.byteLength(text)
    const head = JSON.stringify([kind, id, expect, version, uniqueKeys.map(uniqueKeyText), facets, bytes])
    heads += heads === '' ? head : `,${head}`
  }
  return `{"r":${stateFormat},"s":${sequence},"d":${durable},"o":[${heads}],"b":[${bodies}]`
}

/** The head of a record and the offset of its bodies; undefined if the checksum does not match. */
function headOf<T>(line: Buffer, bodyMark: Buffer): {head: T; bodyAt: number} | undefined {
  if (!hasValidChecksum(line)) return undefined
  // No text in a head can contain the mark, since its quote would be escaped.
  const at = line.indexOf(bodyMark)
  const head = JSON.parse(`${line.subarray(0, at).toString()}}`) as T & {readonly r?: number}
  assertKnownFormat(head.r, 'A record')
  return {head, bodyAt: at + bodyMark.length}
}

type LineHead = readonly [
  kind: string,
  id: string,
  expect: number,
  version: number,
  uniqueKeys: readonly string[],
  facets: readonly (string | null)[],
  bytes: number,
]

const bodiesMark = Buffer.from(',"b":[')

/** Parses a line of a journal without its line feed; undefined if the checksum does not match. */
export function parsedLine(line: Buffer): Line | undefined {
  const record = headOf<{s: number; d: number; o: readonly LineHead[]}>(line, bodiesMark)
  if (!record) return undefined
  const {s, d, o} = record.head
  let at = record.bodyAt
  const operations = o.map(([kind, id, expect, version, uniqueKeys, facets, bytes]): Operation => {
    const head = {kind, id, expect, version, uniqueKeys: uniqueKeys.map(uniqueKeyOf), facets}
    if (bytes === 0) return head
    const body = line.subarray(at, at + bytes)
    at += bytes + 1
    return {...head, body}
  })
  return {sequence: s, durable: d, operations}
}

/** The head of a line of a segment. */
export interface SegmentHead {
  readonly id: string
  readonly version: number
  readonly uniqueKeys: readonly UniqueKey[]
  readonly facets: readonly (string | null)[]
}

const documentMark = Buffer.from(',"doc":')
const noBody = Buffer.from('null')

/** How a line of a segment of this format begins; the id follows. */
export const segmentLineStart = Buffer.from(`{"r":${stateFormat},"id":"`)

/**
 * The head of a line of a segment, which the document, or null for a tombstone, and the checksum follow:
 * `{"r":format,"id":…,"v":version,"c":keys,"f":facets,"doc":document,"x":checksum}`.
 */
export function segmentLineHead({id, version, uniqueKeys}: Entry, facets: readonly (string | null)[]): string {
  const keys = uniqueKeys.length === 0 ? '[]' : JSON.stringify(uniqueKeys.map(uniqueKeyText))
  const values = facets.length === 0 ? '[]' : JSON.stringify(facets)
  return `{"r":${stateFormat},"id":${JSON.stringify(id)},"v":${version},"c":${keys},"f":${values},"doc":`
}

/** Undefined if the checksum does not match. The body is a slice of the line and is not parsed. */
export function parsedSegmentLine(line: Buffer): {head: SegmentHead; body: Buffer | undefined} | undefined {
  const record = headOf<{id: string; v: number; c: readonly string[]; f: readonly (string | null)[]}>(
    line,
    documentMark,
  )
  if (!record) return undefined
  const {id, v, c, f} = record.head
  const body = v === 0 ? undefined : line.subarray(record.bodyAt, line.length - suffixLength)
  return {head: {id, version: v, uniqueKeys: c.map(uniqueKeyOf), facets: f}, body}
}

/** The document of a line whose checksum is known to match; undefined for a tombstone. */
export function bodyOf(line: Buffer): Buffer | undefined {
  const body = line.subarray(line.indexOf(documentMark) + documentMark.length, line.length - suffixLength)
  return body.equals(noBody) ? undefined : body
}
