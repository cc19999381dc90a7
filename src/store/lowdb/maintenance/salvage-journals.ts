import {join} from 'node:path'
import {StateError} from '../../../domain/errors.js'
import {LazyEntry} from '../format/entry.js'
import {type Files, hasCode} from '../format/files.js'
import type {JournalFile} from '../format/manifest.js'
import {parsedLine} from '../format/record.js'
import {linesOf, type Recovered} from '../format/recovery.js'
import {journalEnd} from '../journal/load.js'
import {Memtable} from '../memory/memtable.js'
import {type CommitRange, type Lost, type NamedJournal, openIfThere, type Present, type Rewritten} from './salvaged.js'

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
  const folded = new Map<string, {kind: string; lines: Memtable; grown: number}>()
  const kept: JournalFile[] = []
  let follows = true
  for (const journal of journals) {
    const end = await endOf(files, directory, journal)
    if (end && isNamed(journal)) kept.push({...journal, bytes: end.length})
    commits.expect(journal.first)
    const isWhole = await readLines(
      files,
      directory,
      end ? {...journal, bytes: end.length} : journal,
      lost,
      (bytes) => {
        const line = parsedLine(bytes)
        if (line) commits.see(line.sequence)
        else commits.isOpen = true
        for (const operation of line?.operations ?? []) {
          const {kind, id, expect, version, body} = operation
          follows &&= present.has(kind, id) === expect > 0
          const into = folded.get(kind) ?? {kind, lines: new Memtable(), grown: 0}
          folded.set(kind, into)
          into.grown += present.set(kind, id, version > 0)
          into.lines.put(new LazyEntry(operation, body === undefined ? undefined : Buffer.from(body)), 0, false)
        }
        return line !== undefined
      },
    )
    if (!isWhole) commits.isOpen = true
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
    return await journalEnd(files, join(directory, journal.file), journal)
  } catch (error) {
    if (hasCode(error, 'ENOENT') || (error instanceof StateError && error.code === 'StateCorrupt')) return undefined
    throw error
  }
}

/** The sequence numbers that were read. */
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

  see(sequence: number): void {
    this.expect(sequence)
    this.isOpen = false
    this.#next = Math.max(sequence + 1, this.#next ?? 0)
    this.last = Math.max(this.last, sequence)
  }

  get missing(): CommitRange[] {
    return this.isOpen ? [...this.#gaps, {from: this.#next ?? 1}] : this.#gaps
  }
}

/** Reads the lines of a journal; returns whether its length is the recorded one. */
async function readLines(
  files: Files,
  directory: string,
  {file, bytes: length}: NamedJournal,
  lost: Lost[],
  take: (line: Buffer) => boolean,
): Promise<boolean> {
  const opened = await openIfThere(files, join(directory, file))
  if (!opened) {
    lost.push({file})
    return false
  }
  const {fd, size} = opened
  try {
    for (const {bytes, start} of linesOf(files, fd, Math.min(size, length ?? size))) {
      if (!take(bytes)) lost.push({file, byte: start})
    }
    const isWhole = length === undefined || size >= length
    if (!isWhole) lost.push({file, byte: size})
    return isWhole
  } finally {
    await files.close(fd)
  }
}
