import {StateError} from '../../../domain/errors.js'
import {timeSlices} from '../../../time-slices.js'
import {corrupt} from '../format/failures.js'
import type {Files} from '../format/files.js'
import type {SegmentFile} from '../format/manifest.js'
import {parsedSegmentLine} from '../format/record.js'
import {linesOf} from '../format/recovery.js'
import {IndexWriter} from './index-writer.js'
import type {ReadAt} from './pages.js'
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
  for (const {bytes, start} of linesOf(files, segment.fd, segment.file.bytes)) {
    const parsed = parsedSegmentLine(bytes)
    if (!parsed) throw corrupt(`${segment.path} is damaged at byte ${start}.`, segment.path)
    if (writer.isFull) await writer.flush()
    writer.line(start)
    writer.keys(parsed.head.id, parsed.head.uniqueKeys, parsed.head.facets)
    await yields()
  }
  await writer.finish(segment.file, [], yields)
  const content = Buffer.concat(pieces)
  const inMemory: ReadAt = (position, length) => content.subarray(position, position + length)
  const index = SegmentIndex.open(inMemory, segment.path, segment.file)
  if (!index)
    throw new StateError('StateUnusable', `No index can be made for ${segment.path}.`, segment.path, 'Report this.')
  return {index, content}
}
