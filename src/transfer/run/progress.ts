import type {Counts} from '../jobs/journal-lines.js'

/** How far a run is. Plain data; what it looks like is decided below. */
export interface ProgressState {
  readonly phase: 'checking' | 'writing' | 'exporting'
  /** Rows in all; unknown while they are read for the first time. */
  readonly total?: number
  readonly done: number
  /** Rows that earlier runs of the job finished. */
  readonly before: number
  readonly failed: number
  readonly startedAt: number
}

const countingState =
  (phase: ProgressState['phase']) =>
  (rows: number, startedAt: number): ProgressState => ({phase, done: rows, before: 0, failed: 0, startedAt})

export const checkingState = countingState('checking')
export const exportingState = countingState('exporting')

export const writingState = (total: number, counts: Counts, before: number, startedAt: number): ProgressState => ({
  phase: 'writing',
  total,
  done: counts.read,
  before,
  failed: counts.failed,
  startedAt,
})

const grouped = (count: number): string => count.toString().replace(/\B(?=(\d{3})+$)/g, ',')

/** `0:07`, `12:34`, `3:04:05`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const two = (value: number): string => value.toString().padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** Rows a second of this run. */
const rateOf = ({done, before, startedAt}: ProgressState, now: number): number =>
  now > startedAt ? ((done - before) * 1000) / (now - startedAt) : 0

/** One line that says where the run is, for logs. */
export function progressLine(state: ProgressState, now: number): string {
  const {phase, total, done, failed} = state
  const rate = rateOf(state, now)
  if (phase === 'exporting') return `${grouped(done)} customers exported, ${grouped(Math.round(rate))}/s`
  if (phase === 'checking' || total === undefined) return `${grouped(done)} rows checked`
  const left = rate > 0 && done < total ? `, ${durationText(((total - done) / rate) * 1000)} left` : ''
  return `${grouped(done)} of ${grouped(total)} rows, ${grouped(Math.round(rate))} rows/s, ${grouped(failed)} failed${left}`
}

const barCells = 24

/** The same with a bar in front, cut to the width of a terminal. */
export function progressBar(state: ProgressState, now: number, columns: number): string {
  const {total, done} = state
  const line = progressLine(state, now)
  if (total === undefined || total === 0) return line.slice(0, columns)
  const full = Math.floor((barCells * Math.min(done, total)) / total)
  return `[${'#'.repeat(full)}${' '.repeat(barCells - full)}] ${line}`.slice(0, columns)
}
