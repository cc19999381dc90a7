import {corrupt} from '../file/failures.js'
import type {BlockingFiles, Files} from '../file/files.js'
import {LineReader} from '../file/lines.js'
import type {SegmentFile} from '../file/manifest.js'
import {Entry} from '../line/entry.js'
import type {Head} from '../line/head.js'
import {AddedKeys, KeyMerge, type KeyRun} from './index-keys.js'
import type {IndexJob} from './index-remaking.js'
import {facetTag, idTag, keyHash, uniqueKeyTag} from './key-hash.js'
import {PageSums} from './pages.js'
import {headerBytes, headerSum, indexFormat, magic} from './segment-index.js'

const chunkBytes = 1 << 17
/** Words of keys that are written at once. */
const stepWords = 8192

/** Takes the bytes of an index, in pieces, of which the header is the last. The piece is written over afterwards. */
export type IndexSink = (bytes: Uint8Array, position: number) => void

/** Writes the index of a segment beside its lines: offsets as they come, and then the keys, in pieces of constant size. */
export class IndexWriter {
  readonly #sink: IndexSink
  readonly #seed: number
  readonly #added = new AddedKeys()
  readonly #sums = new PageSums()
  readonly #chunk = Buffer.allocUnsafeSlow(chunkBytes)
  #filled = 0
  #position = headerBytes
  #slots = 0

  constructor(sink: IndexSink, seed: number) {
    this.#sink = sink
    this.#seed = seed
  }

  /** Number of the lines, which is the slot of the next one. */
  get slots(): number {
    return this.#slots
  }

  line(offset: number): number {
    this.#offset(offset)
    this.#slots += 1
    return this.#slots - 1
  }

  /** Adds the keys of the line that was added last: its id, unique keys and facets. */
  keys({id, uniqueKeys, facets}: Head): void {
    this.#key(idTag, id)
    for (const {key} of uniqueKeys) this.#key(uniqueKeyTag, key)
    for (let at = 0; at < facets.length; at += 1) {
      const value = facets[at]
      if (value !== null && value !== undefined) this.#key(facetTag(at), value)
    }
  }

  /** Writes the keys, those of other indexes too, and ends the index. */
  finish(segment: {readonly bytes: number; readonly crc32: number}, carried: readonly KeyRun[]): void {
    this.#offset(segment.bytes)
    const merge = new KeyMerge([...carried, this.#added.run()])
    const block = new Uint32Array(stepWords)
    let words = 0
    for (let taken = merge.take(block); taken > 0; taken = merge.take(block)) {
      words += taken
      this.#write(Buffer.from(block.buffer, 0, taken * 4))
    }
    this.#flush()
    const sums = this.#sums.finish()
    this.#sink(sums, this.#position)
    this.#sink(this.#header(segment, words / 2, sums), 0)
  }

  #key(tag: number, text: string): void {
    this.#added.add(keyHash(tag, text, this.#seed), this.#slots - 1)
  }

  #offset(offset: number): void {
    if (this.#filled === chunkBytes) this.#flush()
    this.#filled = this.#chunk.writeDoubleLE(offset, this.#filled)
  }

  #write(bytes: Buffer): void {
    if (this.#filled + bytes.length > chunkBytes) this.#flush()
    this.#filled += bytes.copy(this.#chunk, this.#filled)
  }

  #flush(): void {
    const bytes = this.#chunk.subarray(0, this.#filled)
    this.#sums.add(bytes)
    this.#sink(bytes, this.#position)
    this.#position += bytes.length
    this.#filled = 0
  }

  #header(segment: {readonly bytes: number; readonly crc32: number}, keys: number, sums: Buffer): Buffer {
    const header = Buffer.alloc(headerBytes)
    const fields = [magic, indexFormat, this.#slots, keys, this.#seed, segment.crc32]
    for (const [at, field] of fields.entries()) header.writeUInt32LE(field, at * 4)
    header.writeDoubleLE(segment.bytes, 32)
    header.writeUInt32LE(headerSum(header, sums), 24)
    return header
  }
}

/** The index of a segment that is not open. Throws StateCorrupt for a damaged one. */
export function indexOf(files: BlockingFiles, {file, path, seed}: IndexJob): Buffer {
  const fd = files.open(path, 'read')
  try {
    return madeIndex(files, {file, path, fd}, seed)
  } finally {
    files.close(fd)
  }
}

/** The index of a segment, made from its lines. Throws StateCorrupt for a damaged one. */
export function madeIndex(
  files: Pick<Files, 'read'>,
  segment: {readonly file: SegmentFile; readonly path: string; readonly fd: number},
  seed: number,
): Buffer {
  const pieces: Buffer[] = []
  const writer = new IndexWriter((bytes, position) => {
    if (position === 0) pieces.unshift(Buffer.from(bytes))
    else pieces.push(Buffer.from(bytes))
  }, seed)
  const reader = new LineReader(files, segment.fd, segment.file.bytes)
  while (reader.next()) {
    const entry = Entry.ofLine(reader.chunk, reader.start, reader.end)
    if (!entry) throw corrupt(`${segment.path} is damaged at byte ${reader.position}.`, segment.path)
    writer.line(reader.position)
    writer.keys(entry)
  }
  writer.finish(segment.file, [])
  return Buffer.concat(pieces)
}
