import {join} from 'node:path'
import {compareText} from '../../../query/text-order.js'
import type {Facets} from '../../store.js'
import type {BlockingFiles, Files} from '../file/files.js'
import type {JournalFile, SegmentFile} from '../file/manifest.js'
import {Entry} from '../line/entry.js'
import {allFacetsSignature, facetsOf, refaceted} from '../line/facets.js'
import {replay} from '../line/replay.js'
import type {KeyRun} from '../table/index-keys.js'
import {type NewSegment, SegmentWriter} from '../table/segment-writer.js'
import {merged} from '../tree/merge.js'
import {journalLines, type MergedLine, mergedLine, SegmentSource} from './segment-source.js'

/** A new segment of the documents of a kind: of what the journals have of it, and of former segments, newest first. */
export interface KindMerge extends NewSegment {
  readonly sources: readonly SegmentFile[]
}

/** What is merged, as plain data: sealed journals, oldest first, and immutable segments, all of them on the disk. */
export interface MergeJob {
  readonly directory: string
  readonly journals: readonly JournalFile[]
  readonly kinds: readonly KindMerge[]
}

/**
 * Merges journals and segments to new segments, which are durable when it returns; a kind without lines has none. Plain
 * synchronous code: a server runs it in a thread. Lines of another release get the facets of this one. Throws
 * StateCorrupt for a damaged source; the caller removes what was begun. `changes` are those of the journals, where they
 * are in memory.
 */
export function merge(
  files: BlockingFiles,
  job: MergeJob,
  facets: Facets,
  changes: ReadonlyMap<string, Changes> = changesIn(files, job, facets),
): SegmentFile[] {
  return job.kinds.flatMap(
    (kind) => mergeKind(files, job.directory, {kind, changes: changes.get(kind.kind) ?? new Map(), facets}) ?? [],
  )
}

/** Resolves when the disk has taken what a merge has written, for which it waits beside this thread. */
export async function syncedBehind<T>(
  blocking: BlockingFiles,
  pooled: Pick<Files, 'sync'>,
  work: (files: BlockingFiles) => T,
): Promise<T> {
  const written = new Set<number>()
  const sync = (fd: number): void => void written.add(fd)
  const close = (fd: number): void => (written.has(fd) ? undefined : blocking.close(fd))
  try {
    const done = work({...blocking, sync, close})
    // One at a time: commits and reads want threads of the pool meanwhile.
    for (const fd of written) await pooled.sync(fd)
    return done
  } finally {
    for (const fd of written) blocking.close(fd)
  }
}

/** The newest lines of a kind by their ids. */
export type Changes = ReadonlyMap<string, MergedLine | Entry>

/** The newest lines of the journals, by kind and id. */
function changesIn(files: BlockingFiles, {directory, journals}: MergeJob, facets: Facets) {
  const changes = new Map<string, Map<string, MergedLine>>()
  const refacetedLine = (chunk: Buffer, start: number, end: number) => {
    const entry = Entry.ofVerified(chunk, start, end)
    return entry && {kind: entry.kind, ...mergedLine(refaceted(entry, facetsOf(facets, entry.kind)))}
  }
  for (const journal of journals) {
    const path = join(directory, journal.file)
    const isFormer = journal.facets !== allFacetsSignature(facets)
    const fd = files.open(path, 'read')
    try {
      const read = isFormer ? refacetedLine : journalLines()
      replay<MergedLine & {readonly kind: string}>(
        files,
        {...journal, path, fd, size: journal.bytes ?? 0},
        read,
        (lines) => {
          for (const line of lines) {
            const ofKind = changes.get(line.kind) ?? new Map<string, MergedLine>()
            changes.set(line.kind, ofKind)
            ofKind.set(line.id, line)
          }
        },
      )
    } finally {
      files.close(fd)
    }
  }
  return changes
}

interface Sources {
  readonly kind: KindMerge
  readonly changes: Changes
  readonly facets: Facets
}

function mergeKind(files: BlockingFiles, directory: string, {kind, changes, facets}: Sources): SegmentFile | undefined {
  const segments = kind.sources.map((file) => new SegmentSource(files, directory, file))
  try {
    const lines = segments.map((segment) =>
      segment.file.facets === kind.facets
        ? segment.lines(kind.seed)
        : segment.entries((entry) => refaceted(entry, facetsOf(facets, kind.kind))),
    )
    return writeSegment(files, directory, kind, [sortedLines(changes), ...lines], () =>
      segments.flatMap((segment) => segment.carriedKeys() ?? []),
    )
  } finally {
    for (const segment of segments) segment.close()
  }
}

/** Writes what sources have, newest first, to a new segment; undefined if they have no lines. */
export function writeSegment(
  files: BlockingFiles,
  directory: string,
  segment: NewSegment,
  sources: readonly Generator<MergedLine>[],
  carriedKeys: () => readonly KeyRun[] = () => [],
): SegmentFile | undefined {
  const writer = new SegmentWriter(files, directory, segment)
  try {
    for (const {line, version, head, written} of merged(sources)) {
      if (version === 0 && !segment.aboveOthers) continue
      const slot = writer.line(line, head)
      written?.(slot)
    }
    return writer.finish(carriedKeys())
  } finally {
    writer.close()
  }
}

/** Ascending by id. */
export function* sortedLines(changes: Changes, changed = (entry: Entry): Entry => entry): Generator<MergedLine> {
  for (const line of [...changes.values()].sort((one, other) => compareText(one.id, other.id))) {
    yield line instanceof Entry ? mergedLine(changed(line)) : line
  }
}
