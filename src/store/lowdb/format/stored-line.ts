import {JsonText, withJsonText} from '../../../domain/json-text.js'
import {frozen} from '../../adapter/frozen.js'
import type {Document, UniqueKey} from '../../store.js'
import {type Entry, LazyEntry} from './entry.js'
import {hasValidChecksum, parsedSegmentLine, segmentLineStart, suffixLength, uniqueKeyOf} from './record.js'

// Quotes within texts are escaped, so that none of these stands within one.
const lineStart = segmentLineStart.toString()
const [versionMark, keysMark, facetsMark, documentMark] = ['","v":', ',"c":', ',"f":', ',"doc":']

/** The entry of a line of a segment without its line feed; undefined if the checksum does not match. */
export function entryOfLine(bytes: Buffer, start: number, end: number): Entry | undefined {
  return hasValidChecksum(bytes, start, end) ? verifiedLine(bytes, start, end) : undefined
}

/** The same where the checksum was compared before. */
export const verifiedLine = (bytes: Buffer, start: number, end: number): Entry | undefined =>
  StoredLine.of(bytes.toString('latin1', start, end)) ?? parsedEntry(bytes.subarray(start, end))

/** Of a line that an earlier release wrote. Its body is copied: what lies there may be read over. */
function parsedEntry(line: Buffer): Entry | undefined {
  const parsed = parsedSegmentLine(line)
  return parsed && new LazyEntry(parsed.head, parsed.body && JsonText.from(parsed.body))
}

/**
 * A line of a segment as text with a character for each byte. At first only its parts are told from each other: replies
 * show one of them as it is, and what else somebody asks for is parsed then.
 */
class StoredLine implements Entry {
  readonly version: number
  readonly #line: string
  readonly #idEnd: number
  readonly #documentAt: number
  #id: string | undefined
  #uniqueKeys: readonly UniqueKey[] | undefined
  #facets: readonly (string | null)[] | undefined
  #text: JsonText | undefined
  #looked: Document | undefined
  #doc: Document | undefined

  private constructor(line: string, idEnd: number, documentAt: number) {
    this.#line = line
    this.#idEnd = idEnd
    this.#documentAt = documentAt + documentMark.length
    this.version = Number.parseInt(line.slice(idEnd + versionMark.length, idEnd + versionMark.length + 16), 10)
  }

  /** Undefined for what is not written as this release does. */
  static of(line: string): StoredLine | undefined {
    if (!line.startsWith(lineStart)) return undefined
    const idEnd = line.indexOf('"', lineStart.length)
    return line.startsWith(versionMark, idEnd)
      ? new StoredLine(line, idEnd, line.indexOf(documentMark, idEnd))
      : undefined
  }

  get id(): string {
    this.#id ??= this.#readId()
    return this.#id
  }

  get uniqueKeys(): readonly UniqueKey[] {
    this.#uniqueKeys ??= (this.#part(keysMark, facetsMark) as string[]).map(uniqueKeyOf)
    return this.#uniqueKeys
  }

  get facets(): readonly (string | null)[] {
    this.#facets ??= this.#part(facetsMark, documentMark) as (string | null)[]
    return this.#facets
  }

  get bytes(): number {
    return this.#line.length
  }

  get doc(): Document {
    this.#doc ??= withJsonText(frozen(this.look()), this.text())
    return this.#doc
  }

  look(): Document {
    this.#looked ??= JSON.parse(this.text().text) as Document
    return this.#looked
  }

  text(): JsonText {
    this.#text ??= JsonText.ofBytes(this.#line.slice(this.#documentAt, -suffixLength))
    return this.#text
  }

  body(): JsonText | undefined {
    return this.version === 0 ? undefined : this.text()
  }

  json(): string | undefined {
    return this.body()?.text
  }

  #readId(): string {
    const id = this.#line.slice(lineStart.length, this.#idEnd)
    return isPlain.test(id) ? id : (parsed(`"${id}"`) as string)
  }

  #part(mark: string, endMark: string): unknown {
    const start = this.#line.indexOf(mark, this.#idEnd) + mark.length
    return parsed(this.#line.slice(start, this.#line.indexOf(endMark, start)))
  }
}

/** Without escapes, and of ASCII alone. */
const isPlain = /^[ !#-[\]-~]*$/

const parsed = (bytes: string): unknown => JSON.parse(JsonText.ofBytes(bytes).text)
