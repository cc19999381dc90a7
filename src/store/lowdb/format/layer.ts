import type {Entry} from './entry.js'
import type {SegmentLine} from './record.js'

/** One source of a collection: what memory holds of the journals, or an immutable segment on the disk. */
export interface Layer {
  get(id: string): Entry | undefined
  /** Entries that hold the unique key, removed ones never; newer layers may have replaced them. */
  holding(key: string): Entry[]
  /** Entries with that value of a facet, given by its place, ascending by id; newer layers may have replaced them. */
  faceted(facet: number, value: string): Generator<Entry>
  /** How many there are at most. */
  countFaceted(facet: number, value: string): number
  /** Entries that follow `after` in ascending order of ids, removed ones too. */
  following(after: string | undefined): Generator<Entry>
  /** All of it as lines of a segment, in ascending order of ids. */
  lines(): Generator<SegmentLine>
}
