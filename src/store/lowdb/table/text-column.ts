import {isAscii} from '../../../domain/folded-text.js'
import {timeSlices, type Yield} from '../../../time-slices.js'
import type {Contains, SearchText} from '../../searchable.js'
import {checksumOf} from '../file/checksum.js'
import {corrupt} from '../file/failures.js'
import {type Files, readInto} from '../file/files.js'
import {LineReader} from '../file/lines.js'
import type {SegmentFile} from '../file/manifest.js'
import {Entry} from '../line/entry.js'
import type {Visit} from './layer.js'
import {type DocumentSource, ending, idEnding, TextSearch, wideMark} from './text-search.js'

/*
 * The search texts of a segment, so that a search reads through memory instead of documents. Kept beside the segment and
 * made from it again when it is missing, damaged, or of another version:
 *   header   36 bytes, little-endian: magic, format, version of the texts, checksums of the segment and of the texts, bytes
 *            of both
 *   texts    a record for each line: id, 0xFE, 0xFD where the text is more than ASCII, text, 0xFF; bytes that UTF-8 has not
 */
const headerBytes = 36
const magic = 0x54584446
const format = 2

/** How long the making and the reading of texts keep the event loop at a time. */
const sliceMs = 2
/** Bytes that are read or summed between two looks at the clock. */
const pieceBytes = 1 << 20

const headerOf = async (segment: SegmentFile, version: number, texts: Buffer): Promise<Buffer> => {
  const header = Buffer.alloc(headerBytes)
  const fields = [magic, format, version, segment.crc32, await sumInSlices(texts)]
  for (const [at, field] of fields.entries()) header.writeUInt32LE(field, at * 4)
  header.writeDoubleLE(segment.bytes, 20)
  header.writeDoubleLE(texts.length, 28)
  return header
}

/** The checksum of texts, which other work goes on beside. */
async function sumInSlices(texts: Buffer): Promise<number> {
  const yields = timeSlices(sliceMs)
  let sum = checksumOf('')
  for (let at = 0; at < texts.length; at += pieceBytes) {
    sum = checksumOf(texts.subarray(at, at + pieceBytes), sum)
    await yields()
  }
  return sum
}

/** The content of a file, which other work goes on beside; shorter where the file is. */
export async function readInSlices(files: Pick<Files, 'read'>, fd: number, size: number): Promise<Buffer> {
  const yields = timeSlices(sliceMs)
  const content = Buffer.allocUnsafe(size)
  let done = 0
  while (done < size) {
    const {length} = readInto(content.subarray(done), Math.min(pieceBytes, size - done), files, fd, done)
    if (length === 0) break
    done += length
    await yields()
  }
  return content.subarray(0, done)
}

class TextColumnBuilder {
  #bytes = Buffer.allocUnsafeSlow(1 << 16)
  length = headerBytes

  push(id: string, text: string): void {
    // A UTF-16 unit takes three bytes of UTF-8 at the most.
    const needed = this.length + (id.length + text.length) * 3 + 3
    if (needed > this.#bytes.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
      this.#bytes.copy(wider, 0, 0, this.length)
      this.#bytes = wider
    }
    this.length += this.#bytes.write(id, this.length)
    this.#append(idEnding)
    if (!isAscii(text)) this.#append(wideMark)
    this.length += this.#bytes.write(text, this.length)
    this.#append(ending)
  }

  #append(byte: number): void {
    this.#bytes[this.length] = byte
    this.length += 1
  }

  async finish(segment: SegmentFile, version: number): Promise<Column> {
    const content = this.#bytes.subarray(0, this.length)
    const header = await headerOf(segment, version, content.subarray(headerBytes))
    header.copy(content)
    return content
  }
}

/** Bytes of the texts of one segment that memory holds: some two million customers. */
export const maxColumnBytes = 256 << 20

/** A segment whose texts are made, as plain data. Its lines stay open meanwhile. */
export interface TextsJob {
  readonly file: SegmentFile
  readonly path: string
  readonly fd: number
}

/** Makes the column of a segment; undefined if it is too large for memory, or once the signal was aborted. */
export type TextMaker = (job: TextsJob, searchText: SearchText, signal: AbortSignal) => Promise<Column | undefined>

export type Column = Uint8Array<ArrayBuffer>

/** As a `TextMaker`, in this thread, which does other work in between. Throws StateCorrupt for a damaged line. */
export async function columnOf(
  files: Pick<Files, 'read'>,
  {file, path, fd}: TextsJob,
  searchText: SearchText,
  signal?: AbortSignal,
): Promise<Column | undefined> {
  const builder = new TextColumnBuilder()
  const yields = timeSlices(sliceMs)
  const reader = new LineReader(files, fd, file.bytes)
  while (reader.next()) {
    const entry = Entry.ofLine(reader.chunk, reader.start, reader.end)
    if (!entry) throw corrupt(`${path} is damaged at byte ${reader.position}.`, path)
    builder.push(entry.id, entry.version === 0 ? '' : searchText.textOf(entry.look()))
    if (builder.length > maxColumnBytes) return undefined
    const pause = yields()
    if (pause) await pause
    if (signal?.aborted) return undefined
  }
  return builder.finish(file, searchText.version)
}

export class TextColumn {
  readonly #texts: Buffer
  readonly #source: DocumentSource

  private constructor(texts: Buffer, source: DocumentSource) {
    this.#texts = texts
    this.#source = source
  }

  /** Nothing if the content is not the column of this segment and version. */
  static async open(
    content: Buffer,
    source: DocumentSource & {readonly file: SegmentFile},
    version: number,
  ): Promise<TextColumn | undefined> {
    const texts = content.subarray(headerBytes)
    const isOurs = (await headerOf(source.file, version, texts)).equals(content.subarray(0, headerBytes))
    return isOurs ? new TextColumn(texts, source) : undefined
  }

  /** Visits the texts that have what is asked, ascending by id; `yields` is called in between. */
  search(contains: Contains, visit: Visit, yields: Yield): Promise<void> {
    return new TextSearch(this.#texts, this.#source, contains).run(visit, yields)
  }
}
