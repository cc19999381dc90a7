import {JsonText, withJsonText} from '../../../domain/json-text.js'
import {frozen} from '../../adapter/frozen.js'
import type {Document, UniqueKey} from '../../store.js'
import {hasValidChecksum, stateFormat, suffixLength, type WrittenRecord} from '../file/checksum.js'
import {
  documentMark,
  expectMark,
  type Head,
  headIn,
  keysMark,
  kindMark,
  lineStart,
  refused,
  uniqueKeyText,
  versionMark,
} from './head.js'

/**
 * A document in a layer, or the tombstone of a removed one, as its line of a journal or a segment:
 * `{"r":format,"id":…,"v":version,"e":expected,"k":kind,"c":keys,"f":facets,"doc":document|null,"x":checksum}`.
 * The parts of the line are parsed when they are asked for: replies show the document as it is.
 */
export class Entry implements Head, WrittenRecord {
  readonly version: number
  readonly line: string
  checksum: number | undefined
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
    this.checksum = undefined
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

const parsed = (bytes: string): unknown => JSON.parse(JsonText.ofBytes(bytes).text)
