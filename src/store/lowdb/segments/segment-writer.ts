import {join} from 'node:path'
import type {Yield} from '../../../time-slices.js'
import {LazyEntry} from '../format/entry.js'
import {type FacetFunctions, facetSignature, facetValues} from '../format/facets.js'
import {type Files, writeAll, writeNew} from '../format/files.js'
import {indexName, type SegmentFile} from '../format/manifest.js'
import {checksumOf, parsedSegmentLine, type SegmentLine, segmentLine} from '../format/record.js'
import {addKeys, IndexBuilder} from './index-builder.js'

const chunkBytes = 1 << 20
const lineFeed = 10

export interface NewSegment {
  readonly kind: string
  readonly file: string
  readonly facets: FacetFunctions
  /** Whether to recompute facets, since a source has those of another release. */
  readonly refacet: boolean
  /** Whether older segments remain below, so that tombstones must be kept. */
  readonly aboveOthers: boolean
  /** The change that its sources make to the number of documents. */
  readonly grown: number
}

/**
 * Writes lines, ascending by id, to a segment and its index; both are durable once it resolves. Undefined for no lines.
 * `created` collects the paths of created files, also on failure.
 */
export async function writeSegment(
  files: Files,
  directory: string,
  lines: Iterable<SegmentLine>,
  segment: NewSegment,
  {yields, created}: {readonly yields: Yield; readonly created: string[]},
): Promise<SegmentFile | undefined> {
  const path = join(directory, segment.file)
  const writer = new SegmentWriter(files, path, segment)
  await writer.open()
  created.push(path)
  try {
    for (const line of lines) {
      if (line.version === 0 && !segment.aboveOthers) continue
      if (writer.add(segment.refacet ? refaceted(line, segment.facets) : line)) await writer.flush()
      const pause = yields()
      if (pause) await pause
    }
    const file = await writer.finish()
    if (!file) return undefined
    const index = join(directory, indexName(segment.file))
    const content = await writer.index.finish(file, yields)
    created.push(index)
    await writeNew(files, index, content)
    return file
  } finally {
    await writer.close()
  }
}

class SegmentWriter {
  readonly index = new IndexBuilder()
  readonly #files: Files
  readonly #path: string
  readonly #segment: NewSegment
  #fd = -1
  #chunk = Buffer.allocUnsafeSlow(chunkBytes + (chunkBytes >> 2))
  #filled = 0
  #bytes = 0
  #count = 0
  #crc32 = 0

  constructor(files: Files, path: string, segment: NewSegment) {
    this.#files = files
    this.#path = path
    this.#segment = segment
  }

  async open(): Promise<void> {
    this.#fd = await this.#files.open(this.#path, 'create')
  }

  /** Adds a line; true if the buffer should be flushed. */
  add(line: SegmentLine): boolean {
    this.index.line(this.#bytes + this.#filled)
    addKeys(this.index, line)
    this.#count += 1
    const length = typeof line.line === 'string' ? Buffer.byteLength(line.line) : line.line.length
    if (this.#filled + length + 1 > this.#chunk.length) this.#grow(length + 1)
    if (typeof line.line === 'string') this.#chunk.write(line.line, this.#filled)
    else line.line.copy(this.#chunk, this.#filled)
    this.#filled += length
    this.#chunk[this.#filled++] = lineFeed
    return this.#filled >= chunkBytes
  }

  async finish(): Promise<SegmentFile | undefined> {
    await this.flush()
    if (this.#count === 0) {
      await this.#files.unlink(this.#path)
      return undefined
    }
    await this.#files.sync(this.#fd)
    const {kind, file, grown, facets} = this.#segment
    const signature = facetSignature(facets)
    return {kind, file, bytes: this.#bytes, lines: this.#count, grown, crc32: this.#crc32, facets: signature}
  }

  async close(): Promise<void> {
    await this.#files.close(this.#fd)
  }

  async flush(): Promise<void> {
    const chunk = this.#chunk.subarray(0, this.#filled)
    await writeAll(this.#files, this.#fd, chunk, this.#bytes)
    this.#crc32 = checksumOf(chunk, this.#crc32)
    this.#bytes += chunk.length
    this.#filled = 0
  }

  #grow(length: number): void {
    const wider = Buffer.allocUnsafeSlow(this.#filled + length + chunkBytes)
    this.#chunk.copy(wider, 0, 0, this.#filled)
    this.#chunk = wider
  }
}

/** The line with the facets of this release. */
function refaceted(line: SegmentLine, functions: FacetFunctions): SegmentLine {
  if (line.version === 0) return line
  const parsed = parsedSegmentLine(Buffer.from(line.line))
  const entry = new LazyEntry(line, parsed?.body)
  return segmentLine(entry, facetValues(functions, entry.doc))
}
