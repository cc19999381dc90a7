import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {pageQueryOf} from '../../src/cli/bulk/export.js'
import {type BulkFlags, duplicateFlags, mappingFlags, matchFlags, pressureFlags} from '../../src/cli/bulk/flags.js'
import {planRows, rowsOfFiles} from '../../src/cli/bulk/rows.js'
import {extraRow, ShownPlan} from '../../src/cli/bulk/shown-plan.js'
import {refuseInReading} from '../../src/cli/command/idle-flags.js'
import {type Calls, rowLookUps} from '../../src/cli/command/operations.js'
import {backUp, confirmDeletion, deleteEach, someFailed} from '../../src/cli/customers/deletion.js'
import {
  type FlagValues,
  numberFlag,
  outputFile,
  requiredArgs,
  switchFlag,
  whereFlags,
  writeFlags,
} from '../../src/cli/input/flags.js'
import {Failure, usage} from '../../src/cli/process/failure.js'
import {interruption} from '../../src/cli/process/interruption.js'
import {forgetting} from '../../src/cli/records/kept.js'
import type {Client} from '../../src/client/client.js'
import type {Customer} from '../../src/domain/customers/customer.js'
import {defined} from '../../src/domain/equal.js'
import type {PlanResult} from '../../src/transfer/plan.js'

const extraFlags = {
  'report-extra': switchFlag('Also list the customers that no row matches; --where narrows them.'),
  prune: switchFlag('Delete the customers that no row matches, after a question; --dry-run shows them.', {
    dependsOn: ['max'],
  }),
  max: numberFlag('Delete nothing if there are more than this many.', {dependsOn: ['prune']}),
  backup: outputFile('FILE', 'Write the customers to a new file before they are deleted, as JSON Lines.', {
    dependsOn: ['prune'],
  }),
}

type ExtraFlags = BulkFlags & FlagValues<typeof extraFlags>

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
      const extra: readonly Customer[] = prune || reports ? await extraCustomers(client, meant, this.flags) : []
      return {plan, extra}
    })
  }

  async #delete(customers: readonly Customer[]): Promise<number> {
    const client = await this.client()
    const done = await this.effect({
      at: 'target',
      plan: () => [{}, `would delete ${customers.length}`],
      confirm: () => confirmDeletion(client, customers, {erase: false, ...this.asking}),
      act: async (write) => {
        backUp(this, this.flags.backup, customers)
        const forget = await forgetting(this, customers, false)
        const {results, failed} = await deleteEach(write, customers, {run: this, client, erase: false, forget})
        if (failed.length > 0) throw someFailed('deleted', {results, failed})
        return results.length
      },
    })
    return done ?? 0
  }
}

/** Throws unless it is certain which customers the rows match: the others are deleted. */
function checkPrunable({read, create, invalid, conflict}: PlanResult): void {
  const hints = ['Leave --prune out to see what differs; nothing was deleted.']
  if (read === 0)
    throw new Failure('usage', 'NothingToCompare', 'There are no rows: --prune would delete every customer.', {hints})
  if (create === read) {
    throw new Failure('usage', 'NothingInCommon', 'No row matches a customer of the target.', {
      hints: ['Check --match and the map; an import comes before --prune.'],
    })
  }
  if (invalid + conflict === 0) return
  const message = `${invalid} rows are invalid and ${conflict} in conflict: which customers they match is not certain.`
  throw new Failure('usage', 'UncertainRows', message, {hints})
}

/** The customers that no row matches. With `--prune` it throws if there are more than `--max`. */
async function extraCustomers(client: Client, meant: ReadonlySet<string>, flags: ExtraFlags): Promise<Customer[]> {
  const {allCustomers} = await import('../../src/transfer/output/all-customers.js')
  const found: Customer[] = []
  const options = {query: pageQueryOf(flags), signal: interruption(), ...defined({retries: flags.retries})}
  for await (const customer of allCustomers(client, options)) {
    if (meant.has(customer.id)) continue
    found.push(customer)
    if (flags.prune && flags.max !== undefined && found.length > flags.max) {
      throw usage(
        `More customers than --max ${flags.max} match no row; nothing was deleted.`,
        'Look at them with --report-extra, narrow them with --where, or raise --max.',
      )
    }
  }
  return found
}
