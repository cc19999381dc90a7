import {join} from 'node:path'
import {StateError} from '../../../domain/errors.js'
import {type Files, hasCode} from '../file/files.js'
import {newestReadableManifest, type SegmentFile} from '../file/manifest.js'
import {ifThere, withFile} from '../file/private.js'
import {generationOf} from '../folder/manifest-writer.js'
import {Entry} from '../line/entry.js'
import {journalLines, replayFile} from '../line/replay.js'
import {type Inspection, inspectSegment} from './verify.js'

/** A place in a file that cannot be read. */
export interface Lost {
  readonly file: string
  /** Absent if the whole file is missing. */
  readonly byte?: number
}

/** Documents that have to be written to a new segment, by their ids. */
export interface Rewritten {
  readonly kind: string
  readonly entries: ReadonlyMap<string, Entry>
  /** The change that they make to the number of documents. */
  readonly countDelta: number
}

export interface Salvaged {
  /** Newest first: what the journals have, sound segments unchanged, and the readable documents of damaged ones. */
  readonly segments: readonly (SegmentFile | Rewritten)[]
  readonly documents: number
  readonly lost: readonly Lost[]
}

/** Files as a manifest names them, or only by their names if none can be read. */
type NamedSegment = Pick<SegmentFile, 'kind' | 'file'> & Partial<SegmentFile>
type NamedJournal = {readonly file: string; readonly first?: number; readonly bytes?: number}

/** Reads every document of a project that can be read. Sound segments stay: a repair needs little disk space. */
export async function salvage(files: Files, directory: string): Promise<Salvaged> {
  const lost: Lost[] = []
  const present = new Present()
  const named = await filesOf(files, directory)
  const segments: (SegmentFile | Rewritten)[] = []
  for (const segment of named.segments) {
    const kept = await salvageSegment(files, directory, {segment, present, lost})
    if (kept) segments.unshift(kept)
  }
  const changes = new Map<string, {kind: string; entries: Map<string, Entry>; countDelta: number}>()
  for (const journal of named.journals) {
    for (const entry of await salvageJournal(files, join(directory, journal.file), journal, lost)) {
      const of = changes.get(entry.kind) ?? {kind: entry.kind, entries: new Map<string, Entry>(), countDelta: 0}
      changes.set(entry.kind, of)
      of.countDelta += present.set(entry)
      of.entries.set(entry.id, entry)
    }
  }
  return {segments: [...changes.values(), ...segments], documents: present.size, lost}
}

/** Ids of the existing documents, by kind. */
class Present {
  readonly #ids = new Map<string, Set<string>>()

  /** Returns by how many documents the entry makes the kind larger. */
  set({kind, id, version}: Entry): number {
    const ids = this.#ids.get(kind) ?? new Set()
    this.#ids.set(kind, ids)
    const before = ids.size
    if (version > 0) ids.add(id)
    else ids.delete(id)
    return ids.size - before
  }

  get size(): number {
    return [...this.#ids.values()].reduce((sum, ids) => sum + ids.size, 0)
  }
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

/** The documents of a journal: those of its commits, or of a damaged one every line that can be read. */
async function salvageJournal(files: Files, path: string, journal: NamedJournal, lost: Lost[]): Promise<Entry[]> {
  const {file, first, bytes} = journal
  const committed: Entry[] = []
  try {
    if (first !== undefined) {
      await replayFile(files, {path, first, bytes}, (entries) => {
        for (const entry of entries) committed.push(entry)
      })
      return committed
    }
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !(error instanceof StateError && error.code === 'StateCorrupt')) throw error
  }
  const found = await ifThere(withFile(files, path, (fd, size) => readableIn(files, fd, size, {file, bytes, lost})))
  if (!found) lost.push({file})
  return found ?? []
}

/** Every line of a damaged journal that can be read. Of an open one the torn tail is cut: it was never acknowledged. */
function readableIn(
  files: Files,
  fd: number,
  size: number,
  {file, bytes, lost}: {file: string; bytes: number | undefined; lost: Lost[]},
): Entry[] {
  const entries: Entry[] = []
  const damaged: Lost[] = []
  let ended = {entries: 0, damaged: 0}
  const isSealed = bytes !== undefined
  for (const {line, start} of journalLines(files, fd, isSealed ? Math.min(size, bytes) : size, Entry.ofVerified)) {
    if (line instanceof Entry) entries.push(line)
    else if (!line) damaged.push({file, byte: start})
    if (isSealed || (line && !(line instanceof Entry))) ended = {entries: entries.length, damaged: damaged.length}
  }
  for (const one of damaged.slice(0, ended.damaged)) lost.push(one)
  if (isSealed && size < bytes) lost.push({file, byte: size})
  return entries.slice(0, ended.entries)
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
  {lines, crc32, damaged, isSorted}: Inspection,
  size: number,
  named: NamedSegment,
): SegmentFile | undefined {
  const {kind, file, bytes = size, crc32: written = crc32, facets = unknownFacets} = named
  if (lines === 0 || damaged.length > 0 || !isSorted || bytes !== size || written !== crc32) return undefined
  return {kind, file, bytes, lines, countDelta: 0, crc32, facets}
}
