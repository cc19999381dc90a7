import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {duplicateFlags, mappingFlags, matchFlags, pressureFlags} from '../../src/cli/bulk/flags.js'
import {checkPrunable, extraCustomers, extraFlags} from '../../src/cli/bulk/prune.js'
import {planRows, rowsOfFiles} from '../../src/cli/bulk/rows.js'
import {extraRow, ShownPlan} from '../../src/cli/bulk/shown-plan.js'
import {refuseInReading} from '../../src/cli/command/idle-flags.js'
import {type Calls, rowLookUps} from '../../src/cli/command/operations.js'
import {confirmDeletion, deleteEach, someFailed} from '../../src/cli/customers/deletion.js'
import {requiredArgs, whereFlags, writeFlags} from '../../src/cli/input/flags.js'
import {jsonText} from '../../src/cli/process/sanitize.js'
import {forgetting} from '../../src/cli/records/kept.js'
import {noteFile} from '../../src/cli/run/written-files.js'
import type {Writer} from '../../src/cli/safety/door.js'
import type {Client} from '../../src/client/client.js'

type Extra = Awaited<ReturnType<typeof extraCustomers>>

export default class CustomersDiff extends BulkCommand<typeof CustomersDiff> {
  static override operations: Calls = [
    'queryCustomers',
    ...rowLookUps,
    {operations: ['deleteCustomerById'], when: '--prune'},
  ]
  static override summary = 'Show what an import would change, and customers that no row matches'
  static override description =
    'Prints the plan of customers import --dry-run. Only --prune writes: it deletes customers that no row matches, at the version that was read.'
  static override examples = [
    '<%= config.bin %> customers diff customers.csv --map-file map.json',
    '<%= config.bin %> customers diff customers.jsonl --match email --json',
    '<%= config.bin %> customers diff customers.jsonl --report-extra',
    '<%= config.bin %> customers diff customers.jsonl --prune --max 100 --dry-run',
  ]
  static override args = {file: requiredArgs('files to read; - is the standard input')}
  static override flags = {
    ...mappingFlags,
    ...{...matchFlags, ...duplicateFlags},
    ...pressureFlags,
    ...extraFlags,
    ...whereFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const {prune, 'report-extra': reports} = this.flags
    if (!prune) refuseInReading(this.given, 'a comparison without --prune')
    const shown = new ShownPlan(this.output, this.flags, this.args.file.length)
    const {plan: counts, extra, ...notes} = await this.#compared(shown)
    const plan = {...counts, ...notes}
    for (const customer of extra) shown.take(extraRow(customer))
    await shown.print()
    const deleted = prune && !this.isDry && extra.length > 0 ? await this.#delete(extra) : 0
    const also = {...(prune || reports ? {extra: extra.length} : {}), ...(prune ? {deleted} : {})}
    const more = [
      ...(prune || reports ? [`${extra.length} only at the target`] : []),
      ...(prune ? [`${deleted} deleted`] : []),
    ]
    await this.output.answer({...plan, ...also}, [this.quoting(shown.lines(plan)), ...more].join('\n'))
  }

  /** Plans every row, and finds the customers whom none means if that was asked for. */
  #compared(shown: ShownPlan) {
    const {prune, 'report-extra': reports} = this.flags
    const meant = new Set<string>()
    return this.bulk(async ({client, onEvent}) => {
      const listen: typeof onEvent = (event) => {
        onEvent(event)
        if (event.type === 'planned' && (prune || reports)) for (const id of event.meant) meant.add(id)
      }
      const plan = await planRows({client, onEvent: listen}, rowsOfFiles(this, this.args.file), shown, this)
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
    const forget = await forgetting(this, customers, false)
    const done = await deleteEach(write, customers, {client, erase: false, look, forget})
    if (done.failed.length > 0) throw someFailed('deleted', done)
    return done.results.length
  }
}
