import {compareText} from '../../../query/text-order.js'
import type {Entry} from '../format/entry.js'
import type {SegmentHead} from '../format/record.js'
import type {KeyRun} from './index-keys.js'

/** Where a source writes its line. */
export interface LineWriter {
  /** Copies a line with its line feed; returns its slot. With a head, adds the keys of the line. */
  copy(bytes: Buffer, start: number, end: number, head?: SegmentHead): number
  /** Writes the line of an entry with these facets, and adds its keys. */
  entry(entry: Entry, facets: readonly (string | null)[]): void
}

/** Lines of a new segment, ascending by id: those of a former segment, or the entries of a memtable. */
export interface LineSource {
  readonly id: string
  readonly isTombstone: boolean
  readonly hasEnded: boolean
  /** Moves to the next line, first to the first one; false behind the last. */
  next(): boolean
  /** Writes the line and, unless the index of its source has them, its keys. */
  write(writer: LineWriter): void
  /** What the index of its source has: the keys of the lines that were written. */
  carriedKeys(): KeyRun | undefined
}

/** Merges sources, newest first: of lines with the same id, that of the newest source stays. */
export class LineMerge {
  #live: LineSource[]
  #least: LineSource | undefined
  /** Whether an older source has the same id. */
  #isRepeated = false

  constructor(sources: readonly LineSource[]) {
    this.#live = sources.filter((source) => source.next())
  }

  /** The source whose line is next; undefined at the end. */
  next(): LineSource | undefined {
    const last = this.#least
    if (last) this.#pass(last)
    const live = this.#live
    let least = live[0]
    this.#isRepeated = false
    for (let at = 1; at < live.length; at += 1) {
      const other = live[at] as LineSource
      const order = compareText(other.id, (least as LineSource).id)
      if (order < 0) least = other
      if (order <= 0) this.#isRepeated = order === 0
    }
    this.#least = least
    return least
  }

  /** Moves every source beyond the id of the last line. */
  #pass(last: LineSource): void {
    const live = this.#live
    let hasEnded = false
    for (let at = 0; at < live.length && this.#isRepeated; at += 1) {
      const source = live[at] as LineSource
      if (source !== last && source.id === last.id) hasEnded = !source.next() || hasEnded
    }
    if (!last.next() || hasEnded) this.#live = live.filter((source) => !source.hasEnded)
  }
}
