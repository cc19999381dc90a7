import {crc32} from 'node:zlib'
import {StateError} from '../../../domain/errors.js'
import type {UniqueKey} from '../../store.js'
import type {Entry} from './entry.js'
import {corrupt} from './failures.js'

/**
 * Records are lines of JSON that end in a checksum of what precedes it. A journal has one for each commit, a segment one for
 * each document. Both state a head that is parsed at once, and bodies that are found by position and parsed when asked for.
 */

/** Raised when older releases could no longer read what this one writes. A record without it is of format 1. */
export const stateFormat = 2

const lineFeed = 10
const suffixLength = ',"x":"00000000"}'.length

const hex = (sum: number): string => sum.toString(16).padStart(8, '0')

export const checksumOf = (bytes: Uint8Array | string, start = 0): number => crc32(bytes, start)

/** Adds the checksum of its UTF-8 bytes to the text of a JSON object, as last member `x`. */
export function withChecksum(json: string): string {
  const open = json.slice(0, -1)
  return `${open},"x":"${hex(crc32(open))}"}`
}

/** Whether the bytes are what `withChecksum` made. */
export function hasValidChecksum(bytes: Uint8Array): boolean {
  const length = bytes.length - suffixLength
  if (length < 1) return false
  const suffix = Buffer.from(bytes.buffer, bytes.byteOffset + length, suffixLength).toString('latin1')
  return suffix === `,"x":"${hex(crc32(bytes.subarray(0, length)))}"}`
}

/** What a file of one line with a checksum says; throws StateCorrupt if it is not what was written. */
export function parsedWithChecksum(bytes: Buffer, path: string): unknown {
  const line = bytes.subarray(0, -1)
  if (bytes.at(-1) !== lineFeed || !hasValidChecksum(line)) throw corrupt(`${path} is damaged.`, path)
  return JSON.parse(line.toString())
}

/** Refuses what a newer release wrote, since reading it as ours could drop what it means. */
export function assertKnownFormat(format: unknown, path: string): void {
  if (format === undefined || (typeof format === 'number' && format <= stateFormat)) return
  const message = `${path} was written by a newer release (format ${String(format)}, this one reads ${stateFormat}).`
  throw new StateError('StateVersion', message, path, 'Use that release, or another data directory.')
}

/** What a commit does to one document. */
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

/** One line of the journal, which is one commit. */
export interface Line {
  readonly sequence: number
  /** The highest sequence that was known to be on the disk when this line was written. */
  readonly durable: number
  readonly operations: readonly Operation[]
}

// A unique key is one string in a file, its mode the first character.
export const uniqueKeyText = (uniqueKey: UniqueKey): string => (uniqueKey.shared ? '~' : '=') + uniqueKey.key

export const uniqueKeyOf = (text: string): UniqueKey =>
  text.startsWith('~') ? {key: text.slice(1), shared: true} : {key: text.slice(1)}

/**
 * `{"r":format,"s":sequence,"d":durable,"o":[[kind,id,expect,version,keys,facets,bytes],…],"b":[document,…],"x":…}`.
 * The heads tell how long each body is, so that a body need not be parsed to find the next one.
 */
export function lineOf({sequence, durable, operations}: Line): string {
  const heads: unknown[] = []
  const bodies: string[] = []
  for (const {kind, id, expect, version, uniqueKeys, facets, body} of operations) {
    const text = body?.toString()
    if (text !== undefined) bodies.push(text)
    const bytes = text === undefined ? 0 : Buffer.byteLength(text)
    heads.push([kind, id, expect, version, uniqueKeys.map(uniqueKeyText), facets, bytes])
  }
  const head = `{"r":${stateFormat},"s":${sequence},"d":${durable},"o":${JSON.stringify(heads)}`
  return `${withChecksum(`${head},"b":[${bodies.join(',')}]}`)}\n`
}

/** The head of a record, and where its bodies start; nothing if the record is not whole. */
function headOf<T>(line: Buffer, bodyMark: Buffer): {head: T; bodyAt: number} | undefined {
  if (!hasValidChecksum(line)) return undefined
  // No text within a head can look like the mark, as a quote in it would be escaped.
  const mark = line.indexOf(bodyMark)
  const head = JSON.parse(`${line.subarray(0, mark).toString()}}`) as T & {readonly r?: number}
  assertKnownFormat(head.r, 'A record')
  return {head, bodyAt: mark + bodyMark.length}
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

/** A line of a journal without its line feed; nothing if it is not whole. */
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

/** What a line of a segment says beside the document. */
export interface SegmentHead {
  readonly id: string
  readonly version: number
  readonly uniqueKeys: readonly UniqueKey[]
  readonly facets: readonly (string | null)[]
}

/** A line of a segment, without its line feed, and what it says. */
export interface SegmentLine extends SegmentHead {
  readonly line: string | Buffer
}

const documentMark = Buffer.from(',"doc":')

/** `{"r":format,"id":…,"v":version,"c":keys,"f":facets,"doc":document or null,"x":checksum}`. */
export function segmentLine(entry: Entry, facets: readonly (string | null)[]): SegmentLine {
  const {id, version, uniqueKeys} = entry
  const head = JSON.stringify({r: stateFormat, id, v: version, c: uniqueKeys.map(uniqueKeyText), f: facets})
  const line = withChecksum(`${head.slice(0, -1)},"doc":${entry.json() ?? 'null'}}`)
  return {id, version, uniqueKeys, facets, line}
}

/** Nothing for a line that is not whole. The body lies within the line and is not parsed. */
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
