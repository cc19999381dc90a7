import {unusualKinds} from '../../domain/customers/unusual.js'
import {defined} from '../../domain/equal.js'
import {readAsText} from '../../transfer/input/read-as.js'
import type {TransferEvent} from '../../transfer/run/events.js'
import type {Pressure} from '../../transfer/send/limiter.js'
import type {Io} from '../process/io.js'
import {oneLine} from '../process/sanitize.js'
import {clearedLine} from '../process/terminal.js'
import {causeLine} from './cause-lines.js'
import type {ProgressState, RateMeter} from './progress.js'

const everyMs = {terminal: 100, pipe: 5000} as const

type Texts = typeof import('./progress.js')

/** Reports the notes and the progress of a bulk run on stderr. */
export class ProgressReporter {
  readonly #io: Io
  readonly #quiet: boolean
  readonly #terminal: boolean
  readonly #texts: Texts
  readonly #shown: (note: string) => string
  #startedAt: number
  #total = 0
  #before = 0
  #toldAt: number
  #barShown = false
  #state: ProgressState | undefined
  #meter: RateMeter | undefined
  #pressure: Pressure | undefined
  #ticking: NodeJS.Timeout | undefined

  private constructor(io: Io, quiet: boolean, texts: Texts, shown: (note: string) => string) {
    this.#io = io
    this.#shown = shown
    this.#quiet = quiet
    this.#texts = texts
    this.#terminal = io.stderr.isTTY === true
    this.#startedAt = io.clock()
    this.#toldAt = this.#startedAt
  }

  /** `shown` redacts a note. */
  static async create(io: Io, quiet: boolean, shown = (note: string) => note): Promise<ProgressReporter> {
    return new ProgressReporter(io, quiet, await import('./progress.js'), shown)
  }

  /** Updates the progress also while no row finishes, such as during a pause that the server asked for. */
  start(): void {
    this.#ticking ??= setInterval(() => this.tick(), Math.min(this.#everyMs, 1000)).unref()
  }

  tick(): void {
    if (this.#state) this.#progress(this.#state)
  }

  /** Stops reporting. */
  end(): void {
    clearInterval(this.#ticking)
    this.#state = undefined
    this.clear()
  }

  get #everyMs(): number {
    return this.#terminal ? everyMs.terminal : everyMs.pipe
  }

  readonly take = (event: TransferEvent): void => {
    if (this.#quiet) return
    const note = noteOf(event, this.#texts.durationText)
    if (note !== undefined) this.#note(note)
    if (event.type === 'started') {
      this.#startedAt = this.#io.clock()
      this.#total = event.rows
      this.#before = event.counts.read
      this.#meter = new this.#texts.RateMeter(this.#startedAt, this.#before)
      this.#state = this.#texts.writingState(this.#total, event.counts, this.#before, this.#startedAt)
    }
    if (event.type === 'checking') this.#progress(this.#texts.checkingState(event.rows, this.#startedAt))
    if (event.type === 'exported') this.#progress(this.#texts.exportingState(event.rows, this.#startedAt))
    if (event.type === 'throttled') this.#pressure = event.pressure
    if (event.type === 'finished-row') {
      this.#meter?.note(this.#io.clock(), event.counts.read)
      this.#progress(this.#texts.writingState(this.#total, event.counts, this.#before, this.#startedAt))
    }
  }

  #progress(last: ProgressState): void {
    this.#state = last
    const now = this.#io.clock()
    if (now - this.#toldAt < this.#everyMs) return
    this.#toldAt = now
    const rate = last.phase === 'writing' ? this.#meter?.rate(now, last.done) : undefined
    const state = {...last, pressure: this.#pressure, ...defined({rate})}
    if (this.#terminal) {
      const bar = this.#texts.progressBar(state, now, (this.#io.stderr.columns || 80) - 1)
      this.#io.stderr.write(clearedLine)
      this.#io.stderr.write(oneLine(this.#shown(bar)))
      this.#barShown = true
    } else {
      this.#io.stderr.write(`${oneLine(this.#shown(this.#texts.progressLine(state, now)))}\n`)
    }
  }

  #note(text: string): void {
    this.clear()
    this.#io.stderr.write(`${oneLine(this.#shown(text))}\n`)
  }

  /** Clears the progress bar, so that other output starts on a new line. */
  clear(): void {
    if (!this.#barShown) return
    this.#io.stderr.write(clearedLine)
    this.#barShown = false
  }
}

function unusualNote({file, kind, rows, value, lines}: Extract<TransferEvent, {type: 'unusual'}>): string {
  const have = `${rows} ${rows === 1 ? 'row has' : 'rows have'} ${unusualKinds[kind]}`
  return `${file}: ${have}, kept as it is; the first is '${value}' on ${linesText(rows, lines)}`
}

/** `line 2`, or `line 2 (and 3, 5, …)`. */
function linesText(rows: number, [first, ...others]: readonly number[]): string {
  const more = rows > others.length + 1 ? [...others, '…'] : others
  return more.length === 0 ? `line ${first}` : `line ${first} (and ${more.join(', ')})`
}

const mostColumns = 100

/** Columns that are left out for the same reason stand together; the first hundred of a file are named. */
function ignoredNote({file, columns, reasons = {}}: Extract<TransferEvent, {type: 'ignored'}>): string {
  const groups = new Map<string, string[]>()
  for (const column of columns.slice(0, mostColumns)) {
    const reason = Object.hasOwn(reasons, column) ? ` (${reasons[column]})` : ''
    const names = groups.get(reason)
    if (names) names.push(column)
    else groups.set(reason, [column])
  }
  const more = columns.length > mostColumns ? `; and ${columns.length - mostColumns} more` : ''
  return `ignored columns of ${file}: ${[...groups].map(([reason, names]) => names.join(', ') + reason).join('; ')}${more}`
}

function willFailNote({
  rows,
  causes: {causes = [], moreCauses = 0},
}: Extract<TransferEvent, {type: 'will-fail'}>): string {
  const [first] = causes
  const others = causes.length - 1 + moreCauses
  const more = others > 0 ? ` and ${others} more ${others === 1 ? 'cause' : 'causes'} (--dry-run shows them)` : ''
  return `${rows} ${rows === 1 ? 'row' : 'rows'} will fail: ${first === undefined ? '' : causeLine(first, 1)}${more}`
}

const hashingNote = (passwords: number, time: string): string =>
  `hashing ${passwords} passwords takes about ${time} if all rows are new; ready hashes (a passwordHash column) and ` +
  'customers without passwords (--password-mode external-auth) take none'

function noteOf(event: TransferEvent, duration: (milliseconds: number) => string): string | undefined {
  switch (event.type) {
    case 'read-as':
      return readAsText(event)
    case 'ignored':
      return ignoredNote(event)
    case 'unusual':
      return unusualNote(event)
    case 'unplaced': {
      const rows = event.rows === 1 ? '1 row has' : `${event.rows} rows have`
      return `${event.file}: ${rows} a value in '${event.column}' but no address to keep it in; it is left out, first on ${linesText(event.rows, event.lines)}`
    }
    case 'unjoined': {
      const rows = event.rows === 1 ? '1 row belongs' : `${event.rows} rows belong`
      return `${event.file}: ${rows} to no customer that is imported, first on ${linesText(event.rows, event.lines)}`
    }
    case 'without-key':
      return `${event.rows === 1 ? '1 customer has no key and is' : `${event.rows} customers have no key and are`} found by email`
    case 'masked':
      return `${event.rows} masked passwords (****) count as absent`
    case 'hashing':
      return hashingNote(event.passwords, duration(Math.max(1000, event.expectedMs)))
    case 'started':
      return event.counts.read > 0 ? `resuming job ${event.job} after ${event.counts.read} finished rows` : undefined
    case 'nothing-to-resume':
      return 'nothing to resume; starting anew'
    case 'will-fail':
      return willFailNote(event)
    case 'unchecked':
      return `not checked before the run: ${event.what} (${event.why})`
    case 'unreachable':
      return `${event.rows} rows want another ${event.member}, which no update can set`
    case 'already-finished':
    case 'causes':
    case 'checking':
    case 'checked':
    case 'planned':
    case 'invalid-row':
    case 'finished-row':
    case 'retry':
    case 'throttled':
    case 'exported':
      return undefined
  }
}
