import type {Yield} from '../../../time-slices.js'
import {satisfies} from '../../adapter/ranking.js'
import type {Candidate, Contains} from '../../searchable.js'
import type {Document} from '../../store.js'
import type {Visit} from './layer.js'
import {type Place, RecordSearch} from './record-search.js'

/*
 * A search through the texts of a column. They are read as Latin-1, a character for each byte, in chunks: the text of a record
 * is a part of such a string, which is neither decoded nor copied.
 */

/** What marks a text that is more than ASCII, and what ends an id and a record: bytes that UTF-8 has not. */
export const [wideMark, idEnding, ending] = [0xfd, 0xfe, 0xff]

/** Bytes that are read at a time: a larger string gets pages of its own, which are given back at once. */
const chunkBytes = 64 << 10
/** Bytes in which needles are looked for before the first record is visited, those of each needle counted. */
const soughtBytes = 256 << 10
/** Bytes of records between two looks at the clock. */
const stepBytes = 4 << 10

/** Most ids are UUIDs. */
const usualIdLength = 36

const idEndingCharacter = String.fromCharCode(idEnding)
const endingCharacter = String.fromCharCode(ending)

/** Stands before each word. */
const blank = ' '

/** Texts of which every text that has what is asked has one; undefined if there are none. */
function needlesOf(contains: Contains): readonly string[] | undefined {
  if (typeof contains === 'string') return contains === '' ? undefined : [contains]
  const each = ('all' in contains ? contains.all : contains.any).map(needlesOf)
  if ('any' in contains) return each.some((needles) => !needles) ? undefined : each.flatMap((needles) => needles ?? [])
  const least = (needles: readonly string[]): number => Math.min(...needles.map(({length}) => length))
  // The longest ones are likely to be rare.
  return each.filter((needles) => needles !== undefined).sort((a, b) => least(b) - least(a))[0]
}

/** Whether a text that has one of its needles has what is asked. */
const isToldByNeedles = (contains: Contains): boolean =>
  typeof contains === 'string' || ('any' in contains && contains.any.every((one) => typeof one === 'string'))

/** The same condition on texts as they stand in a chunk. One that is more than ASCII is in no text that is ASCII. */
function inChunk(contains: Contains): Contains {
  if (typeof contains === 'string') return Buffer.from(contains).toString('latin1')
  return 'all' in contains ? {all: contains.all.map(inChunk)} : {any: contains.any.map(inChunk)}
}

export interface DocumentSource {
  get(id: string): {readonly doc: Document} | undefined
}

export class TextSearch {
  readonly texts: Buffer
  readonly source: DocumentSource
  /** What is asked, and the needles of it, as they stand in a chunk. */
  readonly #contains: Contains
  readonly #needles: readonly string[]
  /** Which needle a text is, for the expressions, of which each asks for its own. */
  readonly #numbers: ReadonlyMap<string, number>
  readonly #isTold: boolean
  readonly #search: RecordSearch<string>
  /** The chunk at hand, where it begins in the texts, and what looks through it. */
  #chunk = ''
  #from = 0

  constructor(texts: Buffer, source: DocumentSource, contains: Contains) {
    this.texts = texts
    this.source = source
    this.#contains = inChunk(contains)
    this.#needles = needlesOf(this.#contains) ?? []
    this.#numbers = new Map(this.#needles.map((needle, at) => [needle, at]))
    this.#isTold = this.#needles.length > 0 && isToldByNeedles(contains)
    const areWords = this.#needles.every((needle) => needle.length > 1 && needle.startsWith(blank))
    this.#search = areWords
      ? new RecordSearch(
          this.#needles.map((needle) => needle.slice(1)),
          endingCharacter,
          blank,
        )
      : new RecordSearch(this.#needles, endingCharacter)
  }

  /** Visits the records that have what is asked, in their order; `yields` is called before each chunk, and within it. */
  async run(visit: Visit, yields: Yield): Promise<void> {
    for (let from = 0; from < this.texts.length; from += this.#chunk.length) {
      const begin = yields()
      if (begin) await begin
      this.#read(from)
      let looked = 0
      for (let found = this.#search.next(0); found; found = this.#search.next(found.end + 1)) {
        const record = this.#record(found)
        if (record) visit(record)
        // How large a document is that was read is not known here.
        looked += record?.hasRead ? stepBytes : found.end - found.start
        if (looked < stepBytes) continue
        looked = 0
        const pause = yields()
        if (pause) await pause
      }
    }
  }

  #read(from: number): void {
    const step = Math.min(chunkBytes, Math.ceil(soughtBytes / Math.max(this.#needles.length, 1)))
    this.#from = from
    this.#chunk = this.texts.toString('latin1', from, this.texts.indexOf(ending, from + step) + 1 || this.texts.length)
    this.#search.begin(this.#chunk)
  }

  /** The record at a place of the chunk, if it has what is asked. */
  #record({start, end, at}: Place): TextRecord | undefined {
    const chunk = this.#chunk
    const usual = start + usualIdLength
    const isUsual = usual < end && chunk.charCodeAt(usual) === idEnding
    const idEnd = isUsual ? usual : chunk.indexOf(idEndingCharacter, start)
    // The id was searched too.
    const isFound = this.#isTold && at > idEnd
    if (!isFound && !satisfies(chunk.slice(idEnd + 1, end), this.#contains)) return undefined
    const isWide = chunk.charCodeAt(idEnd + 1) === wideMark
    const text = isWide
      ? this.texts.toString('utf8', this.#from + idEnd + 2, this.#from + end)
      : chunk.slice(idEnd + 1, end)
    return new TextRecord(this, text, this.#from + start, this.#from + idEnd)
  }

  /** Where a needle stands in the text of the record at hand, unless the text is another than that of the chunk. */
  placesOf(needle: string, idEnd: number, characters: number): readonly number[] | undefined {
    const number = needle === this.#needles[0] ? 0 : this.#numbers.get(needle)
    const from = idEnd + 1 - this.#from
    if (number === undefined || this.#chunk.charCodeAt(from) === wideMark) return undefined
    return this.#search.placesOf(number, from, from + characters)
  }
}

/** A record as a candidate of a search, of which only what is asked is made. It can be read until the next one is visited. */
class TextRecord implements Candidate {
  readonly #search: TextSearch
  readonly #text: string
  /** Where the id stands in the texts. */
  readonly #start: number
  readonly #idEnd: number
  #id: string | undefined
  #document: Document | undefined
  /** Whether its document was read, which may have taken long. */
  hasRead = false

  constructor(search: TextSearch, text: string, start: number, idEnd: number) {
    this.#search = search
    this.#text = text
    this.#start = start
    this.#idEnd = idEnd
  }

  /** Made of the bytes: a part of the chunk would keep all of it, as long as a page of results is kept. */
  get id(): string {
    this.#id ??= this.#search.texts.toString('utf8', this.#start, this.#idEnd)
    return this.#id
  }

  text(): string {
    return this.#text
  }

  placesOf(needle: string): readonly number[] | undefined {
    return this.#search.placesOf(needle, this.#idEnd, this.#text.length)
  }

  document(): Document | undefined {
    if (!this.hasRead) this.#document = this.#search.source.get(this.id)?.doc
    this.hasRead = true
    return this.#document
  }
}
