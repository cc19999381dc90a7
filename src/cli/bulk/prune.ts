import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import type {PlanResult} from '../../transfer/plan.js'
import {type FlagValues, numberFlag, outputFile, switchFlag} from '../input/flags.js'
import {Failure, usage} from '../process/failure.js'
import {interruption} from '../process/interruption.js'
import {pageQueryOf} from './export.js'
import type {BulkFlags} from './flags.js'

/** Flags of `customers diff` about customers that no row matches. */
export const extraFlags = {
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

/** Throws unless it is certain which customers the rows match: the others are deleted. */
export function checkPrunable({read, create, invalid, conflict}: PlanResult): void {
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
export async function extraCustomers(
  client: Client,
  meant: ReadonlySet<string>,
  flags: ExtraFlags,
): Promise<Customer[]> {
  const {allCustomers} = await import('../../transfer/output/all-customers.js')
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
