import type {Customer} from '../../domain/customers/customer.js'
import type {CauseMembers} from '../../transfer/check/causes.js'
import type {PlanResult} from '../../transfer/plan.js'
import type {PlanRow} from '../../transfer/run/applied-plan.js'
import {jsonText, oneLine} from '../process/sanitize.js'
import type {Output} from '../run/output.js'
import {membersText, positionText} from './cause-lines.js'
import {planLines} from './summaries.js'

interface ExtraRow {
  readonly identity: string
  readonly do: 'extra'
  readonly id: string
  readonly version: number
}

export const extraRow = ({id, version, key, email}: Customer): ExtraRow => ({
  identity: key === undefined ? `email=${email}` : `key=${key}`,
  do: 'extra',
  id,
  version,
})

type ShownRow = PlanRow | ExtraRow

const signs = {create: '+', update: '~', unchanged: '=', skip: '=', refuse: '!', invalid: '!', extra: '-'} as const

/** A row for people: what it is, and one line for each action. */
function rowText(row: ShownRow, fileCount: number): string {
  const sign = signs[row.do]
  if (row.do === 'extra') return oneLine(`${sign} ${row.identity} (only at the target, ${row.id})`)
  const why = 'reason' in row ? `: ${row.reason}` : ''
  const actions = row.do === 'update' ? row.actions : []
  const kept = 'kept' in row ? [`    kept as it is there: ${membersText(row.kept)}`] : []
  const each = [...actions.map(({action, ...members}) => `    ${action} ${jsonText(members)}`), ...kept]
  return [`${sign} ${row.identity} (${positionText(row, fileCount)})${why}`, ...each].map(oneLine).join('\n')
}

/** The rows of a plan that change something or cannot: printed as they come where the form permits, else at the end. */
export class ShownPlan {
  readonly #output: Output
  readonly #fileCount: number
  readonly #streams: boolean
  #rows: ShownRow[] = []

  constructor(output: Output, {out}: {readonly out?: string | undefined}, fileCount = 1) {
    const {form} = output
    this.#output = output
    this.#fileCount = fileCount
    this.#streams = (form === undefined || form === 'jsonl') && out === undefined
  }

  take(row: ShownRow): void {
    if (row.do !== 'unchanged' || row.kept) this.#rows.push(row)
  }

  readonly print = async (): Promise<void> => {
    if (!this.#streams) return
    const rows = this.#rows
    this.#rows = []
    for (const row of rows) {
      if (this.#output.form === 'jsonl') await this.#output.line(row)
      else await this.#output.rowLines(row, `${rowText(row, this.#fileCount)}\n`)
    }
  }

  document<P extends object>(plan: P): P & {readonly rows?: readonly object[]} {
    return this.#streams ? plan : {...plan, rows: this.#rows}
  }

  lines(plan: PlanResult & CauseMembers): string {
    return [...this.#rows.map((row) => rowText(row, this.#fileCount)), planLines(plan, this.#fileCount)].join('\n')
  }
}
