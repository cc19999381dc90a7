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

/** Bytes that a text takes in memory beside its characters. */
const bytesBeside = 150

/**
 * The search texts of a collection. A server keeps them in memory from the first search on, as long as there is room for
 * all of them; a command reads the documents.
 */
export class Texts {
  #kept = new Map<string, string>()
  #version: number | undefined
  /** Documents that were changed since their texts were made. */
  readonly #changed = new Set<string>()
  #isWhole = false
  /** Bytes of texts that may still be kept; those of all collections share it. */
  #room: Pick<Documents, 'textRoom'> = {textRoom: 0}

  /** To be called for each change. */
  change(id: string): void {
    if (this.#version !== undefined) this.#changed.add(id)
  }

  /** The texts of all documents, in any order. What is committed meanwhile may or may not appear. */
  *all(collection: Searched, searchText: SearchText): Generator<Found> {
    const textOf = (entry: Entry): string => searchText.textOf(entry.read().parsed)
    for (const id of this.#isWhole && this.#version === searchText.version ? this.#changed : []) {
      this.#changed.delete(id)
      const entry = collection.get(id)
      this.#isWhole = this.#replace(id, entry && textOf(entry))
      if (!this.#isWhole) break
    }
    if (this.#isWhole && this.#version === searchText.version) {
      for (const [id, text] of this.#kept) yield {id, text}
      return
    }
    this.#clear()
    this.#version = searchText.version
    // Of two searches that make them at once the later one's count.
    const mine = this.#kept
    let isWhole = true
    for (const entry of collection.inFileOrder()) {
      if (!entry) continue
      const text = textOf(entry)
      this.#room = entry.file.documents
      if (isWhole && mine === this.#kept) isWhole = this.#replace(entry.id, text)
      yield {id: entry.id, text, entry}
    }
    if (mine === this.#kept) this.#isWhole = isWhole
  }

  /** False if there is no room; then none are kept. */
  #replace(id: string, text: string | undefined): boolean {
    const before = this.#kept.get(id)
    this.#room.textRoom += before === undefined ? 0 : before.length + bytesBeside
    if (text === undefined) {
      this.#kept.delete(id)
      return true
    }
    if (this.#room.textRoom < text.length + bytesBeside) {
      this.#kept.delete(id)
      this.#clear()
      return false
    }
    this.#room.textRoom -= text.length + bytesBeside
    this.#kept.set(id, text)
    return true
  }

  #clear(): void {
    for (const text of this.#kept.values()) this.#room.textRoom += text.length + bytesBeside
    this.#kept = new Map()
    this.#changed.clear()
    this.#isWhole = false
  }
}
