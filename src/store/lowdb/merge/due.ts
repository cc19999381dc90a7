import type {Entry} from '../line/entry.js'
import {facetSignature} from '../line/facets.js'
import type {Collection} from '../tree/collection.js'
import type {State} from '../tree/state.js'
import type {KindMerge} from './merge.js'

/** A segment this many times as large as all above it is not merged. Bounds write amplification. */
const growth = 1.5

/** Number of the newest segments to merge: those not much larger than all above them. */
function countToMerge({segments, frozen}: Collection, whole: boolean): number {
  if (whole) return segments.length
  let bytes = frozen.reduce((sum, memtable) => sum + memtable.bytes, 0)
  let count = 0
  for (const {file} of segments) {
    if (file.bytes > bytes * growth) break
    bytes += file.bytes
    count += 1
  }
  // Segments with facets of another release cannot serve look-ups, so they are rewritten.
  return Math.max(count, segments.findLastIndex((segment) => !segment.hasFacets) + 1)
}

/** So many kinds have files of their own, however small they are; of more, the small ones share a journal. */
const fewKinds = 4
/** What opening reads of the kinds that share a journal takes no longer than opening files of their own would. */
const [mostShared, mostSharedBytes] = [256, 1 << 20]

/** The entries of the smallest kinds that have no files of their own and need none: those that they can share a journal with. */
export function sharingJournal({collections}: State): ReadonlyMap<Collection, readonly Entry[]> {
  const sharing = new Map<Collection, readonly Entry[]>()
  const smallestFirst = [...collections.values()]
    .filter(({segments, frozen}) => segments.length === 0 && frozen.length > 0)
    .map((collection) => ({collection, entries: collection.frozenEntries}))
    .sort((one, other) => one.entries.size - other.entries.size)
  if (smallestFirst.length <= fewKinds) return sharing
  let [count, bytes] = [0, 0]
  for (const {collection, entries} of smallestFirst) {
    count += entries.size
    if (count > mostShared) break
    const shared = [...entries.values()].filter(({version}) => version > 0).map((entry) => entry.asFirst())
    bytes += shared.reduce((sum, entry) => sum + entry.bytes, 0)
    if (bytes > mostSharedBytes) break
    sharing.set(collection, shared)
  }
  return sharing
}

/** The merge of a kind that is due; undefined if none is. With `whole`, all its segments become one. */
export function dueMerge(
  kind: string,
  collection: Collection,
  generation: number,
  whole: boolean,
): KindMerge | undefined {
  const {frozen, segments, facets} = collection
  const replaced = segments.slice(0, countToMerge(collection, whole))
  const isRewritten = replaced.some((segment) => !segment.hasFacets)
  if (frozen.length === 0 && !isRewritten && !(whole && replaced.length > 1)) return undefined
  const deltas = [...frozen, ...replaced.map(({file}) => file)]
  return {
    kind,
    file: `${encodeURIComponent(kind)}.${generation}.ndjson`,
    sources: replaced.map(({file}) => file),
    facets: facetSignature(facets),
    aboveOthers: replaced.length < segments.length,
    countDelta: deltas.reduce((sum, {countDelta}) => sum + countDelta, 0),
    seed: collection.seed,
  }
}
