import type {ImportResult} from '../../transfer/import.js'
import type {KeptMembers} from '../../transfer/jobs/kept-members.js'
import type {PlanResult} from '../../transfer/plan.js'
import type {BroughtReferences} from '../../transfer/target/references.js'
import {counted, oneLine} from '../process/sanitize.js'
import {causeLines, joinedText, membersText, positionText} from './cause-lines.js'
import type {RunNotes} from './rows.js'

const outcomes = ['deleted', 'restored', 'created', 'updated', 'unchanged', 'skipped', 'failed'] as const

const shownKept = 20

export function importLines(result: ImportResult & RunNotes, fileCount = 1): string {
  const parts = outcomes.filter((name) => (result[name] ?? 0) > 0).map((name) => `${result[name]} ${name}`)
  const counts = `${counted(result.read, 'row')}: ${parts.length > 0 ? parts.join(', ') : 'nothing to do'}`
  const {alreadyFinished, finishedAt} = result
  const when = finishedAt === undefined ? '' : ` at ${finishedAt}`
  return [
    ...(alreadyFinished ? [`the job had finished${when}; nothing was done`, `it counted ${counts}`] : [counts]),
    ...throttledLines(result),
    ...(result.joins ?? []).map((one) => oneLine(joinedText(one))),
    ...keptLines(result, fileCount),
    ...causeLines(result, fileCount),
    ...(result.report === null ? [] : [`failed rows: ${oneLine(result.report)}`]),
    `job: ${result.job}`,
  ].join('\n')
}

export function keptLines({kept}: {readonly kept?: KeptMembers}, fileCount: number): string[] {
  if (!kept) return []
  const {rows, members, first} = kept
  const each = Object.entries(members).map(([name, count]) => `${name} ${count}`)
  const places = first.slice(0, shownKept).map((row) => `${positionText(row, fileCount)} ${membersText(row.members)}`)
  return [
    `kept in ${counted(rows, 'row')}, as changed at the target since the last run: ${each.join(', ')} (--on-newer overwrite replaces it)`,
    ...places.map((text) => `  ${text}`),
    ...(rows > places.length ? [`  and ${rows - places.length} more (--json lists a hundred)`] : []),
  ].map(oneLine)
}

function throttledLines({throttled}: RunNotes): string[] {
  if (!throttled) return []
  const {answers, pausedMs} = throttled
  const pause = pausedMs === 0 ? '' : `, and asked for ${Math.ceil(pausedMs / 1000)} s of pause in all`
  return [`throttled: the server answered 429 or 503 ${answers === 1 ? 'once' : `${answers} times`}${pause}`]
}

/** The references that a copy creates beside the customers, or would create; absent without `--with-references`. */
export interface CopiedReferences {
  readonly references?: BroughtReferences
  /** Values of custom fields that point at what the target does not have. */
  readonly valuesLeftOut?: number
}

/**
 * Lines about the references that a copy creates and the values that it leaves out; none without `--with-references`.
 */
export function referenceLines({references, valuesLeftOut = 0}: CopiedReferences, verb: string): string[] {
  if (!references) return []
  const {types, customerGroups, stores} = references
  const parts = [counted(types, 'type'), counted(customerGroups, 'customer group'), counted(stores, 'store')]
  const left = `left out: ${counted(valuesLeftOut, 'value')} of custom fields that point at what the target lacks`
  return [`${verb}: ${parts.join(', ')}`, ...(valuesLeftOut > 0 ? [left] : [])]
}

const kinds = ['create', 'update', 'unchanged', 'skipped', 'conflict', 'invalid'] as const

/** The counts that end a plan of so many files, and what rows will fail of, for people. */
export const planLines = (plan: PlanResult & RunNotes, fileCount = 1): string =>
  [
    `${counted(plan.read, 'row')}: ${kinds.map((name) => `${plan[name]} ${name}`).join(', ')}`,
    ...(plan.joins ?? []).map((one) => oneLine(joinedText(one))),
    ...keptLines(plan, fileCount),
    ...causeLines(plan, fileCount),
  ].join('\n')
