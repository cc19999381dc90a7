import {type AdminReply, administerServer} from '../../client/local/admin.js'
import {defined} from '../../domain/equal.js'
import {column, kept, type View, whole} from '../output/view.js'
import {durationMs} from '../process/durations.js'
import {didYouMean, usage} from '../process/failure.js'

export type FaultState = AdminReply<'showFaults'>
type FaultRule = FaultState['rules'][number]

/** Replaces the faults of the running server, or shows them without a plan. */
export const faultsOf = (dataDir: string, plan?: object): Promise<FaultState> =>
  plan === undefined
    ? administerServer(dataDir, 'showFaults')
    : administerServer(dataDir, 'setFaults', {body: plan, isRepeatable: true})

export interface FaultFlags {
  readonly operation?: string | undefined
  readonly status?: string | undefined
  readonly locked?: boolean
  readonly latency?: string | undefined
  readonly drop?: string | undefined
  readonly probability?: string | undefined
  readonly times?: number | undefined
  readonly 'retry-after'?: string | undefined
}

/** One rule from flags. Throws a usage error for a rule that does nothing, or is none. */
export function ruleOf(flags: FaultFlags): object {
  const {operation, status, locked, latency, drop, probability = '1', times} = flags
  if (status === undefined && !locked && latency === undefined && drop === undefined) {
    throw usage('Nothing is to go wrong.', 'Add --status, --locked, --latency or --drop, or --plan @FILE.')
  }
  const chance = /^(0|1|0?\.\d+|1\.0+|0\.0+)$/.test(probability) ? Number(probability) : Number.NaN
  if (Number.isNaN(chance)) throw usage(`'${probability}' is not a probability.`, 'Use a number from 0 to 1.')
  const retryAfter = flags['retry-after']
  return {
    probability: chance,
    ...defined({operation, drop, times}),
    ...(status === undefined ? {} : {status: Number(status)}),
    ...(locked ? {locked: true} : {}),
    ...(latency === undefined ? {} : {latencyMs: durationMs(latency, '--latency')}),
    ...(retryAfter === undefined ? {} : {retryAfterSeconds: Math.ceil(durationMs(retryAfter, '--retry-after') / 1000)}),
  }
}

/** A line for each rule: what it does, where, and how often it did. */
export function faultLines({rules, drawn}: FaultState): string {
  if (rules.length === 0) return 'no faults'
  return rules.map((rule, at) => `${effectOf(rule)}; used ${drawn[at] ?? 0} times`).join('\n')
}

function effectOf(rule: FaultRule): string {
  const {operation = 'every operation', probability, status, locked, latencyMs, drop, times} = rule
  const effects = [
    ...(latencyMs === undefined ? [] : [`waits ${latencyMs} ms`]),
    ...(status === undefined ? [] : [`answers ${status}`]),
    ...(locked ? ['answers LockedField'] : []),
    ...(drop === undefined ? [] : [`drops the connection ${drop} the effect`]),
  ]
  const most = times === undefined ? '' : `, ${times} times at the most`
  return `${operation}: ${effects.join(', ')}, with probability ${probability}${most}`
}

type ClockState = AdminReply<'showClock'>

/** Changes the clock of the running server, or shows it. Moving it twice moves it twice as far; all else may be repeated. */
export const clockOf = (dataDir: string, change?: object): Promise<ClockState> =>
  change === undefined
    ? administerServer(dataDir, 'showClock')
    : administerServer(dataDir, 'changeClock', {
        body: change,
        isRepeatable: !('do' in change && change.do === 'advance'),
      })

/** The change of the clock; undefined to only show it. Throws usage for a missing flag or one of another verb. */
export function clockChange(
  verb: 'show' | 'advance' | 'freeze' | 'real',
  {by, at}: {readonly by?: string | undefined; readonly at?: string | undefined},
): object | undefined {
  if (by !== undefined && verb !== 'advance') throw usage('--by belongs to advance.', 'Leave it out.')
  if (at !== undefined && verb !== 'freeze') throw usage('--at belongs to freeze.', 'Leave it out.')
  switch (verb) {
    case 'show':
      return undefined
    case 'real':
      return {do: 'real'}
    case 'advance':
      if (by === undefined) throw usage('`advance` needs a duration.', 'Add --by, as in --by 2h.')
      return {do: 'advance', milliseconds: durationMs(by, '--by')}
    case 'freeze':
      return at === undefined ? {do: 'freeze'} : {do: 'freeze', at: instantOf(at)}
  }
}

function instantOf(text: string): string {
  const milliseconds = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  if (!Number.isNaN(milliseconds)) return new Date(milliseconds).toISOString()
  throw usage(`'${text}' is not a moment.`, 'Write it like 2026-12-24T18:00:00Z, or 2026-12-24 for midnight UTC.')
}

/** An operation that faults on purpose may strike. */
export interface StruckOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
}

export const operationView: View = {
  columns: [whole('id'), kept('summary'), column('path'), column('method')],
}

/** All operations of the API and the authorization service; the administration is never struck. */
export async function struckOperations(): Promise<readonly StruckOperation[]> {
  const {operations} = await import('../../api/index.js')
  return operations.map(({id, method, path, summary}) => ({id, method, path, summary}))
}

/**
 * Throws a usage error for a rule of an operation that does not exist: it would strike nothing, and the test that relies
 * on it would pass untested. Rules that are none are left to the server.
 */
export async function checkOperations(rules: unknown): Promise<void> {
  const asked = (Array.isArray(rules) ? (rules as unknown[]) : []).flatMap((rule) => operationIn(rule) ?? [])
  if (asked.length === 0) return
  const known = await struckOperations()
  for (const text of asked) {
    if (known.some(({id, path}) => text === id || (text.startsWith('/') && path.includes(text)))) continue
    const names = text.startsWith('/')
      ? known.flatMap(({path}) => path.split('/').map((step) => `/${step}`))
      : known.map(({id}) => id)
    const hint = 'All: frontdesk server faults operations.'
    throw usage(`There is no operation '${text}'; no fault was set.`, didYouMean(text, new Set(names)), hint)
  }
}

function operationIn(rule: unknown): string | undefined {
  if (typeof rule !== 'object' || rule === null || !('operation' in rule)) return undefined
  return typeof rule.operation === 'string' ? rule.operation : undefined
}
