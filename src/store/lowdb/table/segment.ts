import {dirname, join} from 'node:path'
import type {StateError} from '../../../domain/errors.js'
import {corrupt} from '../file/failures.js'
import {type Files, readOver, writeNew} from '../file/files.js'
import {type SegmentFile, textsName} from '../file/manifest.js'
import {Entry} from '../line/entry.js'
import type {Literals} from '../line/literals.js'
import type {Cache} from './cache.js'
import type {Faceted, Layer} from './layer.js'
import {OpenFiles} from './open-files.js'
import {facetTag, idTag, newSeed, type SegmentIndex, uniqueKeyTag} from './segment-index.js'
import {SegmentScans} from './segment-scans.js'
import {SegmentTexts} from './segment-texts.js'

/** Matches of one value that are cached, of a segment too large for the cache. */
const keptMatches = 1000

let segments = 0

/** A sorted immutable segment: a file of documents ascending by id, whose lines are read on demand. */
export class Segment implements Layer {
  readonly file: SegmentFile
  readonly path: string
  readonly indexPath: string
  /** Whether its lines have the facets of this release. */
  readonly hasFacets: boolean
  readonly #files: Files
  /** Of the lines, then of the index. */
  readonly handles: OpenFiles
  readonly #cache: Cache<Entry>
  /** Whether scans fill the cache: only of segments small enough not to evict everything else. */
  readonly cachesScans: boolean
  readonly #number = segments++
  readonly #writes: () => boolean
  #index: SegmentIndex | undefined
  #rebuilding: Promise<void> | undefined
  /** A rebuilt index that could not be written yet. */
  #unsaved: Buffer | undefined
  readonly texts: SegmentTexts
  readonly #scans: SegmentScans

  constructor(
    files: Files,
    segment: {
      file: SegmentFile
      path: string
      indexPath: string
      fds: readonly number[]
      index: SegmentIndex | undefined
    },
    use: {cache: Cache<Entry>; cachesScans: boolean; hasFacets: boolean; writes: () => boolean},
  ) {
    this.#files = files
    this.file = segment.file
    this.path = segment.path
    this.handles = new OpenFiles(files, segment.fds)
    this.indexPath = segment.indexPath
    this.#index = segment.index
    this.#writes = use.writes
    this.hasFacets = use.hasFacets
    this.#cache = use.cache
    this.cachesScans = use.cachesScans
    this.#scans = new SegmentScans(files, this)
    this.texts = new SegmentTexts(this, files, join(dirname(segment.path), textsName(segment.file.file)))
  }

  /** Rebuilds the index from the lines, which have checksums of their own. Throws StateCorrupt for a damaged line. */
  rebuildIndex(): Promise<void> {
    this.#rebuilding ??= this.#rebuildIndex().finally(() => {
      this.#rebuilding = undefined
    })
    return this.#rebuilding
  }

  /** Writes an index that was rebuilt while this process could not write. */
  async saveIndex(): Promise<void> {
    const content = this.#unsaved
    if (!content || !this.#writes()) return
    this.#unsaved = undefined
    try {
      await this.#files.unlink(this.indexPath)
      await writeNew(this.#files, this.indexPath, content)
    } catch {
      // On a full disk the index in memory serves this process; the next one rebuilds it.
    }
  }

  get(id: string): Entry | undefined {
    for (const slot of this.index.find(idTag, id)) {
      const entry = this.#entry(slot, true)
      if (entry.id === id) return entry
    }
    return undefined
  }

  holding(key: string): Entry[] {
    const found: Entry[] = []
    for (const slot of this.index.find(uniqueKeyTag, key)) {
      const entry = this.#entry(slot, true)
      if (entry.uniqueKeys.some((uniqueKey) => uniqueKey.key === key)) found.push(entry)
    }
    return found
  }

  faceted(facet: number): Faceted {
    const values = new Set<string>()
    const slots: number[] = []
    return {
      get count() {
        return slots.length
      },
      add: (value) => {
        values.add(value)
        slots.push(...this.index.find(facetTag(facet), value))
      },
      entries: () =>
        this.#faceted(
          [...new Set(slots)].sort((a, b) => a - b),
          facet,
          values,
        ),
    }
  }

  *#faceted(slots: readonly number[], facet: number, values: ReadonlySet<string>): Generator<Entry> {
    const keep = this.cachesScans || slots.length <= keptMatches
    const unpin = this.handles.pin()
    try {
      for (const slot of slots) {
        const entry = this.#entry(slot, keep)
        if (values.has(entry.facets[facet] ?? '')) yield entry
      }
    } finally {
      unpin()
    }
  }

  following(after: string | undefined): Generator<Entry> {
    return this.#scans.following(after)
  }

  passing(literals: Literals, after: string | undefined): Generator<Entry | undefined> {
    return this.#scans.passing(literals, after)
  }

  mayWrite(): boolean {
    return this.#writes() && !this.handles.isRetired
  }

  at(slot: number): Entry {
    return this.#entry(slot, true)
  }

  search(...asked: Parameters<SegmentTexts['search']>): ReturnType<SegmentTexts['search']> {
    return this.texts.search(...asked)
  }

  /** Closes the files once the last scan over them has ended. */
  retire(): void {
    void this.texts.close()
    this.handles.retire()
  }

  get index(): SegmentIndex {
    if (!this.#index) throw new Error(`${this.path} was opened without an index`)
    return this.#index
  }

  async #rebuildIndex(): Promise<void> {
    const unpin = this.handles.pin()
    try {
      const {madeIndex} = await import('./made-index.js')
      const segment = {file: this.file, path: this.path, fd: this.handles.first}
      const made = await madeIndex(this.#files, segment, this.#index?.seed ?? newSeed())
      this.#index = made.index
      this.#unsaved = made.content
      await this.saveIndex()
    } finally {
      unpin()
    }
  }

  readonly damagedAt = (position: number): StateError =>
    corrupt(`${this.path} is damaged at byte ${position}.`, this.path)

  readonly #key = (slot: number): number => this.#number * 2 ** 32 + slot

  #entry(slot: number, keep: boolean): Entry {
    const cached = this.cached(slot)
    if (cached) return cached
    const start = this.index.offset(slot)
    const length = this.index.offset(slot + 1) - start - 1
    const line = readOver(this.#files, this.handles.first, start, length)
    return this.kept(slot, line, 0, line.length, keep)
  }

  cached(slot: number): Entry | undefined {
    return this.#cache.get(this.#key(slot))
  }

  /** The entry of a line that was read. Throws StateCorrupt. */
  kept(slot: number, bytes: Buffer, start: number, end: number, keep: boolean): Entry {
    const entry = Entry.ofLine(bytes, start, end)
    if (!entry) throw this.damagedAt(this.index.offset(slot))
    // The document is kept parsed and as text.
    if (keep) this.#cache.set(this.#key(slot), entry, 2 * (end - start))
    return entry
  }
}
