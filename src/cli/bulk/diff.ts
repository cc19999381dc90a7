import type {UpdateAction} from '../../domain/action.js'
import type {Customer} from '../../domain/customers/customer.js'
import type {PlanResult} from '../../transfer/plan.js'
import type {Planned} from '../../transfer/write/plan-row.js'
import {jsonText, oneLine} from '../process/sanitize.js'
import {positionText} from './cause-lines.js'

/** A row that differs from its customer, or cannot be brought to it. */
export interface DifferentRow {
  readonly file: string
  readonly line: number
  readonly identity: string
  readonly kind: 'create' | 'update' | 'conflict'
  readonly id?: string
  readonly version?: number
  readonly actions?: readonly UpdateAction[]
  readonly reason?: string
}

/** A customer whom no row means. */
export interface ExtraRow {
  readonly identity: string
  readonly kind: 'extra'
  readonly id: string
  readonly version: number
}

export const extraRow = ({id, version, key, email}: Customer): ExtraRow => ({
  identity: key === undefined ? `email=${email}` : `key=${key}`,
  kind: 'extra',
  id,
  version,
})

/** What a planned row means to `diff`; nothing for rows that change nothing. */
export function differentRow(planned: Planned, match: string): DifferentRow | undefined {
  const {row} = planned
  const base = {
    ...row.place,
    identity: `${match}=${String(row.draft[match as 'key'])}`,
  }
  if (planned.kind === 'create') return {...base, kind: 'create'}
  if (planned.kind === 'conflict') return {...base, kind: 'conflict', reason: planned.message}
  if (planned.kind !== 'update') return undefined
  const {id, version} = planned.current
  return {...base, kind: 'update', id, version, actions: planned.actions}
}

const signs = {create: '+', update: '~', conflict: '!', extra: '-'} as const

/** A row for people: what it is, and one line for each action. */
export function differentLines(row: DifferentRow | ExtraRow, fileCount: number): string {
  if (row.kind === 'extra') return oneLine(`${signs.extra} ${row.identity} (only there, ${row.id})`)
  const {kind, file, line, identity, actions = [], reason} = row
  const head = `${signs[kind]} ${identity} (${positionText({file, line}, fileCount)})${reason === undefined ? '' : `: ${reason}`}`
  const each = actions.map(({action, ...members}) => `    ${action} ${jsonText(members)}`)
  return [head, ...each].map(oneLine).join('\n')
}

export const diffSummary = ({create, update, unchanged, skipped, conflict, invalid}: PlanResult): string =>
  `${create} to create, ${update} to update, ${unchanged} unchanged, ${skipped} skipped, ${conflict} in conflict, ${invalid} invalid`
