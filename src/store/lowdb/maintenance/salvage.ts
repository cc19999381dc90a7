import {join} from 'node:path'
import {LazyEntry} from '../format/entry.js'
import {type Files, hasCode} from '../format/files.js'
import {type JournalFile, newestReadableManifest} from '../format/manifest.js'
import {openPrivate} from '../format/private.js'
import {parsedLine, parsedRunLine} from '../format/record.js'
import {linesOf} from '../format/recovery.js'
import {generationOf} from '../journal/manifest-writer.js'
import {Overlay} from '../memory/memtable.js'

/** A place in a file that cannot be read. */
export interface Lost {
  readonly file: string
  /** Absent if the whole file is missing. */
  readonly byte?: number
}

/** Sequence numbers of commits, both included; without an end nobody knows how many there were. */
export interface CommitRange {
  readonly from: number
  readonly to?: number
}

export interface Salvaged {
  readonly kinds: ReadonlyMap<string, Overlay>
  readonly lost: readonly Lost[]
  /** Commits that cannot be read. What they removed or revoked is there again. */
  readonly undone: readonly CommitRange[]
  /** The highest sequence that was seen. */
  readonly last: number
}

/** Everything that can be read of a project's files, oldest first, whatever is wrong with the rest. */
export async function salvage(files: Files, directory: string): Promise<Salvaged> {
  const kinds = new Map<string, Overlay>()
  const lost: Lost[] = []
  const {runs, journals} = await filesOf(files, directory)
  for (const {file, kind} of runs) {
    const overlay = overlayOf(kinds, kind)
    await readLines(files, directory, {file}, lost, (line) => {
      const parsed = parsedRunLine(line)
      // A copy, since the line lies in a chunk of the file.
      if (parsed) overlay.put(new LazyEntry(parsed.head, parsed.body && Buffer.from(parsed.body)), 0, true)
      return parsed !== undefined
    })
  }
  const commits = new Commits()
  for (const journal of journals) {
    commits.expect(journal.first)
    const isWhole = await readLines(files, directory, journal, lost, (bytes) => {
      const line = parsedLine(bytes)
      for (const operation of line?.operations ?? []) {
        const body = operation.body === undefined ? undefined : Buffer.from(operation.body)
        overlayOf(kinds, operation.kind).put(new LazyEntry(operation, body), 0, true)
      }
      if (line) commits.see(line.sequence)
      else commits.isOpen = true
      return line !== undefined
    })
    if (!isWhole) commits.isOpen = true
  }
  return {kinds, lost, undone: commits.missing, last: commits.last}
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

function overlayOf(kinds: Map<string, Overlay>, kind: string): Overlay {
  const present = kinds.get(kind) ?? new Overlay()
  kinds.set(kind, present)
  return present
}

type Named = Pick<JournalFile, 'file' | 'bytes'> & {readonly first?: number}

/** Runs and journals, oldest first: as the newest manifest says, or by their names if none can be read. */
async function filesOf(
  files: Files,
  directory: string,
): Promise<{runs: readonly {file: string; kind: string}[]; journals: readonly Named[]}> {
  const manifest = await newestReadableManifest(files, directory)
  if (manifest) return {runs: [...manifest.runs].reverse(), journals: manifest.journals}
  const sorted = [...(await files.list(directory))].sort((a, b) => generationOf(a) - generationOf(b))
  const runs = sorted
    .filter((name) => /\.\d+\.ndjson$/.test(name))
    .map((file) => ({file, kind: decodeURIComponent(file.replace(/\.\d+\.ndjson$/, ''))}))
  const journals = sorted.filter((name) => /^journal\.\d+\.jsonl$/.test(name)).map((file) => ({file}))
  return {runs, journals}
}

/** Returns whether the file is as long as it was. */
async function readLines(
  files: Files,
  directory: string,
  {file, bytes: length}: Named,
  lost: Lost[],
  take: (line: Buffer) => boolean,
): Promise<boolean> {
  let opened: {fd: number; size: number}
  try {
    opened = await openPrivate(files, join(directory, file), 'read')
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
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
