import {JsonText} from '../../../domain/json-text.js'
import type {UniqueKey} from '../../store.js'
import {assertKnownFormat, stateFormat} from '../file/checksum.js'

/** Line heads: what stands in a line before its document. */

/** What a line says of its document. */
export interface Head {
  readonly kind: string
  readonly id: string
  /** 0 for a tombstone. */
  readonly version: number
  /** The version that the commit expected; 0 for a new document. */
  readonly expect: number
  readonly uniqueKeys: readonly UniqueKey[]
  /** Values of the kind's facets, in their order. */
  readonly facets: readonly (string | null)[]
}

/** A line up to its document, as it is written. */
interface LineHead {
  readonly id: string
  readonly v: number
  readonly e: number
  readonly k: string
  readonly c: readonly string[]
  readonly f: readonly (string | null)[]
}

// Quotes within texts are escaped, so that none of these stands within one.
export const lineStart = `{"r":${stateFormat},"id":"`
export const versionMark = '","v":'
export const [expectMark, kindMark, keysMark] = [',"e":', ',"k":', ',"c":']
export const documentMark = ',"doc":'
const startBytes = Buffer.from(lineStart)
const documentBytes = Buffer.from(documentMark)

// A unique key is one string in files; its first character is the mode.
export const uniqueKeyText = ({key, shared}: UniqueKey): string => (shared ? '~' : '=') + key
const uniqueKeyOf = (text: string): UniqueKey =>
  text.startsWith('~') ? {key: text.slice(1), shared: true} : {key: text.slice(1)}

export function headIn(json: string): Head {
  const {id, v, e, k, c, f} = JSON.parse(json) as LineHead
  return {kind: k, id, version: v, expect: e, uniqueKeys: c.map(uniqueKeyOf), facets: f}
}

const isDocumentLine = (bytes: Buffer, start: number): boolean =>
  bytes.compare(startBytes, 0, startBytes.length, start, start + startBytes.length) === 0

/** Undefined for a line that is no document's. Throws StateVersion for one of a newer release. */
export function refused(bytes: Buffer, start: number, end: number): undefined {
  assertKnownFormat((JSON.parse(bytes.toString('utf8', start, end)) as {readonly r?: unknown}).r, 'A record')
}

/** Which version of which document a line has, and where its head ends. */
export interface LineName extends Pick<Head, 'kind' | 'id' | 'version'> {
  readonly headEnd: number
}

/** Most heads are shorter, and so is what stands before the end of most ids. */
const [headBytes, idBytes] = [512, 96]
/** What a text in JSON has that is not itself, as bytes. */
export const encoded = /[\\\x80-\xff]/

/** The name of a line, mostly without its head; undefined for the line of no document. Throws StateVersion. */
export function nameOfLine(bytes: Buffer, start: number, end: number): LineName | undefined {
  const text = bytes.toString('latin1', start, Math.min(end, start + headBytes))
  const idEnd = text.indexOf(versionMark)
  const kindAt = text.indexOf(kindMark, idEnd)
  const kindEnd = text.indexOf(keysMark, kindAt)
  const headEnd = text.indexOf(documentMark, kindEnd)
  const isShort = text.startsWith(lineStart) && idEnd > 0 && kindAt > 0 && kindEnd > 0 && headEnd > 0
  if (!isShort || encoded.test(text.slice(0, kindEnd))) return longNameOf(bytes, start, end)
  return {
    kind: text.slice(kindAt + kindMark.length + 1, kindEnd - 1),
    // A text of its own: a slice would keep the rest.
    id: bytes.toString('latin1', start + lineStart.length, start + idEnd),
    version: Number.parseInt(text.slice(idEnd + versionMark.length, kindAt), 10),
    headEnd: start + headEnd,
  }
}

function longNameOf(bytes: Buffer, start: number, end: number): LineName | undefined {
  const headEnd = bytes.indexOf(documentBytes, start)
  if (headEnd < 0 || headEnd >= end || !isDocumentLine(bytes, start)) return refused(bytes, start, end)
  const {kind, id, version} = headOfLine(bytes, start, headEnd)
  return {kind, id, version, headEnd}
}

/** The head of a line that ends there. */
export const headOfLine = (bytes: Buffer, start: number, headEnd: number): Head =>
  headIn(`${bytes.toString('utf8', start, headEnd)}}`)

/** The id of a line, and whether it is a tombstone, without an entry; undefined for the line of no document. */
export function idOfLine(bytes: Buffer, start: number, end: number): {id: string; isTombstone: boolean} | undefined {
  let text = bytes.toString('latin1', start, Math.min(end, start + idBytes))
  // Behind a long id stands what tells where it ends.
  if (!text.includes(versionMark) || text.endsWith(versionMark)) text = bytes.toString('latin1', start, end)
  const idEnd = text.indexOf(versionMark)
  if (idEnd < 0 || !text.startsWith(lineStart)) return undefined
  const id = text.slice(lineStart.length, idEnd)
  return {id: encoded.test(id) ? decoded(id) : id, isTombstone: text[idEnd + versionMark.length] === '0'}
}

/** A text of JSON, a character for each byte, without its quotes. */
const decoded = (bytes: string): string => JSON.parse(JsonText.ofBytes(`"${bytes}"`).text) as string
