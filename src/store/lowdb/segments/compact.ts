import type {Yield} from '../../../time-slices.js'
import type {SegmentFile} from '../format/manifest.js'
import type {Collection} from '../memory/collection.js'
import {MemtableLines} from './memtable-lines.js'
import type {LoadOptions} from './open-segment.js'
import {openSegment} from './open-segment.js'
import {IndexDamaged} from './pages.js'
import type {Segment} from './segment.js'
import {newSeed} from './segment-index.js'
import {SegmentDamaged} from './segment-lines.js'
import {type NewSegment, writeSegment} from './segment-writer.js'

/**
 * Size ratio of the tiers: a segment this many times as large as all above it is not merged. Bounds write
 * amplification.
 */
const growth = 4
/**
 * So many segments of about one length are merged to one where documents were added and none was changed or removed: such
 * a merge saves no space, only look-ups in each segment.
 */
const tierWidth = 8
/** Above this number, what was only added is merged as everything else. */
const mostTiered = 3 * tierWidth

/** The new segments of a kind, newest first. */
export interface Compacted {
  readonly collection: Collection
  readonly segments: readonly Segment[]
  readonly made: readonly Segment[]
  /** The segments that were merged into the new ones. */
  readonly replaced: readonly Segment[]
}

interface How extends LoadOptions {
  readonly generation: number
  readonly whole: boolean
  /** Whether what was only added may stay in many segments: a server has the memory for all their indexes. */
  readonly inTiers: boolean
  readonly yields: Yield
  readonly created: string[]
}

/** Number of the newest segments to merge: those not much larger than all above them. */
function countToMerge(collection: Collection, {whole, inTiers}: How): number {
  const {segments, frozen} = collection
  if (whole) return segments.length
  let bytes = frozen.reduce((sum, memtable) => sum + memtable.bytes, 0)
  if (inTiers && segments.length < mostTiered && onlyAdds(collection)) return countOfTiers(segments, bytes)
  let count = 0
  for (const segment of segments) {
    if (segment.file.bytes > bytes * growth) break
    bytes += segment.file.bytes
    count += 1
  }
  // Segments with facets of another release cannot serve look-ups, so they are rewritten.
  return Math.max(count, segments.findLastIndex((segment) => !segment.hasFacets) + 1)
}

/** Whether no document replaced or removed another one, and none has unique keys, which every write looks for. */
const onlyAdds = ({frozen, segments}: Collection): boolean =>
  frozen.every((memtable) => memtable.grown === memtable.size && !memtable.hasUniqueKeys) &&
  segments.every(({file, hasFacets}) => file.grown === file.lines && hasFacets)

/** Number of the newest segments in the tiers that are full once a segment of this length is added. */
function countOfTiers(segments: readonly Segment[], added: number): number {
  let bytes = added
  for (let count = 0; ; ) {
    const larger = segments.findIndex(({file}, at) => at >= count && file.bytes > bytes * 2)
    const end = larger < 0 ? segments.length : larger
    if (end - count + 1 < tierWidth) return count
    for (const {file} of segments.slice(count, end)) bytes += file.bytes
    count = end
  }
}

/** Compacts a kind: merges its immutable memtables and the segments that are due into one. Undefined if none is due. */
export async function compactKind(
  directory: string,
  kind: string,
  collection: Collection,
  how: How,
): Promise<Compacted | undefined> {
  const {frozen, segments, facets} = collection
  const count = countToMerge(collection, how)
  const replaced = segments.slice(0, count)
  const older = segments.slice(count)
  const refacet = replaced.some((segment) => !segment.hasFacets)
  if (frozen.length === 0 && !refacet && !(how.whole && count > 1)) return undefined
  const file = `${encodeURIComponent(kind)}.${how.generation}.ndjson`
  const grown = [...frozen, ...replaced].reduce((sum, source) => sum + source.grown, 0)
  // Segments that share a seed keep the hashes of their keys when they are merged.
  const seed = segments[0]?.index.seed ?? newSeed()
  const segment = {kind, file, facets, aboveOthers: older.length > 0, grown, seed}
  const unpins = replaced.map(({handles}) => handles.pin())
  try {
    const written = await merge(directory, {collection, replaced}, segment, how)
    const made = written ? [await openSegment(directory, written, how)] : []
    return {collection, segments: [...made, ...older], made, replaced}
  } finally {
    for (const unpin of unpins) unpin()
  }
}

/** Writes the new segment. A damaged index is rebuilt, once each, and the merge done again; a damaged segment is fatal. */
async function merge(
  directory: string,
  {collection, replaced}: Pick<Compacted, 'collection' | 'replaced'>,
  segment: NewSegment,
  how: How,
): Promise<SegmentFile | undefined> {
  const {files, created, yields} = how
  const rebuilt = new Set<Segment>()
  const before = created.length
  for (;;) {
    try {
      const memtables = []
      for (const memtable of collection.frozen) memtables.push(await MemtableLines.of(memtable, yields))
      const lines = replaced.map((one) => one.lines(segment.seed, one.hasFacets ? undefined : segment.facets))
      return await writeSegment(files, directory, [...memtables, ...lines], segment, how)
    } catch (error) {
      if (error instanceof SegmentDamaged) throw await error.located(yields)
      const damaged = error instanceof IndexDamaged && replaced.find(({indexPath}) => indexPath === error.path)
      if (!damaged || rebuilt.has(damaged)) throw error
      rebuilt.add(damaged)
      await damaged.rebuildIndex()
      for (const path of created.splice(before)) await files.unlink(path)
    }
  }
}
