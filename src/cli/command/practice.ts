import type {Client} from '../../client/client.js'
import type {Target} from '../../client/target.js'
import type {ErrorReport} from '../output/error-report.js'
import {exitCodes} from '../process/exit-codes.js'
import {type Calls, namesOf} from './operations.js'

/** The practice project of this machine, as long as nobody has put a customer into it. */

export async function isEmpty(client: Client): Promise<boolean> {
  const {queryCustomers} = await import('../../api/customers/operations.js')
  return (await client.call(queryCustomers, {}, {query: {limit: 1, withTotal: false}})).count === 0
}

export const emptyPractice = (projectKey: string): string =>
  `This is an empty practice project on this machine ('${projectKey}').`

/** The command that fills it, for the project that was asked. */
export const seedDemo = (projectKey: string): string =>
  `frontdesk server seed demo${projectKey === 'local' ? '' : ` --project-key ${projectKey}`}`

/** A command that may not look for customers does not. The report of what was not found in a practice project that nobody filled says how to fill it. */
export async function withPractice(
  report: ErrorReport,
  operations: Calls,
  target: Target | undefined,
  connection: {client(): Promise<Client>} | undefined,
): Promise<ErrorReport> {
  if (report.exitCode !== exitCodes.notFound.code || target?.kind !== 'embedded' || !connection) return report
  if (!namesOf(operations).includes('queryCustomers')) return report
  const isUnfilled = await connection
    .client()
    .then(isEmpty)
    .catch(() => false)
  const {projectKey} = target
  const hints = [emptyPractice(projectKey), `To fill it with invented customers: ${seedDemo(projectKey)}`]
  return isUnfilled ? {...report, hints} : report
}
