import {JsonText, withJsonText} from '../../../domain/json-text.js'
import {frozen} from '../../adapter/frozen.js'
import type {Document, UniqueKey} from '../../store.js'
import {assertKnownFormat, hasValidChecksum, stateFormat, suffixLength} from '../file/checksum.js'

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
const lineStart = `{"r":${stateFormat},"id":"`
const versionMark = '","v":'
const [expectMark, kindMark, keysMark] = [',"e":', ',"k":', ',"c":']
const documentMark = ',"doc":'
const startBytes = Buffer.from(lineStart)
const versionBytes = Buffer.from(versionMark)
const documentBytes = Buffer.from(documentMark)
const [zero, backslash] = [0x30, 0x5c]

// A unique key is one string in files; its first character is the mode.
const uniqueKeyText = ({key, shared}: UniqueKey): string => (shared ? '~' : '=') + key
const uniqueKeyOf = (text: string): UniqueKey =>
  text.startsWith('~') ? {key: text.slice(1), shared: true} : {key: text.slice(1)}

/**
 * A document in a layer, or the tombstone of a removed one, as its line of a journal or a segment:
 * `{"r":format,"id":…,"v":version,"e":expected,"k":kind,"c":keys,"f":facets,"doc":document|null,"x":checksum}`.
 * The parts of the line are parsed when they are asked for: replies show the document as it is.
 */
export class Entry implements Head {
  readonly version: number
  /** A character for each byte, without the checksum. */
  readonly line: string
  readonly #idEnd: number
  readonly #documentAt: number
  #id: string | undefined
  #kind: string | undefined
  #head: Head | undefined
  #text: JsonText | undefined
  #looked: Document | undefined
  #doc: Document | undefined

  private constructor(line: string, idEnd: number, documentAt: number, version: number) {
    this.line = line
    this.#idEnd = idEnd
    this.#documentAt = documentAt
    this.version = version
  }

  /** The entry of a change, with the JSON of its document, undefined for a tombstone, and the document if it is at hand. */
  static of(head: Head, json: JsonText | string | undefined, doc?: Document): Entry {
    const {kind, id, version, expect, uniqueKeys, facets} = head
    const start = `{"r":${stateFormat},"id":${JSON.stringify(id)}`
    const [keys, values] = [JSON.stringify(uniqueKeys.map(uniqueKeyText)), JSON.stringify(facets)]
    const rest = `,"v":${version},"e":${expect},"k":${JSON.stringify(kind)},"c":${keys},"f":${values}${documentMark}`
    const {bytes} = JsonText.of(start + rest)
    const line = lineWith(bytes, bytes.length === start.length + rest.length, json)
    const entry = new Entry(line, bytes.length - rest.length - 1, bytes.length, version)
    entry.#id = id
    entry.#head = head
    entry.#looked = doc
    return entry
  }

  /** The entry of a line without its line feed; undefined if the checksum does not match. Throws StateVersion. */
  static ofLine(bytes: Buffer, start = 0, end = bytes.length): Entry | undefined {
    return hasValidChecksum(bytes, start, end) ? Entry.ofVerified(bytes, start, end) : undefined
  }

  /** The same where the checksum was compared before; undefined for a line of another kind. */
  static ofVerified(bytes: Buffer, start: number, end: number): Entry | undefined {
    const line = bytes.toString('latin1', start, end - suffixLength)
    const idEnd = line.indexOf(versionMark)
    if (idEnd < 0 || !line.startsWith(lineStart)) return refused(bytes, start, end)
    const versionAt = idEnd + versionMark.length
    const documentAt = line.indexOf(documentMark, versionAt) + documentMark.length
    return new Entry(line, idEnd, documentAt, Number.parseInt(line.slice(versionAt, versionAt + 16), 10))
  }

  withFacets(facets: readonly (string | null)[]): Entry {
    return Entry.of({...this.head, facets}, this.version === 0 ? undefined : this.text())
  }

  /** The same document where none of its versions is below. */
  asFirst(): Entry {
    return this.expect === 0 ? this : Entry.of({...this.head, expect: 0}, this.text())
  }

  /** Known without the rest of the head: merges compare ids alone. */
  get id(): string {
    this.#id ??= parsed(this.line.slice(lineStart.length - 1, this.#idEnd + 1)) as string
    return this.#id
  }

  get head(): Head {
    if (this.#head) return this.#head
    this.#head = headIn(JsonText.ofBytes(`${this.line.slice(0, this.#documentAt - documentMark.length)}}`).text)
    return this.#head
  }

  /** Read by itself, as `expect` is: opening a state asks every line for no more. */
  get kind(): string {
    this.#kind ??= this.#head?.kind ?? (parsed(this.#textAfter(kindMark, keysMark)) as string)
    return this.#kind
  }

  get expect(): number {
    return this.#head?.expect ?? Number(this.#textAfter(expectMark, kindMark))
  }

  get uniqueKeys(): readonly UniqueKey[] {
    return this.head.uniqueKeys
  }

  get facets(): readonly (string | null)[] {
    return this.head.facets
  }

  get bytes(): number {
    return this.line.length + suffixLength + 1
  }

  /** By how many the entry changes the number of documents. */
  get countDelta(): number {
    return Number(this.version > 0) - Number(this.expect > 0)
  }

  /** Parsed at first access, and frozen. Not for tombstones. */
  get doc(): Document {
    this.#doc ??= withJsonText(frozen(this.look()), this.text())
    return this.#doc
  }

  /** The document for a look, perhaps not frozen yet. Not for tombstones. */
  look(): Document {
    if (this.#doc) return this.#doc
    this.#looked ??= JSON.parse(this.text().text) as Document
    return this.#looked
  }

  /** What stands between two marks of the head, behind the id. */
  #textAfter(mark: string, next: string): string {
    const start = this.line.indexOf(mark, this.#idEnd) + mark.length
    return this.line.slice(start, this.line.indexOf(next, start))
  }

  get isParsed(): boolean {
    return this.#looked !== undefined
  }

  /** Parsed again where somebody looks. */
  forgetDocument(): void {
    this.#looked = undefined
  }

  /** The JSON of the document. Not for tombstones. */
  text(): JsonText {
    this.#text ??= JsonText.ofBytes(this.line.slice(this.#documentAt))
    return this.#text
  }
}

/** Text is put behind an ASCII head first: then both become one text with one copy. */
function lineWith(head: string, isAscii: boolean, json: JsonText | string | undefined): string {
  if (typeof json !== 'string') return head + (json?.bytes ?? 'null')
  return isAscii ? JsonText.of(head + json).bytes : head + JsonText.of(json).bytes
}

function headIn(json: string): Head {
  const {id, v, e, k, c, f} = JSON.parse(json) as LineHead
  return {kind: k, id, version: v, expect: e, uniqueKeys: c.map(uniqueKeyOf), facets: f}
}

const isDocumentLine = (bytes: Buffer, start: number): boolean =>
  bytes.compare(startBytes, 0, startBytes.length, start, start + startBytes.length) === 0

const parsed = (bytes: string): unknown => JSON.parse(JsonText.ofBytes(bytes).text)

/** Undefined for a line that is no document's. Throws StateVersion for one of a newer release. */
function refused(bytes: Buffer, start: number, end: number): undefined {
  assertKnownFormat((JSON.parse(bytes.toString('utf8', start, end)) as {readonly r?: unknown}).r, 'A record')
}

/** Which version of which document a line has, and where its head ends. */
export interface LineName extends Pick<Head, 'kind' | 'id' | 'version'> {
  readonly headEnd: number
}

/** Most heads are shorter, and so is what stands before the end of most ids. */
const [headBytes, idBytes] = [512, 96]
/** What a text in JSON has that is not itself, as bytes. */
const encoded = /[\\\x80-\xff]/

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
  const text = bytes.toString('latin1', start, Math.min(end, start + idBytes))
  const textEnd = text.indexOf(versionMark)
  const versionAt = textEnd + versionMark.length
  if (textEnd > 0 && versionAt < text.length && text.startsWith(lineStart) && !encoded.test(text)) {
    return {id: text.slice(lineStart.length, textEnd), isTombstone: text[versionAt] === '0'}
  }
  const idEnd = bytes.indexOf(versionBytes, start)
  if (idEnd < 0 || idEnd >= end || !isDocumentLine(bytes, start)) return undefined
  const idStart = start + startBytes.length
  const isEscaped = bytes.subarray(idStart, idEnd).includes(backslash)
  const id = isEscaped
    ? (JSON.parse(bytes.toString('utf8', idStart - 1, idEnd + 1)) as string)
    : bytes.toString('utf8', idStart, idEnd)
  return {id, isTombstone: bytes[idEnd + versionBytes.length] === zero}
}
