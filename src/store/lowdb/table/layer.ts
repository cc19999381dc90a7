import type {Work} from '../../adapter/scans.js'
import type {Candidate, Contains, SearchText} from '../../searchable.js'
import type {Entry} from '../line/entry.js'
import type {Literals} from '../line/literals.js'

/** What a layer has of some values of a facet, and perhaps others: the caller looks at the values. */
export interface FacetLookUp {
  /** An upper bound of the number of entries. */
  readonly count: number
  /** Ascending by id; newer layers may have replaced them. Undefined marks a step of work without an entry. */
  entries(): Generator<Entry | undefined>
}

/** Of most layers, where values are rare. */
export const nothingFound: FacetLookUp = {count: 0, *entries() {}}

/** A candidate can be read until the next one is visited. */
export type Visit = (candidate: Candidate) => void

/** One source of a collection: what memory holds of the journals, or an immutable segment on the disk. */
export interface Layer {
  get(id: string): Entry | undefined
  /** Each of its documents is new: the layers below have none of them, and no tombstone has taken one away. */
  readonly onlyAdds: boolean
  /** Live entries that hold the unique key; newer layers may have replaced them. */
  withUniqueKey(key: string): readonly Entry[]
  faceted(facet: number, values: ReadonlySet<string>): FacetLookUp
  /** Entries with ids above `after`, ascending, tombstones included. */
  following(after: string | undefined): Generator<Entry>
  /**
   * Live entries with ids above `after`, ascending: those that have the literals, others perhaps; undefined marks a step of
   * work without an entry. Newer layers may have replaced them. An entry can be read until the next one is asked for.
   */
  passing(literals: Literals, after: string | undefined): Generator<Entry | undefined>
  /** Visits entries whose search texts have what is asked, others perhaps; false if there is no index of the texts. */
  search(contains: Contains, searchText: SearchText, visit: Visit, work: Work): Promise<boolean>
}
