import type {Yield} from '../../../time-slices.js'
import type {Collection} from '../memory/collection.js'
import {merged} from '../memory/merge.js'
import type {LoadOptions} from './open-segment.js'
import {openSegment} from './open-segment.js'
import type {Segment} from './segment.js'
import {writeSegment} from './segment-writer.js'

/**
 * Size ratio of the tiers: a segment this many times as large as all above it is not merged. Bounds write
 * amplification.
 */
const growth = 4

/** The new segments of a kind, newest first. */
export interface Compacted {
  readonly collection: Collection
  readonly segments: readonly Segment[]
  readonly made: readonly Segment[]
  /** The segments that were merged into the new ones. */
  readonly replaced: readonly Segment[]
}

/** Number of the newest segments to merge: those not much larger than all above them. */
function countToMerge(collection: Collection, whole: boolean): number {
  const {segments, frozen} = collection
  if (whole) return segments.length
  let bytes = frozen.reduce((sum, memtable) => sum + memtable.bytes, 0)
  let count = 0
  for (const segment of segments) {
    if (segment.file.bytes > bytes * growth) break
    bytes += segment.file.bytes
    count += 1
  }
  // Segments with facets of another release cannot serve look-ups, so they are rewritten.
  return Math.max(count, segments.findLastIndex((segment) => !segment.hasFacets) + 1)
}

/** Compacts a kind: merges its immutable memtables and the segments that are due into one. Undefined if none is due. */
export async function compactKind(
  directory: string,
  kind: string,
  collection: Collection,
  how: LoadOptions & {
    readonly generation: number
    readonly whole: boolean
    readonly yields: Yield
    readonly created: string[]
  },
): Promise<Compacted | undefined> {
  const {frozen, segments, facets} = collection
  const count = countToMerge(collection, how.whole)
  const replaced = segments.slice(0, count)
  const older = segments.slice(count)
  const refacet = replaced.some((segment) => !segment.hasFacets)
  if (frozen.length === 0 && !refacet && !(how.whole && count > 1)) return undefined
  const sources = [...frozen, ...replaced]
  const file = `${encodeURIComponent(kind)}.${how.generation}.ndjson`
  const grown = sources.reduce((sum, source) => sum + source.grown, 0)
  const lines = merged(sources.map((source) => source.lines()))
  const segment = {kind, file, facets, refacet, aboveOthers: older.length > 0, grown}
  const written = await writeSegment(how.files, directory, lines, segment, how)
  const made = written ? [await openSegment(directory, written, how)] : []
  return {collection, segments: [...made, ...older], made, replaced}
}
