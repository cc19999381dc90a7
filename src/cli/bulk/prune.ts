import {Flags} from '@oclif/core'
import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import type {PlanResult} from '../../transfer/plan.js'
import {type Given, outputFile} from '../input/flags.js'
import {Failure, usage} from '../process/failure.js'
import {interruption} from '../process/interruption.js'
import {pageQueryOf} from './export.js'
import type {BulkFlags} from './flags.js'

/** What `customers diff` does about customers whom no row means. */
export const extraFlags = {
  'report-extra': Flags.boolean({summary: 'Also list the customers that no row matches; --where narrows them.'}),
  prune: Flags.boolean({
    dependsOn: ['max'],
    summary: 'Delete the customers that no row matches, after a question; --dry-run shows them.',
  }),
  max: Flags.integer({
    helpValue: 'N',
    min: 1,
    dependsOn: ['prune'],
    summary: 'Delete nothing if there are more than this many.',
  }),
  backup: outputFile('FILE', 'Write the customers to a new file before they are deleted, as JSON Lines.', {
    dependsOn: ['prune'],
  }),
}

type ExtraFlags = BulkFlags & Given<typeof extraFlags>

/** Throws unless the rows say for certain whom they mean: what is not told apart must not be deleted. */
export function checkPrunable({read, create, invalid, conflict}: PlanResult): void {
  const hints = ['Leave --prune out to see what differs; nothing was deleted.']
  if (read === 0)
    throw new Failure('usage', 'NothingToCompare', 'There are no rows, so that nobody would be left.', {hints})
  if (create === read) {
    throw new Failure('usage', 'NothingInCommon', 'No row means a customer who is there.', {
      hints: ['Check --match and the map; an import comes before --prune.'],
    })
  }
  if (invalid + conflict === 0) return
  const message = `${invalid} rows are invalid and ${conflict} in conflict: whom they mean is not certain.`
  throw new Failure('usage', 'UncertainRows', message, {hints})
}

/** The customers whom no row means. With `--prune` it throws if there are more than may be deleted. */
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
        `More than ${flags.max} customers are meant by no row; nothing was deleted.`,
        'Look at them with --report-extra, narrow them with --where, or raise --max.',
      )
    }
  }
  return found
}
