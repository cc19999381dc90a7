import type {JsonText} from '../../../domain/json-text.js'
import type {SearchText} from '../../searchable.js'
import type {Documents, Entry} from './documents.js'

interface Searched {
  get(id: string): Entry | undefined
  inFileOrder(): Iterable<Entry | undefined>
}

interface Found {
  readonly id: string
  readonly text: string
  /** The document, where it was read for this. */
  readonly entry?: Entry
}

const bytesBeside = 150

const sizeOf = (text: string | undefined): number => (text === undefined ? 0 : text.length + bytesBeside)

/**
 * The search texts of a collection. A server keeps them in memory from the first search on, as long as there is room for
 * all of them; a command reads the documents.
 */
export class Texts {
  /** Those of all documents. */
  #kept: Map<string, string> | undefined
  /** Documents that were changed since a search began to make them. */
  #changed: Set<string> | undefined
  /** Bytes of texts that may still be kept; those of all collections share it. */
  #room: Pick<Documents, 'textRoom'> = {textRoom: 0}

  change(id: string): void {
    this.#changed?.add(id)
  }

  /**
   * The texts of all documents, in any order; undefined marks a step without one. Where they are not kept, only of those
   * that may match by their JSON. What is committed meanwhile may or may not appear.
   */
  *all(
    collection: Searched,
    searchText: SearchText,
    mayMatch: (json: JsonText) => boolean,
  ): Generator<Found | undefined> {
    const textOf = (entry: Entry): string => searchText.textOf(entry.read().parsed)
    for (const id of this.#changed ?? []) {
      if (!this.#kept) break
      this.#changed?.delete(id)
      const entry = collection.get(id)
      if (!this.#replace(this.#kept, id, entry && textOf(entry))) this.#drop(this.#kept)
    }
    if (this.#kept) {
      for (const [id, text] of this.#kept) yield {id, text}
      return
    }
    this.#changed ??= new Set()
    const [changed, made] = [this.#changed, new Map<string, string>()]
    let [isWhole, isKept] = [true, false]
    try {
      for (const entry of collection.inFileOrder()) {
        if (!entry || !(isWhole || mayMatch(entry.read().text))) {
          yield undefined
          continue
        }
        const text = textOf(entry)
        this.#room = entry.place.file.documents
        isWhole &&= this.#replace(made, entry.id, text)
        yield {id: entry.id, text, entry}
      }
      isKept = isWhole && this.#keep(made, changed)
    } finally {
      if (!isKept) this.#drop(made)
    }
  }

  /** Unless another search has made them meanwhile, or changes were lost to it. */
  #keep(made: Map<string, string>, changed: Set<string>): boolean {
    if (this.#kept || this.#changed !== changed) return false
    this.#kept = made
    return true
  }

  /** False if there is no room. */
  #replace(texts: Map<string, string>, id: string, text: string | undefined): boolean {
    const more = sizeOf(text) - sizeOf(texts.get(id))
    if (more > this.#room.textRoom) return false
    this.#room.textRoom -= more
    if (text === undefined) texts.delete(id)
    else texts.set(id, text)
    return true
  }

  #drop(texts: Map<string, string>): void {
    for (const text of texts.values()) this.#room.textRoom += sizeOf(text)
    if (this.#kept === texts) this.#kept = undefined
    // What others are making is not complete without the changes.
    if (!this.#kept) this.#changed = undefined
  }
}
