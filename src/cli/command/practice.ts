import type {Client} from '../../client/client.js'
import type {Target} from '../../client/target.js'
import type {ErrorReport} from '../output/error-report.js'
import {exitCodes} from '../process/exit-codes.js'
import {type Calls, namesOf} from './operations.js'

/** Hints about the practice project of this machine while it has no customer. */

export async function isEmpty(client: Client): Promise<boolean> {
  const {queryCustomers} = await import('../../api/customers/operations.js')
  return (await client.call(queryCustomers, {}, {query: {limit: 1, withTotal: false}})).count === 0
}

export const emptyPractice = (projectKey: string): string =>
  `This is an empty practice project on this machine ('${projectKey}').`

/** The command that fills the project with the demo. */
export const seedDemo = (projectKey: string): string =>
  `frontdesk server seed demo${projectKey === 'local' ? '' : ` --project-key ${projectKey}`}`

/**
 * Adds to a not-found report of an empty practice project how to fill it. The project is not read for a command that
 * may not query customers.
 */
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
