import {timeSlices} from '../../../time-slices.js'
import {corrupt} from '../file/failures.js'
import type {Files} from '../file/files.js'
import {LineReader} from '../file/lines.js'
import type {SegmentFile} from '../file/manifest.js'
import {Entry} from '../line/entry.js'
import {IndexWriter} from './index-writer.js'
import {SegmentIndex} from './segment-index.js'

/** Builds the index of a segment from its lines, in memory. Throws StateCorrupt for a damaged line. */
export async function madeIndex(
  files: Files,
  segment: {readonly file: SegmentFile; readonly path: string; readonly fd: number},
  seed: number,
): Promise<{readonly index: SegmentIndex; readonly content: Buffer}> {
  const pieces: Buffer[] = []
  const writer = new IndexWriter((bytes, position) => {
    if (position === 0) pieces.unshift(Buffer.from(bytes))
    else pieces.push(Buffer.from(bytes))
  }, seed)
  const yields = timeSlices(5)
  const reader = new LineReader(files, segment.fd, segment.file.bytes)
  while (reader.next()) {
    const entry = Entry.ofLine(reader.window, reader.start, reader.end)
    if (!entry) throw corrupt(`${segment.path} is damaged at byte ${reader.position}.`, segment.path)
    writer.line(reader.position)
    writer.keys(entry)
    await yields()
  }
  writer.finish(segment.file, [])
  const content = Buffer.concat(pieces)
  const inMemory = (position: number, length: number) => content.subarray(position, position + length)
  const index = SegmentIndex.open(inMemory, segment.path, segment.file)
  if (!index) throw corrupt(`No index can be made for ${segment.path}.`, segment.path)
  return {index, content}
}
