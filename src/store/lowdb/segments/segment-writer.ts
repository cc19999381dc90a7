import {join} from 'node:path'
import {JsonText} from '../../../domain/json-text.js'
import type {Yield} from '../../../time-slices.js'
import type {Entry} from '../format/entry.js'
import {type FacetFunctions, facetSignature} from '../format/facets.js'
import {type Files, writeAll} from '../format/files.js'
import {indexName, type SegmentFile} from '../format/manifest.js'
import {checksumOf, type SegmentHead, segmentLineHead, suffixLength, writeSuffix} from '../format/record.js'
import {IndexWriter} from './index-writer.js'
import {LineMerge, type LineSource, type LineWriter} from './line-source.js'

const chunkBytes = 1 << 20
/** The last line before a flush passes it. */
const chunkSize = chunkBytes + (chunkBytes >> 2)
/** The chunk of the last segment, for the next one: most are small, and begin right after each other. */
const spare: Buffer[] = []
const lineFeed = 10
/** Lines between two looks at the clock. */
const stepSize = 8

export interface NewSegment {
  readonly kind: string
  readonly file: string
  readonly facets: FacetFunctions
  /** Whether older segments remain below, so that tombstones must be kept. */
  readonly aboveOthers: boolean
  /** The change that its sources make to the number of documents. */
  readonly grown: number
  /** The seed of its index. */
  readonly seed: number
}

/**
 * Merges sources, newest first, to a segment and its index; both are durable once it resolves. Undefined for no lines.
 * `created` collects the paths of created files, also on failure.
 */
export async function writeSegment(
  files: Files,
  directory: string,
  sources: readonly LineSource[],
  segment: NewSegment,
  {yields, created}: {readonly yields: Yield; readonly created: string[]},
): Promise<SegmentFile | undefined> {
  const writer = new SegmentWriter(files, directory, segment)
  try {
    await writer.open(created)
    const lines = new LineMerge(sources)
    while (writeStep(lines, writer, segment.aboveOthers)) {
      if (writer.isFull) await writer.flush()
      const pause = yields()
      if (pause) await pause
    }
    return await writer.finish(sources, yields)
  } finally {
    await writer.close()
  }
}

/** Writes some lines; false at the end. */
function writeStep(lines: LineMerge, writer: SegmentWriter, keepsTombstones: boolean): boolean {
  for (let step = 0; step < stepSize && !writer.isFull; step += 1) {
    const source = lines.next()
    if (!source) return false
    if (keepsTombstones || !source.isTombstone) source.write(writer)
  }
  return true
}

/** The files of a new segment. */
class SegmentWriter implements LineWriter {
  readonly #files: Files
  readonly #paths: {readonly lines: string; readonly index: string}
  readonly #segment: NewSegment
  readonly #index: IndexWriter
  #fd = -1
  #indexFd = -1
  #chunk = spare.pop() ?? Buffer.allocUnsafeSlow(chunkSize)
  #filled = 0
  #bytes = 0
  #crc32 = 0

  constructor(files: Files, directory: string, segment: NewSegment) {
    this.#files = files
    this.#segment = segment
    this.#paths = {lines: join(directory, segment.file), index: join(directory, indexName(segment.file))}
    this.#index = new IndexWriter((bytes, position) => writeAll(files, this.#indexFd, bytes, position), segment.seed)
  }

  async open(created: string[]): Promise<void> {
    this.#fd = await this.#files.open(this.#paths.lines, 'create')
    created.push(this.#paths.lines)
    this.#indexFd = await this.#files.open(this.#paths.index, 'create')
    created.push(this.#paths.index)
  }

  /** Whether it must be flushed before the next line. */
  get isFull(): boolean {
    return this.#filled >= chunkBytes || this.#index.isFull
  }

  copy(bytes: Buffer, start: number, end: number, head?: SegmentHead): number {
    this.#reserve(end - start)
    this.#index.line(this.#bytes + this.#filled)
    if (head) this.#index.keys(head.id, head.uniqueKeys, head.facets)
    bytes.copy(this.#chunk, this.#filled, start, end)
    this.#filled += end - start
    return this.#index.slots - 1
  }

  entry(entry: Entry, facets: readonly (string | null)[]): void {
    const head = segmentLineHead(entry, facets)
    const body = entry.body() ?? 'null'
    // A UTF-16 unit takes three bytes of UTF-8 at the most.
    this.#reserve((head.length + (body instanceof JsonText ? body.bytes : body).length) * 3 + suffixLength + 1)
    this.#index.line(this.#bytes + this.#filled)
    this.#index.keys(entry.id, entry.uniqueKeys, facets)
    const start = this.#filled
    const chunk = this.#chunk
    let at = start + chunk.write(head, start)
    if (body instanceof JsonText) at += chunk.write(body.bytes, at, 'latin1')
    else at += typeof body === 'string' ? chunk.write(body, at) : body.copy(chunk, at)
    at = writeSuffix(chunk, at, checksumOf(chunk.subarray(start, at)))
    chunk[at] = lineFeed
    this.#filled = at + 1
  }

  /** Ends both files, or removes them if there are no lines. */
  async finish(sources: readonly LineSource[], yields: Yield): Promise<SegmentFile | undefined> {
    await this.flush()
    const lines = this.#index.slots
    if (lines === 0) {
      await this.#files.unlink(this.#paths.lines)
      await this.#files.unlink(this.#paths.index)
      return undefined
    }
    const {kind, file, grown, facets} = this.#segment
    const [bytes, crc32] = [this.#bytes, this.#crc32]
    const carried = sources.flatMap((source) => source.carriedKeys() ?? [])
    await this.#index.finish({bytes, crc32}, carried, yields)
    await this.#files.sync(this.#fd)
    await this.#files.sync(this.#indexFd)
    return {kind, file, bytes, lines, grown, crc32, facets: facetSignature(facets)}
  }

  async close(): Promise<void> {
    for (const fd of [this.#fd, this.#indexFd]) if (fd >= 0) await this.#files.close(fd)
    if (spare.length === 0 && this.#chunk.length === chunkSize) spare.push(this.#chunk)
  }

  async flush(): Promise<void> {
    const chunk = this.#chunk.subarray(0, this.#filled)
    await writeAll(this.#files, this.#fd, chunk, this.#bytes)
    this.#crc32 = checksumOf(chunk, this.#crc32)
    this.#bytes += chunk.length
    this.#filled = 0
    await this.#index.flush()
  }

  #reserve(length: number): void {
    if (this.#filled + length <= this.#chunk.length) return
    const wider = Buffer.allocUnsafeSlow(this.#filled + length + chunkBytes)
    this.#chunk.copy(wider, 0, 0, this.#filled)
    this.#chunk = wider
  }
}
