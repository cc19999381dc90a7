import {join} from 'node:path'
import {defined} from '../../../domain/equal.js'
import {StateError} from '../../../domain/errors.js'
import {type Files, hasCode} from '../file/files.js'
import type {JournalFile} from '../file/manifest.js'
import {ifThere, withFile} from '../file/private.js'
import {Entry} from '../line/entry.js'
import {journalLines, type Recovered, replayFile} from '../line/replay.js'

/** A place in a file that cannot be read. */
export interface Lost {
  readonly file: string
  /** Absent if the whole file is missing. */
  readonly byte?: number
}

/** A range of sequence numbers, both ends included; without an end the number of commits is unknown. */
export interface CommitRange {
  readonly from: number
  readonly to?: number
}

/** Documents that have to be written to a new segment. */
export interface Rewritten {
  readonly kind: string
  readonly entries: ReadonlyMap<string, Entry>
  /** The change that they make to the number of documents. */
  readonly countDelta: number
}

/** A journal as a manifest names it, or only its file if none does. */
export type NamedJournal = Pick<JournalFile, 'file'> & Partial<JournalFile>

/** Ids of the existing documents, by kind. */
export class Present {
  readonly #ids = new Map<string, Set<string>>()

  has(kind: string, id: string): boolean {
    return this.#ids.get(kind)?.has(id) === true
  }

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

/** The content of the journals beyond the segments. */
export interface SalvagedJournals {
  /** Absent if their commits are `folded`. */
  readonly journals?: readonly JournalFile[]
  /** The documents after the commits, for new segments above the others; empty if the journals stay. */
  readonly folded: readonly Rewritten[]
  readonly undone: readonly CommitRange[]
  readonly last: number
}

/**
 * Reads journals, oldest first. They stay unchanged if all are complete and follow from the segments: a journal counts
 * documents by the version that each commit expected, which is wrong once documents below it are lost.
 */
export async function salvageJournals(
  files: Files,
  directory: string,
  {journals, present, lost}: {journals: readonly NamedJournal[]; present: Present; lost: Lost[]},
): Promise<SalvagedJournals> {
  const commits = new Commits()
  const folded = new Map<string, {kind: string; entries: Map<string, Entry>; countDelta: number}>()
  const kept: JournalFile[] = []
  let follows = true
  const fold = (entry: Entry): void => {
    const {kind, id, expect} = entry
    follows &&= present.has(kind, id) === expect > 0
    const into = folded.get(kind) ?? {kind, entries: new Map<string, Entry>(), countDelta: 0}
    folded.set(kind, into)
    into.countDelta += present.set(entry)
    into.entries.set(id, entry)
  }
  for (const journal of journals) {
    const end = await endOf(files, directory, journal)
    if (end && isNamed(journal)) kept.push({...journal, bytes: end.length})
    commits.expect(journal.first)
    await readCommits(files, directory, end ? {...journal, bytes: end.length} : journal, {lost, commits, fold})
  }
  const read = {undone: commits.missing, last: commits.last}
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- the callback above changes it
  const staysAsIs = follows && journals.length > 0 && kept.length === journals.length
  return staysAsIs ? {...read, folded: [], journals: kept} : {...read, folded: [...folded.values()]}
}

const isNamed = (journal: NamedJournal): journal is JournalFile =>
  journal.first !== undefined && journal.facets !== undefined

/** The end of a journal; undefined if it is damaged, missing or not in a manifest. */
async function endOf(files: Files, directory: string, journal: NamedJournal): Promise<Recovered | undefined> {
  if (!isNamed(journal)) return undefined
  try {
    return await replayFile(files, {...journal, path: join(directory, journal.file)})
  } catch (error) {
    if (hasCode(error, 'ENOENT') || (error instanceof StateError && error.code === 'StateCorrupt')) return undefined
    throw error
  }
}

class Commits {
  last = 0
  /** Whether anything after the last one is unreadable. */
  isOpen = false
  readonly #gaps: CommitRange[] = []
  #next: number | undefined

  /** Records the sequence number that the next commit should have. */
  expect(sequence: number | undefined): void {
    if (sequence === undefined) return
    if (this.#next !== undefined && sequence > this.#next) this.#gaps.push({from: this.#next, to: sequence - 1})
    this.#next = Math.max(sequence, this.#next ?? 0)
    this.last = Math.max(this.last, sequence - 1)
  }

  /** Records a commit that was read, or one of which only the end was. */
  see(sequence: number, isWhole: boolean): void {
    this.expect(sequence)
    this.isOpen = false
    if (isWhole) this.#next = Math.max(sequence + 1, this.#next ?? 0)
    else this.expect(sequence + 1)
    this.last = Math.max(this.last, sequence)
  }

  get missing(): CommitRange[] {
    return this.isOpen ? [...this.#gaps, {from: this.#next ?? 1}] : this.#gaps
  }
}

interface Reading {
  readonly lost: Lost[]
  readonly commits: Commits
  readonly fold: (entry: Entry) => void
}

/** Reads the commits of a journal of which every line can be read. */
async function readCommits(
  files: Files,
  directory: string,
  {file, bytes: length}: NamedJournal,
  {lost, commits, fold}: Reading,
): Promise<void> {
  const lose = (byte?: number): void => {
    lost.push({file, ...defined({byte})})
    commits.isOpen = true
  }
  const isThere = await ifThere(
    withFile(files, join(directory, file), (fd, size) => {
      let entries: Entry[] = []
      for (const {line, start} of journalLines(files, fd, Math.min(size, length ?? size))) {
        if (line instanceof Entry) {
          entries.push(line)
          continue
        }
        if (!line) lose(start)
        else {
          const isWhole = line.count === entries.length
          if (!isWhole && !commits.isOpen) lose(start)
          if (isWhole) entries.forEach(fold)
          commits.see(line.sequence, isWhole)
        }
        entries = []
      }
      if (length !== undefined && size < length) lose(size)
      return true
    }),
  )
  if (!isThere) lose()
}
