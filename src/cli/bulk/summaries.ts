import type {CauseMembers} from '../../transfer/check/causes.js'
import type {ImportResult} from '../../transfer/import.js'
import type {PlanKind, PlannedRow, PlanResult} from '../../transfer/plan.js'
import type {BroughtReferences} from '../../transfer/target/references.js'
import {oneLine} from '../process/sanitize.js'
import {causeLines, positionText} from './cause-lines.js'
import type {RunNotes} from './rows.js'

const outcomes = ['deleted', 'restored', 'created', 'updated', 'unchanged', 'skipped', 'failed'] as const

const rowsText = (count: number): string => (count === 1 ? '1 row' : `${count} rows`)

/** What an import did, for people. */
export function importLines(result: ImportResult & RunNotes, fileCount = 1): string {
  const parts = outcomes.filter((name) => (result[name] ?? 0) > 0).map((name) => `${result[name]} ${name}`)
  const counts = `${rowsText(result.read)}: ${parts.length > 0 ? parts.join(', ') : 'nothing to do'}`
  const {alreadyFinished, finishedAt} = result
  const when = finishedAt === undefined ? '' : ` at ${finishedAt}`
  return [
    ...(alreadyFinished ? [`the job had finished${when}; nothing was done`, `it counted ${counts}`] : [counts]),
    ...throttledLines(result),
    ...causeLines(result, fileCount),
    ...(result.report === null ? [] : [`failed rows: ${oneLine(result.report)}`]),
    `job: ${result.job}`,
  ].join('\n')
}

function throttledLines({throttled}: RunNotes): string[] {
  if (!throttled) return []
  const {answers, pausedMs} = throttled
  const pause = pausedMs === 0 ? '' : `, and asked for ${Math.ceil(pausedMs / 1000)} s of pause in all`
  return [`throttled: the server answered 429 or 503 ${answers === 1 ? 'once' : `${answers} times`}${pause}`]
}

/** What was brought beside the customers, or would be: absent without `--with-references`. */
export interface Beside {
  readonly references?: BroughtReferences
  /** Values of custom fields that point at what the target does not have. */
  readonly valuesLeftOut?: number
}

/** What a copy brings beside customers and leaves out, for people; nothing without `--with-references`. */
export function referenceLines({references, valuesLeftOut = 0}: Beside, verb: string): string[] {
  if (!references) return []
  const {types, customerGroups, stores} = references
  const parts = [counted(types, 'type'), counted(customerGroups, 'customer group'), counted(stores, 'store')]
  const left = `left out: ${counted(valuesLeftOut, 'value')} of custom fields that point at what the target lacks`
  return [`${verb}: ${parts.join(', ')}`, ...(valuesLeftOut > 0 ? [left] : [])]
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

const kinds: readonly PlanKind[] = ['create', 'update', 'unchanged', 'skipped', 'conflict']

/** What an import of so many files would do, with the first rows of each kind, for people. */
export function planLines(plan: PlanResult & CauseMembers, fileCount = 1): string {
  const parts = [...kinds, 'invalid' as const].map((name) => `${plan[name]} ${name}`)
  const causes = plan.causes ?? []
  const asCauses = (kind: string): string[] =>
    causeLines({causes: causes.filter((cause) => cause.kind === kind)}, fileCount).map(
      (line) => `${kind.padEnd(9)} ${line}`,
    )
  const shown = kinds.flatMap((kind) =>
    kind === 'conflict' && plan.conflict > plan.first.conflict.length
      ? asCauses(kind)
      : [...plan.first[kind].map(planLine(kind, fileCount)), ...moreLines(kind, plan[kind] - plan.first[kind].length)],
  )
  return [
    `${rowsText(plan.read)}: ${parts.join(', ')}`,
    ...shown,
    ...asCauses('invalid'),
    ...causeLines({...plan, causes: []}, fileCount),
  ].join('\n')
}

/** The count above has all of them; lines are for a look. */
const moreLines = (kind: string, left: number): string[] =>
  left > 0 ? [`${kind.padEnd(9)} and ${left} more (customers diff shows each)`] : []

const planLine =
  (kind: PlanKind, fileCount: number) =>
  ({identity, actions, reason, ...place}: PlannedRow): string => {
    const why = actions ? `: ${actions.join(', ')}` : reason === undefined ? '' : `: ${reason}`
    return oneLine(`${kind.padEnd(9)} ${place.customer ?? `${positionText(place, fileCount)} ${identity}`}${why}`)
  }
