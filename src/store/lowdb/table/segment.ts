import {join} from 'node:path'
import type {StateError} from '../../../domain/errors.js'
import type {Facets} from '../../store.js'
import {corrupt} from '../file/failures.js'
import {type Files, readAll, readingAt} from '../file/files.js'
import {indexName, type SegmentFile} from '../file/manifest.js'
import {ifThere, openPrivate} from '../file/private.js'
import {Entry} from '../line/entry.js'
import {facetSignature, facetsOf} from '../line/facets.js'
import type {Literals} from '../line/literals.js'
import type {Cache} from './cache.js'
import {type IndexMaker, IndexRemaking, isMadeAtOnce} from './index-remaking.js'
import {madeIndex} from './index-writer.js'
import {facetTag, idTag, newSeed, uniqueKeyTag} from './key-hash.js'
import {type FacetLookUp, type Layer, nothingFound} from './layer.js'
import {OpenFiles} from './open-files.js'
import type {PageBudget, ReadAt} from './pages.js'
import {inMemory, SegmentIndex} from './segment-index.js'
import {SegmentScans} from './segment-scans.js'
import {SegmentTexts, textsName} from './segment-texts.js'
import {SideFile} from './side-file.js'
import type {TextMaker} from './text-column.js'

export interface LoadOptions {
  readonly files: Files
  readonly facets: Facets
  readonly cache: Cache<Entry>
  /** Of the pages of indexes; absent: all stay. */
  readonly pageBudget?: PageBudget
  /** Whether this process may write a missing index. */
  readonly writes: () => boolean
  readonly makeTexts: TextMaker
  /** Absent in a command, which makes indexes itself. */
  readonly makeIndex?: IndexMaker | undefined
}

/** Matches of one value that are cached, of a segment too large for the cache. */
const keptMatches = 1000

/** Scans of larger segments do not fill the cache, which would lose everything else. */
const cachedScanBytes = 64 << 20

let segments = 0
const none: readonly never[] = []

/** A sorted immutable segment: a file of documents ascending by id, whose lines are read on demand. */
export class Segment implements Layer {
  readonly file: SegmentFile
  readonly path: string
  /** Whether its lines have the facets of this release. */
  readonly hasFacets: boolean
  /** Whether scans fill the cache. */
  readonly cachesScans: boolean
  /** Of the lines, then of the index. */
  readonly handles: OpenFiles
  readonly index: SegmentIndex
  readonly texts: SegmentTexts
  readonly #files: Files
  readonly #cache: Cache<Entry>
  readonly #writes: () => boolean
  readonly #number = segments++
  readonly #scans: SegmentScans
  readonly #indexFile: SideFile

  /** `readIndex` reads the index, if it is there. */
  constructor(
    directory: string,
    file: SegmentFile,
    options: LoadOptions,
    fds: number[],
    readIndex: ReadAt | undefined,
  ) {
    const {files, facets, pageBudget: budget} = options
    // Reads go through these, not through the options, whose hidden class is another one after each merge.
    this.#files = files
    this.#cache = options.cache
    this.#writes = options.writes
    this.file = file
    this.path = join(directory, file.file)
    const besides = (name: string) => new SideFile(join(directory, name), files, () => this.#mayWrite())
    this.#indexFile = besides(indexName(file.file))
    this.handles = new OpenFiles(files, fds)
    this.hasFacets = file.facets === facetSignature(facetsOf(facets, file.kind))
    this.cachesScans = file.bytes <= cachedScanBytes
    const remaking = new IndexRemaking({
      ...{file, path: this.path, make: options.makeIndex, makeHere: (seed) => this.#madeIndex(seed)},
      made: (content) => this.keepIndex(content),
    })
    const mended = (seed: number) => remaking.content(seed)
    const opened = (read: ReadAt) => SegmentIndex.open(read, this.#indexFile.path, file, {budget, mended})
    const index = (readIndex && opened(readIndex)) ?? opened(inMemory(this.#madeIndex(newSeed())))
    if (!index) throw corrupt(`No index can be made for ${this.path}.`, this.path)
    this.index = index
    this.#scans = new SegmentScans(files, this)
    this.texts = new SegmentTexts(this, besides(textsName(file.file)), options)
  }

  /** Makes the index from the lines, which have checksums of their own. Throws StateCorrupt for a damaged line. */
  #madeIndex(seed: number): Buffer {
    const {file, path, handles} = this
    const content = madeIndex(this.#files, {file, path, fd: handles.first}, seed)
    this.keepIndex(content)
    return content
  }

  /** Writes an index that was made from the lines, now or when this process may write. */
  keepIndex(content: Uint8Array): void {
    this.#indexFile.replace(content)
  }

  /** Writes what was made while this process could not write; resolves when nothing is being written any more. */
  async save(): Promise<void> {
    await this.#indexFile.save()
    await this.texts.save()
  }

  get(id: string): Entry | undefined {
    for (const slot of this.index.find(idTag, id)) {
      const entry = this.#entry(slot, true)
      if (entry.id === id) return entry
    }
    return undefined
  }

  withUniqueKey(key: string): readonly Entry[] {
    const slots = this.index.find(uniqueKeyTag, key)
    if (slots.length === 0) return none
    return slots
      .map((slot) => this.#entry(slot, true))
      .filter(({uniqueKeys}) => uniqueKeys.some((uniqueKey) => uniqueKey.key === key))
  }

  faceted(facet: number, values: ReadonlySet<string>): FacetLookUp {
    const keys = this.index.keysOf(facetTag(facet), values)
    if (keys.length === 0) return nothingFound
    const count = keys.reduce((sum, {from, to}) => sum + to - from, 0)
    // Of most lines all are read, from one end to the other.
    if (count > this.file.lines / 2) return {count, entries: () => this.#scans.following(undefined)}
    const keep = this.cachesScans || count <= keptMatches
    return {count, entries: () => this.#each(this.index.slotsOf(keys), keep)}
  }

  *#each(slots: Iterable<number | undefined>, keep: boolean): Generator<Entry | undefined> {
    const unpin = this.handles.pin()
    try {
      for (const slot of slots) yield slot === undefined ? undefined : this.#entry(slot, keep)
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

  /** Never once it was replaced, by what may have erased somebody. */
  #mayWrite(): boolean {
    return this.#writes() && !this.handles.isRetired
  }

  at(slot: number): Entry {
    return this.#entry(slot, true)
  }

  search(...asked: Parameters<SegmentTexts['search']>): ReturnType<SegmentTexts['search']> {
    return this.texts.search(...asked)
  }

  /** Resolves when nothing is being written any more; closes the files as `retire`. */
  async close(): Promise<void> {
    this.texts.close()
    await this.save()
    this.retire()
  }

  /** Closes the files once the last scan over them has ended. */
  retire(): void {
    this.texts.close()
    this.handles.retire()
  }

  get onlyAdds(): boolean {
    return this.file.countDelta === this.file.lines
  }

  readonly damagedAt = (position: number): StateError =>
    corrupt(`${this.path} is damaged at byte ${position}.`, this.path)

  readonly #key = (slot: number): number => this.#number * 2 ** 32 + slot

  #entry(slot: number, keep: boolean): Entry {
    const cached = this.cached(slot)
    if (cached) return cached
    const start = this.index.offset(slot)
    const length = this.index.offset(slot + 1) - start - 1
    const line = readAll(this.#files, this.handles.first, start, length)
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

/** Opens a segment of the manifest with its index, which is made again if it is missing or does not match. */
export async function openSegment(directory: string, file: SegmentFile, options: LoadOptions): Promise<Segment> {
  const {files} = options
  const path = join(directory, file.file)
  const {fd, size} = await openPrivate(files, path, 'read')
  const fds = [fd]
  try {
    if (size !== file.bytes) throw corrupt(`${path} has ${size} bytes instead of ${file.bytes}.`, path)
    const index = await ifThere(openPrivate(files, join(directory, indexName(file.file)), 'read'))
    if (index) fds.push(index.fd)
    const read = index && readingAt(files, index.fd)
    const {makeIndex} = options
    if (!makeIndex || isMadeAtOnce(file) || (read && SegmentIndex.open(read, path, file))) {
      return new Segment(directory, file, options, fds, read)
    }
    const made = Buffer.from(await makeIndex({file, path, seed: newSeed()}))
    const segment = new Segment(directory, file, options, fds, inMemory(made))
    segment.keepIndex(made)
    return segment
  } catch (error) {
    for (const open of fds) await files.close(open)
    throw error
  }
}
