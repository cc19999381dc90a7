import {join} from 'node:path'
import type {Files} from '../file/files.js'
import {type JournalFile, newestReadableManifest, type SegmentFile} from '../file/manifest.js'
import {ifThere, withFile} from '../file/private.js'
import {generationOf} from '../folder/manifest-writer.js'
import type {Entry} from '../line/entry.js'
import {
  type CommitRange,
  type Lost,
  type NamedJournal,
  Present,
  type Rewritten,
  salvageJournals,
} from './salvage-journals.js'
import {type Inspected, inspectSegment} from './verify.js'

export interface Salvaged {
  /** Newest first: sound segments unchanged, and the readable documents of damaged ones. */
  readonly segments: readonly (SegmentFile | Rewritten)[]
  /** The journals as they are; absent if their commits are among the segments, since one of them is damaged. */
  readonly journals?: readonly JournalFile[]
  readonly documents: number
  readonly lost: readonly Lost[]
  /** Unreadable commits. Documents that they removed and tokens that they revoked are back. */
  readonly undone: readonly CommitRange[]
  /** The highest sequence number that was read. */
  readonly last: number
}

type NamedSegment = Pick<SegmentFile, 'kind' | 'file'> & Partial<SegmentFile>

/** Decides which files can stay and which must be rewritten. Sound segments stay: a repair needs little disk space. */
export async function salvage(files: Files, directory: string): Promise<Salvaged> {
  const lost: Lost[] = []
  const present = new Present()
  const named = await filesOf(files, directory)
  const segments: (SegmentFile | Rewritten)[] = []
  for (const segment of named.segments) {
    const kept = await salvageSegment(files, directory, {segment, present, lost})
    if (kept) segments.unshift(kept)
  }
  const {folded, ...journals} = await salvageJournals(files, directory, {journals: named.journals, present, lost})
  return {segments: [...folded, ...segments], ...journals, documents: present.size, lost}
}

/** Segments and journals, oldest first: from the newest manifest, or by their names if none can be read. */
async function filesOf(
  files: Files,
  directory: string,
): Promise<{segments: readonly NamedSegment[]; journals: readonly NamedJournal[]}> {
  const manifest = await newestReadableManifest(files, directory)
  if (manifest) return {segments: [...manifest.segments].reverse(), journals: manifest.journals}
  const sorted = [...(await files.list(directory))].sort((a, b) => generationOf(a) - generationOf(b))
  const segments = sorted
    .filter((name) => /\.\d+\.ndjson$/.test(name))
    .map((file) => ({file, kind: decodeURIComponent(file.replace(/\.\d+\.ndjson$/, ''))}))
  const journals = sorted.filter((name) => /^journal\.\d+\.jsonl$/.test(name)).map((file) => ({file}))
  return {segments, journals}
}

interface Context {
  readonly segment: NamedSegment
  readonly present: Present
  readonly lost: Lost[]
}

/** The segment itself if its checksum matches, else its readable documents; undefined if there are none. */
async function salvageSegment(files: Files, directory: string, {segment, present, lost}: Context) {
  const {kind, file} = segment
  const found = await ifThere(
    withFile(files, join(directory, file), (fd, size) => {
      const inspected = inspectSegment(files, fd, size)
      const sound = soundSegment(inspected, size, segment)
      const entries = new Map<string, Entry>()
      let countDelta = 0
      inspectSegment(files, fd, size, (entry) => {
        countDelta += present.set(entry)
        if (!sound) entries.set(entry.id, entry)
      })
      for (const byte of inspected.damaged) lost.push({file, byte})
      if (segment.bytes !== undefined && size < segment.bytes) lost.push({file, byte: size})
      return sound ? {...sound, countDelta} : {kind, entries, countDelta}
    }),
  )
  if (!found) lost.push({file})
  return found && 'entries' in found && found.entries.size === 0 ? undefined : found
}

/** The facet signature of a segment without a manifest; the next compaction rewrites it. */
const unknownFacets = -1

/** The segment of a manifest; undefined if length or checksum does not match. */
function soundSegment(
  {lines, crc32, damaged, isSorted}: Inspected,
  size: number,
  named: NamedSegment,
): SegmentFile | undefined {
  const {kind, file, bytes = size, crc32: written = crc32, facets = unknownFacets} = named
  if (lines === 0 || damaged.length > 0 || !isSorted || bytes !== size || written !== crc32) return undefined
  return {kind, file, bytes, lines, countDelta: 0, crc32, facets}
}
