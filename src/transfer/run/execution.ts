import type {CheckedRow} from '../check/checked-rows.js'
import {countsWith} from '../jobs/journal.js'
import type {Counts, Outcome, RowFailure} from '../jobs/journal-lines.js'
import {paceOf} from '../jobs/pace.js'
import {failureOf, namedBy, reportedRow, withoutSecrets} from '../jobs/record.js'
import {writeReport} from '../jobs/report.js'
import {ahead, batchesOf} from '../send/batches.js'
import {classifyFailure} from '../send/sender.js'
import {NoResetLink} from '../write/reset-links.js'
import type {IntendedWrite} from '../write/write-row.js'
import type {Listener} from './events.js'
import type {FailureLimit} from './failure-limit.js'
import type {OpenJob} from './open-job.js'
import {concernsAll, RunStopped} from './run-stopped.js'
import {waitingRows} from './waiting-rows.js'

interface Decided {
  readonly row: CheckedRow
  readonly kind: string
}

interface ExecutionOptions<P extends Decided> extends OpenJob {
  /** What places call the files of the job. */
  readonly files: readonly string[]
  /** Where failed rows go. */
  readonly reportPath: string
  readonly pieces: AsyncIterable<readonly P['row'][]>
  readonly plan: (rows: readonly P['row'][]) => Promise<readonly P[]>
  /** Refusals are outcomes; throws only for what stops the run or may pass. */
  readonly writer: {write(planned: P, intended: IntendedWrite): Promise<Outcome>}
  /** Whether a row that the target refused for a value of another customer is to be tried again after the others. */
  readonly waits?: (planned: P) => Promise<boolean>
  /** Rows at work at the same time, asked after each plan. */
  readonly rowsAtWork: number
  readonly limit?: FailureLimit
  readonly onEvent: Listener
  readonly signal?: AbortSignal
  /** Absent: by `--resume`. */
  readonly again?: string
  /** Brings to disk what the rows have left beside the journal. */
  readonly flush?: (() => Promise<void>) | undefined
  /** What has to be done before the job counts as finished. */
  readonly last?: (counts: Counts) => Promise<void>
  /** The clock by which the journal notes the pace. */
  readonly now: () => number
}

/** Brings every row of a job to its end, reports those that failed in a table, and ends its journal. Throws RunStopped. */
export async function carryOut<P extends Decided>(
  options: ExecutionOptions<P>,
): Promise<{readonly counts: Counts; readonly report: string | null}> {
  const {journal, files} = options
  try {
    const counts = await new Execution<P>(options).run()
    const report = counts.failed > 0 ? options.reportPath : null
    if (report !== null) await writeReport(journal.path, report, files)
    journal.append({end: counts, report, at: new Date(options.now()).toISOString()})
    await journal.close()
    return {counts, report}
  } catch (error) {
    // A journal that cannot be written says so again; what stopped the run says more.
    await journal.close().catch(() => undefined)
    throw error
  }
}

const updates: readonly string[] = ['update', 'delete', 'restore']

/** After this many rows in a row that exhausted their retries the server counts as down, not the rows as bad. */
const maxConsecutiveFailures = 5

/** Brings all rows to their end: written, left alone or failed, each in the journal. */
class Execution<P extends Decided> {
  readonly #options: ExecutionOptions<P>
  #counts: Counts
  #working = 0
  /** Rows that were planned by this run alone, and not sent so far. */
  #unsent = new Set<number>()
  #stop: {readonly cause: unknown} | undefined
  #wake: (() => void) | undefined
  /** Rows that exhausted their retries since the last success; recorded once another row succeeds, or at the end. */
  #unrecorded: {readonly row: CheckedRow; readonly outcome: RowFailure}[] = []
  readonly #waiting: ReturnType<typeof waitingRows<P>>
  readonly #columnsTold = new Set<number>()
  readonly #pace: ReturnType<typeof paceOf>

  constructor(options: ExecutionOptions<P>) {
    this.#options = options
    this.#counts = options.progress.counts
    this.#pace = paceOf(options.now)
    this.#waiting = waitingRows<P>(options)
  }

  /** Throws RunStopped when it ends early. */
  async run(): Promise<Counts> {
    const {job, journal, plan, progress, signal, again} = this.#options
    journal.append(this.#pace.start(this.#counts.read))
    const isStopped = (): boolean => this.#stop !== undefined
    try {
      for await (const planned of ahead(batchesOf(this.#open()), plan)) if (!isStopped()) await this.#batch(planned)
      while (this.#working > 0) await this.#oneDone()
      const left = await this.#waiting.end((entry) => this.#write(entry), isStopped)
      for (const {entry, error} of left) this.#failed(entry.row, error)
    } catch (error) {
      this.#stop ??= {cause: error}
    }
    while (this.#working > 0) await this.#oneDone()
    if (!this.#stop) for (const {row, outcome} of this.#unrecorded) this.#record(row, outcome)
    else if (this.#unsent.size > 0) journal.append({unsent: [...this.#unsent]})
    this.#notePace(true)
    try {
      await journal.flush()
      await this.#options.flush?.()
      if (!this.#stop) await this.#options.last?.(this.#counts)
    } catch (cause) {
      this.#stop ??= {cause}
    }
    if (!this.#stop) return this.#counts
    const causes = progress.causes.members
    throw new RunStopped(job, this.#counts, signal?.aborted === true, this.#stop.cause, {causes, again})
  }

  /** The rows that are not finished yet and can be planned; broken ones are finished on the way. */
  async *#open(): AsyncGenerator<P['row'][]> {
    const {pieces, signal, progress} = this.#options
    for await (const rows of pieces) {
      signal?.throwIfAborted()
      const open: P['row'][] = []
      for (const row of rows) {
        if (this.#stop) return
        if (progress.isFinished(row.number)) continue
        const [first] = row.issues
        if (!first) open.push(row)
        else {
          const message = row.issues.map((issue) => issue.message).join(' ')
          this.#record(row, {outcome: 'failed', code: first.code, message})
        }
      }
      yield open
    }
  }

  async #batch(planned: readonly P[]): Promise<void> {
    const {journal, progress, limit, rowsAtWork} = this.#options
    const create: number[] = []
    const update: number[] = []
    for (const {kind, row} of planned) {
      if (kind === 'create') create.push(row.number)
      else if (updates.includes(kind)) update.push(row.number)
    }
    if (create.length + update.length > 0) {
      this.#unsent = new Set([...create, ...update].filter((row) => progress.intended(row) === undefined))
      journal.append({plan: {create, update}})
      await journal.flush()
    }
    for (const entry of planned) {
      while (this.#working >= rowsAtWork) await this.#oneDone()
      if (this.#stop) return
      this.#options.signal?.throwIfAborted()
      limit?.begin(entry.row.number)
      this.#unsent.delete(entry.row.number)
      void this.#write(entry)
    }
  }

  #oneDone(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  async #write(planned: P): Promise<void> {
    const {writer, progress} = this.#options
    const {row} = planned
    this.#working += 1
    try {
      const outcome = await writer.write(planned, progress.intended(row.number))
      for (const {row: failed, outcome: failure} of this.#unrecorded) this.#record(failed, failure)
      this.#unrecorded = []
      this.#record(row, outcome)
    } catch (error) {
      if (!(await this.#waiting.takes(planned, error))) this.#failed(row, error)
    } finally {
      this.#working -= 1
      this.#wake?.()
    }
  }

  #failed(row: CheckedRow, error: unknown): void {
    if (error instanceof NoResetLink) {
      this.#stop ??= {cause: error.cause}
      return
    }
    const refusal = withoutSecrets(failureOf(error), row)
    if (!refusal || concernsAll(error, this.#counts)) {
      this.#stop ??= {cause: error}
    } else if (!classifyFailure(error).repeat) {
      this.#record(row, refusal)
    } else {
      this.#unrecorded.push({row, outcome: refusal})
      if (this.#unrecorded.length >= maxConsecutiveFailures) this.#stop ??= {cause: error}
    }
  }

  #notePace(isEnd: boolean): void {
    const line = this.#pace.line(this.#counts.read, isEnd)
    if (line) this.#options.journal.append(line)
  }

  #record(row: CheckedRow, outcome: Outcome): void {
    const {journal, progress, limit, onEvent, files} = this.#options
    const {place} = row
    const file = files.length > 1 ? files.indexOf(place.file) : 0
    if (outcome.outcome === 'failed' && row.columns && !this.#columnsTold.has(file)) {
      this.#columnsTold.add(file)
      journal.append({file, columns: row.columns.filter((column) => column !== '')})
    }
    const {number} = row
    // One spread: this runs for every row, and each further one costs a microsecond.
    const ended =
      file > 0 ? {row: number, line: place.line, file, ...outcome} : {row: number, line: place.line, ...outcome}
    const line =
      outcome.outcome === 'failed'
        ? {...ended, ...reportedRow(row)}
        : outcome.kept
          ? {...ended, ...namedBy(row)}
          : ended
    journal.append(line)
    progress.note(line)
    this.#counts = countsWith(this.#counts, outcome)
    this.#notePace(false)
    onEvent({type: 'finished-row', place, outcome, counts: this.#counts})
    try {
      limit?.note(number, outcome, this.#counts)
    } catch (error) {
      this.#stop ??= {cause: error}
    }
  }
}
