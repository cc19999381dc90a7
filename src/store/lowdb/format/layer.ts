import type {Entry} from './entry.js'
import type {SegmentLine} from './record.js'

/** One source of a collection: what memory holds of the journals, or an immutable segment on the disk. */
export interface Layer {
  get(id: string): Entry | undefined
  /** Live entries that hold the unique key; newer layers may have replaced them. */
  holding(key: string): Entry[]
  /** Entries with a value of the facet at an index, ascending by id; newer layers may have replaced them. */
  faceted(facet: number, value: string): Generator<Entry>
  /** An upper bound of their number. */
  countFaceted(facet: number, value: string): number
  /** Entries with ids above `after`, ascending, tombstones included. */
  following(after: string | undefined): Generator<Entry>
  /** All entries as lines of a segment, ascending by id. */
  lines(): Generator<SegmentLine>
}
