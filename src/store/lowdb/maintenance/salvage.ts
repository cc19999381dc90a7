import {join} from 'node:path'
import {compareText} from '../../../query/text-order.js'
import {LazyEntry} from '../format/entry.js'
import {type Files, readAll} from '../format/files.js'
import {type JournalFile, newestReadableManifest, type SegmentFile} from '../format/manifest.js'
import {checksumOf, parsedSegmentLine} from '../format/record.js'
import {linesOf} from '../format/recovery.js'
import {generationOf} from '../journal/manifest-writer.js'
import {Memtable} from '../memory/memtable.js'
import {salvageJournals} from './salvage-journals.js'
import {type CommitRange, type Lost, type NamedJournal, openIfThere, Present, type Rewritten} from './salvaged.js'

export type {CommitRange, Lost} from './salvaged.js'

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

/**
 * Decides which of a project's files can stay and which must be rewritten, whatever their damage. Sound segments stay,
 * so that a repair needs little disk space.
 */
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
  const opened = await openIfThere(files, join(directory, segment.file))
  if (!opened) {
    lost.push({file: segment.file})
    return undefined
  }
  const {fd, size} = opened
  try {
    const {kind} = segment
    const sound = soundSegment(files, fd, size, segment)
    const lines = new Memtable()
    let grown = 0
    for (const {bytes, start} of linesOf(files, fd, size)) {
      const parsed = parsedSegmentLine(bytes)
      if (!parsed) lost.push({file: segment.file, byte: start})
      else if (sound) grown += present.set(kind, parsed.head.id, parsed.head.version > 0)
      // A copy, since a slice would keep its whole chunk in memory.
      else lines.put(new LazyEntry(parsed.head, parsed.body && Buffer.from(parsed.body)), 0, false)
    }
    if (sound) return {...sound, grown}
    if (segment.bytes !== undefined && size < segment.bytes) lost.push({file: segment.file, byte: size})
    if (lines.size === 0) return undefined
    for (const {id, version} of lines.following(undefined)) grown += present.set(kind, id, version > 0)
    return {kind, lines, grown}
  } finally {
    await files.close(fd)
  }
}

const chunkBytes = 1 << 20
/** The facet signature of a segment without a manifest; the next compaction rewrites it. */
const unknownFacets = -1

/** The segment of a manifest; undefined if length or checksum does not match. */
function soundSegment(files: Files, fd: number, size: number, named: NamedSegment): SegmentFile | undefined {
  let count = 0
  let before: string | undefined
  for (const {bytes, whole} of linesOf(files, fd, size)) {
    const parsed = whole ? parsedSegmentLine(bytes) : undefined
    if (!parsed || (before !== undefined && compareText(before, parsed.head.id) >= 0)) return undefined
    before = parsed.head.id
    count += 1
  }
  let crc32 = 0
  for (let position = 0; position < size; position += chunkBytes) {
    crc32 = checksumOf(readAll(files, fd, position, chunkBytes), crc32)
  }
  const {kind, file, bytes = size, crc32: written = crc32, facets = unknownFacets} = named
  if (count === 0 || bytes !== size || written !== crc32) return undefined
  return {kind, file, bytes, lines: count, grown: 0, crc32, facets}
}
