import type {FileHandle} from 'node:fs/promises'
import {defined} from '../../domain/equal.js'
import {appendable} from '../../files/private-handle.js'
import {type ProcessIdentity, thisProcess} from '../../files/process-identity.js'
import {Causes} from '../check/causes.js'
import type {Coverage} from '../check/coverage.js'
import {linesOf} from '../files/lines.js'
import {type Counts, type JournalLine, noCounts, type Outcome, type Restore, type RowLine} from './journal-lines.js'
import {KeptRows} from './kept-members.js'
import type {PacePoint} from './pace.js'

/** Lines are written once they have this many characters, or after this time. */
const blockCharacters = 64 << 10
const blockMs = 50

/**
 * The journal of a job: appended in blocks, one write in flight. Intents are flushed before they are sent, so that a
 * row that a kill cuts off is looked up again, never forgotten.
 */
export class Journal<L extends object = JournalLine> {
  readonly path: string
  readonly #file: FileHandle
  #pending = ''
  #writing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  private constructor(path: string, file: FileHandle) {
    this.path = path
    this.#file = file
  }

  /** A new one, which begins with these lines. */
  static async create<L extends object = JournalLine>(path: string, ...lines: readonly L[]): Promise<Journal<L>> {
    const journal = new Journal<L>(path, await appendable(path))
    for (const line of lines) journal.append(line)
    return journal.#begun()
  }

  /** Goes on with a journal, behind its last whole line. */
  static async resume(path: string, wholeBytes: number): Promise<Journal> {
    return (await Journal.after(path, wholeBytes)).#begun()
  }

  /** The same of any lines, without a word. */
  static async after<L extends object = JournalLine>(path: string, wholeBytes: number): Promise<Journal<L>> {
    const file = await appendable(path, true)
    await file.truncate(wholeBytes)
    return new Journal<L>(path, file)
  }

  async #begun(): Promise<this> {
    this.append({run: thisProcess()})
    await this.flush()
    return this
  }

  /** Written soon; `flush` says when. */
  append(line: L | {readonly run: ProcessIdentity}): void {
    this.appendText(JSON.stringify(line))
  }

  /** The same, of a line whose JSON is known. */
  appendText(json: string): void {
    this.#pending += `${json}\n`
    if (!this.#writing) this.#writeSoon()
  }

  /** Waits until everything appended so far is in the file. */
  async flush(): Promise<void> {
    while (this.#writing || this.#pending !== '') {
      this.#write()
      await this.#writing
    }
  }

  #writeSoon(): void {
    if (this.#pending.length >= blockCharacters) this.#write()
    else if (this.#pending !== '') this.#timer ??= setTimeout(() => this.#write(), blockMs)
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#writeBlock()
    // Whoever flushes sees the failure; until then nobody is there to see it.
    this.#writing.catch(() => undefined)
  }

  async #writeBlock(): Promise<void> {
    const text = this.#pending
    this.#pending = ''
    await this.#file.appendFile(text)
    this.#writing = undefined
    this.#writeSoon()
  }

  async close(): Promise<void> {
    try {
      await this.flush()
    } finally {
      await this.#file.close()
    }
  }
}

/** The states of a row in a journal; 0: nothing is known of it. */
const [finished, toCreate, toUpdate] = [1, 2, 3]

/** What a journal says of the job so far. One byte a row, whatever their number. */
export class JobProgress {
  counts: Counts = noCounts
  ending: 'finished' | 'closed' | 'undone' | undefined
  report: string | null = null
  endedAt: string | undefined
  /** The job that took it back. */
  undoneBy: string | undefined
  lastRun: ProcessIdentity | undefined
  readonly pace: PacePoint[] = []
  coverage: Coverage | undefined
  readonly references = new Set<string>()
  readonly causes = new Causes()
  readonly kept = new KeptRows()
  readonly #files: readonly string[]
  #rows = new Uint8Array(1024)
  /** Of rows that are not finished. */
  readonly #restores = new Map<number, Restore>()

  /** `files`: what the places of causes call the files of the job. */
  constructor(files: readonly string[] = []) {
    this.#files = files
  }

  isFinished(row: number): boolean {
    return this.#rows[row] === finished
  }

  /** What was about to be sent for a row that did not finish. */
  intended(row: number): 'create' | 'update' | undefined {
    if (this.#rows[row] === toCreate) return 'create'
    return this.#rows[row] === toUpdate ? 'update' : undefined
  }

  /** Whether a customer is at a version that an undo of this row has led to. */
  hasRestored(row: number, version: number): boolean {
    const {from, upTo} = this.#restores.get(row) ?? {from: 0, upTo: 0}
    return version > from && version <= upTo
  }

  take(line: JournalLine): void {
    if ('run' in line) this.lastRun = line.run
    else if ('undone' in line) [this.ending, this.undoneBy] = ['undone', line.undone.by]
    else if ('pace' in line) this.pace.push(line.pace)
    else if ('coverage' in line) this.coverage = line.coverage
    else if ('references' in line)
      for (const name of line.references) this.references[line.isRefused ? 'delete' : 'add'](name)
    else if ('restores' in line) for (const one of line.restores) this.#restores.set(one.row, one)
    else if ('plan' in line) {
      for (const row of line.plan.create) this.#mark(row, toCreate)
      for (const row of line.plan.update) this.#mark(row, toUpdate)
    } else if ('unsent' in line) {
      for (const row of line.unsent) if (!this.isFinished(row)) this.#rows[row] = 0
    } else if ('row' in line) {
      if (this.isFinished(line.row)) return
      this.#mark(line.row, finished)
      this.#restores.delete(line.row)
      this.counts = countsWith(this.counts, line)
      this.note(line)
    } else if ('end' in line) {
      this.ending = 'finished'
      this.report = line.report
      this.endedAt = line.at
    } else if ('closed' in line) [this.ending, this.endedAt] = ['closed', line.closed.at]
  }

  /** Rows that were to be sent, and whose end nobody noted. */
  open(write: 'create' | 'update'): number {
    const wanted = write === 'create' ? toCreate : toUpdate
    return this.#rows.reduce((open, state) => (state === wanted ? open + 1 : open), 0)
  }

  /** Groups a failed row with those that failed alike, and counts one whose customer keeps something. */
  note(line: RowLine): void {
    const kept = line.outcome === 'failed' ? undefined : line.kept
    if (line.outcome !== 'failed' && !kept) return
    const place = {file: this.#files[line.file ?? 0] ?? '', line: line.line, ...defined({customer: line.customer})}
    if (line.outcome === 'failed') this.causes.add(line, place)
    else if (kept) this.kept.add(place, line.id, kept)
  }

  #mark(row: number, state: number): void {
    if (this.isFinished(row)) return
    if (row >= this.#rows.length) {
      const rows = new Uint8Array(Math.max(row + 1, this.#rows.length * 2))
      rows.set(this.#rows)
      this.#rows = rows
    }
    this.#rows[row] = state
  }
}

export function countsWith(counts: Counts, {outcome}: Outcome): Counts {
  const next = {...counts, read: counts.read + 1}
  // Not as a computed member of the literal, which takes longer than the rest: this runs for every row.
  next[outcome] = (next[outcome] ?? 0) + 1
  return next
}

/** The lines of a journal, and how many bytes they have; a line that a kill cut off is left out. */
export async function* readJournal(path: string): AsyncGenerator<{readonly line: JournalLine; readonly end: number}> {
  for await (const {text, end} of linesOf(path)) {
    const line = parsedLine(text)
    if (line === undefined) return
    yield {line, end}
  }
}

/** A line of a journal; undefined for anything else. */
export function parsedLine(text: string): JournalLine | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as JournalLine) : undefined
  } catch {
    return undefined
  }
}
