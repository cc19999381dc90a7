import {unusualEnds, unusualKinds} from '../../domain/customers/unusual.js'
import {readAsText} from '../../transfer/input/read-as.js'
import type {Counts} from '../../transfer/jobs/journal-lines.js'
import type {TransferEvent} from '../../transfer/run/events.js'
import type {Pressure} from '../../transfer/send/limiter.js'
import type {Io} from '../process/io.js'
import {counted, oneLine} from '../process/sanitize.js'
import {clearedLine} from '../process/terminal.js'
import {causeLine, duplicatesText, joinedText, linesText, namesText} from './cause-lines.js'
import {durationText, type ProgressState, progressBar, progressLine} from './progress.js'

const everyMs = {terminal: 100, pipe: 5000} as const

/** Reports the notes and the progress of a bulk run on stderr. */
export class ProgressReporter {
  readonly #io: Io
  readonly #quiet: boolean
  readonly #terminal: boolean
  readonly #everyMs: number
  readonly #shown: (note: string) => string
  #startedAt: number
  #total = 0
  #before = 0
  #toldAt: number
  #barShown = false
  #state: ProgressState | undefined
  #pressure: Pressure | undefined
  #ticking: NodeJS.Timeout | undefined

  constructor(io: Io, quiet: boolean, shown = (note: string) => note) {
    this.#io = io
    this.#shown = shown
    this.#quiet = quiet
    this.#terminal = io.stderr.isTTY === true
    this.#everyMs = this.#terminal ? everyMs.terminal : everyMs.pipe
    this.#startedAt = io.clock()
    this.#toldAt = this.#startedAt
  }

  /** Updates the progress also while no row finishes, such as during a pause that the server asked for. */
  start(): void {
    this.#ticking ??= setInterval(() => this.tick(), Math.min(this.#everyMs, 1000)).unref()
  }

  tick(): void {
    if (this.#state) this.#progress(this.#state)
  }

  end(): void {
    clearInterval(this.#ticking)
    this.#state = undefined
    this.clear()
  }

  readonly take = (event: TransferEvent): void => {
    if (this.#quiet) return
    const note = noteOf(event)
    if (note !== undefined) this.#note(note)
    if (event.type === 'started') {
      this.#startedAt = this.#io.clock()
      this.#total = event.rows
      this.#before = event.counts.read
      this.#state = this.#writing(event.counts)
    } else if (event.type === 'checking' || event.type === 'exported') {
      const phase = event.type === 'checking' ? 'checking' : 'exporting'
      this.#progress({phase, done: event.rows, before: 0, failed: 0, startedAt: this.#startedAt})
    } else if (event.type === 'throttled') {
      this.#pressure = event.pressure
    } else if (event.type === 'finished-row') {
      this.#progress(this.#writing(event.counts))
    }
  }

  #writing({read, failed}: Counts): ProgressState {
    const [total, before, startedAt] = [this.#total, this.#before, this.#startedAt]
    return {phase: 'writing', total, done: read, before, failed, startedAt}
  }

  #progress(last: ProgressState): void {
    this.#state = last
    const now = this.#io.clock()
    if (now - this.#toldAt < this.#everyMs) return
    this.#toldAt = now
    const state = {...last, pressure: this.#pressure}
    if (this.#terminal) {
      const bar = progressBar(state, now, (this.#io.stderr.columns || 80) - 1)
      this.#io.stderr.write(clearedLine)
      this.#io.stderr.write(oneLine(this.#shown(bar)))
      this.#barShown = true
    } else {
      this.#io.stderr.write(`${oneLine(this.#shown(progressLine(state, now)))}\n`)
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

type Notes = {readonly [T in TransferEvent['type']]?: (event: Extract<TransferEvent, {readonly type: T}>) => string}

/** The notes for people about events; other events only move the progress, or nothing. */
const notes: Notes = {
  'read-as': readAsText,
  ignored: ignoredNote,
  unusual: ({file, kind, column, rows, value, samples = [value], lines, by}) =>
    `${file}: ${counted(rows, 'row has', 'rows have')} ${unusualKinds[kind]}${column === undefined ? '' : ` in '${column}'`}${unusualEnds[kind] ?? ', kept as it is'}; the first ${samples.length > 1 ? 'are' : 'is'} ${samples.map((one) => `'${one}'`).join(', ')} on ${linesText(rows, lines, by)}`,
  unplaced: ({file, rows, column, lines, by}) =>
    `${file}: ${counted(rows, 'row has', 'rows have')} a value in '${column}' but no address to keep it in; it is left out, first on ${linesText(rows, lines, by)}`,
  duplicates: duplicatesText,
  joined: joinedText,
  'without-key': ({rows}) =>
    `${counted(rows, 'customer has no key and is', 'customers have no key and are')} found by email`,
  masked: ({rows}) => `${counted(rows, 'masked password (****) counts', 'masked passwords (****) count')} as absent`,
  hashing: ({passwords, expectedMs}) =>
    `hashing ${passwords} passwords takes about ${durationText(Math.max(1000, expectedMs))} if all rows are new; ready hashes ` +
    '(a passwordHash column) and customers without passwords (--password-mode external-auth) take none',
  'nothing-to-resume': () => 'nothing to resume; starting anew',
  replaced: ({job}) =>
    `takes the place of the unfinished job ${job}: without --resume, or with changed files or map, a run begins anew; frontdesk undo ${job} takes back what it did`,
  'will-fail': willFailNote,
  missing: ({names}) => `missing at the target, and created first: ${namesText(names)}`,
  unchecked: ({what, why}) => `not checked before the run: ${what} (${why})`,
  unreachable: ({rows, member}) => `${rows} rows change ${member}, which no update can set`,
}

function noteOf(event: TransferEvent): string | undefined {
  if (event.type === 'started') {
    return event.counts.read > 0 ? `resuming job ${event.job} after ${event.counts.read} finished rows` : undefined
  }
  return (notes[event.type] as ((known: TransferEvent) => string) | undefined)?.(event)
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
  return `${counted(rows, 'row')} will fail: ${first === undefined ? '' : causeLine(first, 1)}${more}`
}
