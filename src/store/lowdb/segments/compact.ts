import type {Collection} from '../memory/collection.js'
import {merged} from '../memory/merge.js'
import type {Breath} from '../memory/time-slice.js'
import type {LoadOptions} from './open-segment.js'
import {openRun} from './open-segment.js'
import type {Run} from './segment.js'
import {writeRun} from './segment-writer.js'

/** A run this many times as long as what is above it is left alone; so each byte is rewritten a few times only. */
const growth = 4

/** The new runs of a kind, newest first. */
export interface Compacted {
  readonly collection: Collection
  readonly runs: readonly Run[]
  readonly made: readonly Run[]
  /** Those that went into the new one. */
  readonly replaced: readonly Run[]
}

/** How many of the newest runs go into the new one: all that are not much longer than what is above them. */
function countToMerge(collection: Collection, whole: boolean): number {
  const {runs, frozen} = collection
  if (whole) return runs.length
  let bytes = frozen.reduce((sum, overlay) => sum + overlay.bytes, 0)
  let count = 0
  for (const run of runs) {
    if (run.file.bytes > bytes * growth) break
    bytes += run.file.bytes
    count += 1
  }
  // Runs that state facets of another release cannot be searched by them, so they are written again.
  return Math.max(count, runs.findLastIndex((run) => !run.hasFacets) + 1)
}

/** Merges what is frozen, and the runs that are due, into one new run. Nothing if there is nothing to do. */
export async function compactKind(
  directory: string,
  kind: string,
  collection: Collection,
  how: LoadOptions & {
    readonly generation: number
    readonly whole: boolean
    readonly breath: Breath
    readonly created: string[]
  },
): Promise<Compacted | undefined> {
  const {frozen, runs, facets} = collection
  const count = countToMerge(collection, how.whole)
  const replaced = runs.slice(0, count)
  const older = runs.slice(count)
  const refacet = replaced.some((run) => !run.hasFacets)
  if (frozen.length === 0 && !refacet && !(how.whole && count > 1)) return undefined
  const sources = [...frozen, ...replaced]
  const file = `${encodeURIComponent(kind)}.${how.generation}.ndjson`
  const grown = sources.reduce((sum, source) => sum + source.grown, 0)
  const lines = merged(sources.map((source) => source.lines()))
  const run = {kind, file, facets, refacet, aboveOthers: older.length > 0, grown}
  const written = await writeRun(how.files, directory, lines, run, how)
  const made = written ? [await openRun(directory, written, how)] : []
  return {collection, runs: [...made, ...older], made, replaced}
}
