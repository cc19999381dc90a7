import type {Pressure} from '../../transfer/send/limiter.js'

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
  readonly pressure?: Pressure | undefined
}

const grouped = (count: number): string => count.toString().replace(/\B(?=(\d{3})+$)/g, ',')

/** `0:07`, `12:34`, `3:04:05`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const two = (value: number): string => value.toString().padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

const rateOf = ({done, before, startedAt}: ProgressState, now: number): number =>
  now > startedAt ? ((done - before) * 1000) / (now - startedAt) : 0

const [surelyMs, earlyMs, earlyShare] = [10_000, 3000, 0.05]

/** Whether enough is known to say how long the rest will take: the first rows are no measure. */
function isForeseeable({done, before, total = 0, startedAt}: ProgressState, now: number): boolean {
  const elapsedMs = now - startedAt
  return elapsedMs >= surelyMs || (elapsedMs >= earlyMs && done - before >= total * earlyShare)
}

/** How the server holds the run back; empty if it never did. */
function pressureText(pressure: Pressure | undefined, now: number): string {
  if (!pressure || pressure.answers === 0) return ''
  const {answers, pausedUntil, limit, most, reason} = pressure
  const pause =
    pausedUntil > now
      ? `, the server asks for a pause of ${durationText(Math.ceil((pausedUntil - now) / 1000) * 1000)}`
      : ''
  const times = answers === 1 ? 'once' : `${grouped(answers)} times`
  const why = reason === undefined ? '' : ` (last: ${reason.replace(/\.$/, '')})`
  return `, throttled ${times}${why}, ${limit} of ${most} requests at once${pause}`
}

export function progressLine(state: ProgressState, now: number): string {
  const {phase, total, done, failed} = state
  const rate = rateOf(state, now)
  if (phase === 'exporting') return `${grouped(done)} customers exported, ${grouped(Math.round(rate))}/s`
  if (phase === 'checking' || total === undefined) return `${grouped(done)} rows checked`
  const left =
    rate > 0 && done < total && isForeseeable(state, now)
      ? `, ${durationText(((total - done) / rate) * 1000)} left`
      : ''
  const head = `${grouped(done)} of ${grouped(total)} rows, ${grouped(Math.round(rate))} rows/s, ${grouped(failed)} failed`
  return `${head}${left}${pressureText(state.pressure, now)}`
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
