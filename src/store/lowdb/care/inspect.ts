import {compareText} from '../../../query/text-order.js'
import type {Files} from '../file/files.js'
import {LineReader} from '../file/lines.js'
import {Entry} from '../line/entry.js'

/** What the lines of a segment are like. */
export interface Inspected {
  readonly lines: number
  readonly crc32: number
  /** Where lines begin that cannot be read. */
  readonly damaged: readonly number[]
  /** Whether the ids ascend. */
  readonly isSorted: boolean
}

/** Reads every line of a segment, whatever its damage, and shows the entries of those that can be read. */
export function inspectSegment(
  files: Files,
  fd: number,
  size: number,
  see: (entry: Entry) => void = () => {},
): Inspected {
  const damaged: number[] = []
  let [lines, isSorted] = [0, true]
  let before: string | undefined
  const reader = new LineReader(files, fd, size)
  while (reader.next()) {
    lines += 1
    const entry = Entry.ofLine(reader.window, reader.start, reader.end)
    if (!entry || !reader.isWhole) damaged.push(reader.position)
    if (!entry) continue
    isSorted &&= before === undefined || compareText(before, entry.id) < 0
    before = entry.id
    see(entry)
  }
  return {lines, crc32: reader.crc32, damaged, isSorted}
}
