import type {SearchText} from '../../searchable.js'
import type {Documents} from './documents.js'
import type {Entry} from './entry.js'

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
  #documents: Documents | undefined

  /** To be called for each change. */
  change(id: string): void {
    if (this.#version !== undefined) this.#changed.add(id)
  }

  /** The texts of all documents, in any order. What is committed meanwhile may or may not appear. */
  *all(collection: Searched, searchText: SearchText): Generator<Found> {
    if (this.#isCurrent(collection, searchText)) for (const [id, text] of this.#kept) yield {id, text}
    else yield* this.#made(collection, searchText)
  }

  /** Whether the texts of all documents are kept, after those of changed ones were made again. */
  #isCurrent(collection: Searched, searchText: SearchText): boolean {
    if (!this.#isWhole || this.#version !== searchText.version) return false
    for (const id of this.#changed) {
      this.#changed.delete(id)
      this.#forget(id)
      const entry = collection.get(id)
      if (entry && !this.#keep(entry, searchText.textOf(entry.look()))) return false
    }
    return true
  }

  *#made(collection: Searched, searchText: SearchText): Generator<Found> {
    this.#clear()
    this.#version = searchText.version
    let isWhole = true
    // Of two searches that make them at once the later one's count.
    const mine = this.#kept
    for (const entry of collection.inFileOrder()) {
      if (!entry) continue
      const text = searchText.textOf(entry.look())
      if (isWhole && mine === this.#kept) isWhole = this.#keep(entry, text)
      yield {id: entry.id, text, entry}
    }
    if (mine === this.#kept) this.#isWhole = isWhole
  }

  /** False if there is no room; then none are kept. */
  #keep(entry: Entry, text: string): boolean {
    this.#documents = entry.file.documents
    const bytes = text.length + bytesBeside
    if (this.#documents.textRoom < bytes) {
      this.#clear()
      return false
    }
    this.#documents.textRoom -= bytes
    this.#kept.set(entry.id, text)
    return true
  }

  #forget(id: string): void {
    const text = this.#kept.get(id)
    if (text === undefined || !this.#documents) return
    this.#documents.textRoom += text.length + bytesBeside
    this.#kept.delete(id)
  }

  #clear(): void {
    const documents = this.#documents
    if (documents) for (const text of this.#kept.values()) documents.textRoom += text.length + bytesBeside
    this.#kept = new Map()
    this.#changed.clear()
    this.#isWhole = false
  }
}
