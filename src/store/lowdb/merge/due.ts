import {facetSignature} from '../line/facets.js'
import {newSeed} from '../table/segment-index.js'
import type {Collection} from '../tree/collection.js'
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
    // Segments that share a seed keep the hashes of their keys when they are merged.
    seed: segments[0]?.index.seed ?? newSeed(),
  }
}
