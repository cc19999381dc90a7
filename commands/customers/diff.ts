import {Args} from '@oclif/core'
import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {positionText} from '../../src/cli/bulk/cause-lines.js'
import {mappingFlags, matchFlags, pressureFlags} from '../../src/cli/bulk/flags.js'
import {matchFrom} from '../../src/cli/bulk/options.js'
import {checkPrunable, extraCustomers, extraFlags, meantBy} from '../../src/cli/bulk/prune.js'
import {planRows, rowsOfFiles} from '../../src/cli/bulk/rows.js'
import {confirmDeletion, deleteEach, someFailed} from '../../src/cli/customers/deletion.js'
import {whereFlags, writeFlags} from '../../src/cli/input/flags.js'
import {jsonText, oneLine} from '../../src/cli/process/sanitize.js'
import {forgetKept} from '../../src/cli/records/kept.js'
import {noteFile} from '../../src/cli/run/written-files.js'
import type {Writer} from '../../src/cli/safety/door.js'
import type {Client} from '../../src/client/client.js'
import type {UpdateAction} from '../../src/domain/action.js'
import type {Customer} from '../../src/domain/customers/customer.js'
import type {PlanResult} from '../../src/transfer/plan.js'
import type {Planned} from '../../src/transfer/write/plan-row.js'

/** A row that differs from its customer, or cannot be brought to it. */
interface DifferentRow {
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
interface ExtraRow {
  readonly identity: string
  readonly kind: 'extra'
  readonly id: string
  readonly version: number
}

const extraRow = ({id, version, key, email}: Customer): ExtraRow => ({
  identity: key === undefined ? `email=${email}` : `key=${key}`,
  kind: 'extra',
  id,
  version,
})

/** What a planned row means to `diff`; nothing for rows that change nothing. */
function differentRow(planned: Planned, match: string): DifferentRow | undefined {
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
function differentLines(row: DifferentRow | ExtraRow, fileCount: number): string {
  if (row.kind === 'extra') return oneLine(`${signs.extra} ${row.identity} (only there, ${row.id})`)
  const {kind, file, line, identity, actions = [], reason} = row
  const head = `${signs[kind]} ${identity} (${positionText({file, line}, fileCount)})${reason === undefined ? '' : `: ${reason}`}`
  const each = actions.map(({action, ...members}) => `    ${action} ${jsonText(members)}`)
  return [head, ...each].map(oneLine).join('\n')
}

const diffSummary = ({create, update, unchanged, skipped, conflict, invalid}: PlanResult): string =>
  `${create} to create, ${update} to update, ${unchanged} unchanged, ${skipped} skipped, ${conflict} in conflict, ${invalid} invalid`

type Extra = Awaited<ReturnType<typeof extraCustomers>>

export default class CustomersDiff extends BulkCommand<typeof CustomersDiff> {
  static override operations = ['queryCustomers', {operations: ['deleteCustomerById'], when: '--prune'}] as const
  static override summary = 'Show what an import would change'
  static override description =
    'Shows the rows that would create or change a customer or conflict with one, with the update actions that an import would send. Only --prune writes: it deletes customers that no row matches, at the version that was read.'
  static override examples = [
    '<%= config.bin %> customers diff customers.csv --map-file map.json',
    '<%= config.bin %> customers diff customers.jsonl --match email --json',
    '<%= config.bin %> customers diff customers.jsonl --report-extra',
    '<%= config.bin %> customers diff customers.jsonl --prune --max 100 --dry-run',
  ]
  static override args = {
    file: Args.string({
      multiple: true,
      required: true,
      ignoreStdin: true,
      description: 'files to read; - is the standard input',
    }),
  }
  static override flags = {
    ...mappingFlags,
    ...matchFlags,
    ...pressureFlags,
    ...extraFlags,
    ...whereFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const {prune, 'report-extra': reports} = this.flags
    const rows: (DifferentRow | ExtraRow)[] = []
    const form = this.output.form
    const shown = (row: DifferentRow | ExtraRow): string => differentLines(row, this.args.file.length)
    const streams = (form === undefined || form === 'jsonl') && this.flags.out === undefined
    const show = async (): Promise<void> => {
      for (const row of streams ? rows.splice(0) : []) {
        if (form === 'jsonl') await this.output.line(row)
        else await this.output.rowLines(row, `${shown(row)}\n`)
      }
    }
    const {plan, extra} = await this.#compared((row) => rows.push(row), show)
    rows.push(...extra.map(extraRow))
    await show()
    const {first: _, ...counts} = plan
    this.say(`${diffSummary(plan)}${prune || reports ? `, ${extra.length} only there` : ''}`)
    const deleted = prune && !this.isDry && extra.length > 0 ? await this.#delete(extra) : undefined
    if (deleted !== undefined) this.say(`${deleted} deleted`)
    const also = {...(prune || reports ? {extra: extra.length} : {}), ...(prune ? {deleted: deleted ?? 0} : {})}
    if (!streams) await this.output.answer({...counts, ...also, rows}, rows.map(shown).join('\n'))
  }

  /** Plans every row, and finds the customers whom none means if that was asked for. */
  async #compared(add: (row: DifferentRow) => void, show: () => Promise<void>) {
    const {prune, 'report-extra': reports} = this.flags
    const match = await this.guarded(() => matchFrom(this.flags))
    const meant = new Set<string>()
    const open = rowsOfFiles(this, this.args.file)
    return this.bulk(async ({client, onEvent}) => {
      const listen: typeof onEvent = (event) => {
        onEvent(event)
        if (event.type !== 'planned') return
        if (prune || reports) for (const {id} of meantBy(event.planned)) meant.add(id)
        const row = differentRow(event.planned, match)
        if (row) add(row)
      }
      const plan = await planRows({client, onEvent: listen}, open, {afterBatch: show})
      if (prune) checkPrunable(plan)
      const extra: Extra = prune || reports ? await extraCustomers(client, meant, this.flags) : []
      return {plan, extra}
    })
  }

  async #delete(customers: Extra): Promise<number> {
    const {backup} = this.flags
    const client = await this.client()
    const done = await this.effect({
      at: 'target',
      plan: () => [{}, `would delete ${customers.length}`],
      confirm: () => confirmDeletion(client, customers, {erase: false, ...this.asking}),
      act: (write) => {
        if (backup !== undefined) {
          this.files.write(backup, customers.map((customer) => `${jsonText(customer)}\n`).join(''))
          noteFile(this, backup)
        }
        return this.#deleteAll(write, client, customers)
      },
    })
    return done ?? 0
  }

  async #deleteAll(write: Writer, client: Client, customers: Extra): Promise<number> {
    const look = (id: string) => this.commandLine(['customers', 'exists', id])
    const done = await deleteEach(write, customers, {client, erase: false, look})
    const ids = new Set(done.results.map(({id}) => id))
    const gone = customers.filter(({id}) => ids.has(id))
    await forgetKept(this, gone, false)
    if (done.failed.length > 0) throw someFailed('deleted', done)
    return gone.length
  }
}
