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

/** What the journals say beyond the segments. */
export interface SalvagedJournals {
  /** Absent if their commits are `folded`. */
  readonly journals?: readonly JournalFile[]
  /** What the commits made of the documents, for new segments above the others; empty if the journals stay. */
  readonly folded: readonly Rewritten[]
  readonly undone: readonly CommitRange[]
  readonly last: number
}

/**
 * Reads journals, oldest first. They stay as they are if all are whole and follow from the segments: a journal counts
 * documents by what each commit expected, which is no longer so once something below it is lost.
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

/** Where a journal ends; nothing if it is damaged, missing, or named by no manifest. */
async function endOf(files: Files, directory: string, journal: NamedJournal): Promise<Recovered | undefined> {
  if (!isNamed(journal)) return undefined
  try {
    return await journalEnd(files, join(directory, journal.file), journal)
  } catch (error) {
    if (hasCode(error, 'ENOENT') || (error instanceof StateError && error.code === 'StateCorrupt')) return undefined
    throw error
  }
}

/** Which sequence numbers were seen. */
class Commits {
  last = 0
  /** Whether something behind the last one that was seen cannot be read. */
  isOpen = false
  readonly #gaps: CommitRange[] = []
  #next: number | undefined

  /** The next commit should have this number. */
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

/** Returns whether the file is as long as it was. */
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
