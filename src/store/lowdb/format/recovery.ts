import {corrupt} from './failures.js'
import type {Files} from './files.js'
import {type Line, parsedLine} from './record.js'

const chunkBytes = 1 << 20
const lineFeed = 10

/** The lines of a file with their offsets; the last one may lack its line feed. */
export function* linesOf(
  files: Files,
  fd: number,
  size: number,
): Generator<{bytes: Buffer; start: number; whole: boolean}> {
  let rest: Buffer = Buffer.alloc(0)
  let start = 0
  for (let position = 0; position < size; ) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size - position))
    const got = files.read(fd, chunk, 0, chunk.length, position)
    if (got === 0) break
    position += got
    let text = Buffer.concat([rest, chunk.subarray(0, got)])
    for (let end = text.indexOf(lineFeed); end >= 0; end = text.indexOf(lineFeed)) {
      yield {bytes: text.subarray(0, end), start, whole: true}
      start += end + 1
      text = text.subarray(end + 1)
    }
    rest = text
  }
  if (rest.length > 0) yield {bytes: rest, start, whole: false}
}

export interface Recovered {
  /** Length of the complete lines; bytes behind it are not part of the state. */
  readonly length: number
  /** Sequence number of the last complete line; one below the first if there is none. */
  readonly last: number
}

export interface JournalContent {
  readonly fd: number
  readonly size: number
  readonly path: string
  /** Sequence number of its first line. */
  readonly first: number
  /** Its length if sealed; a shorter file is damaged. */
  readonly bytes?: number | undefined
}

/**
 * Replays the lines of a journal in order. The first invalid line ends the replay: if a later line shows that it was
 * acknowledged, the state is damaged and refused; otherwise it is a write that never finished.
 */
export function replay(files: Files, journal: JournalContent, apply: (line: Line) => void): Recovered {
  let length = 0
  let last = journal.first - 1
  let broken = false
  for (const {bytes, start, whole} of linesOf(files, journal.fd, journal.bytes ?? journal.size)) {
    const line = whole ? parsedLine(bytes) : undefined
    if (broken || line?.sequence !== last + 1) {
      broken = true
      if (line && line.durable > last) {
        throw corrupt(
          `${journal.path} is damaged at byte ${length}: the acknowledged commit ${last + 1} cannot be read.`,
          journal.path,
        )
      }
      continue
    }
    apply(line)
    last = line.sequence
    length = start + bytes.length + 1
  }
  if (journal.bytes !== undefined && length !== journal.bytes) {
    throw corrupt(`${journal.path} is damaged at byte ${length} of ${journal.bytes}.`, journal.path)
  }
  return {length, last}
}
