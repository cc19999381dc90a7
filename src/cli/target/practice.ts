import {queryCustomers} from '../../api/customers/operations.js'
import type {Client} from '../../client/client.js'

/** The practice project of this machine, as long as nobody has put a customer into it. */

export const isEmpty = async (client: Client): Promise<boolean> =>
  (await client.call(queryCustomers, {}, {query: {limit: 1, withTotal: false}})).count === 0

export const emptyPractice = (projectKey: string): string =>
  `This is an empty practice project on this machine ('${projectKey}').`

/** The command that fills it, for the project that was asked. */
export const seedDemo = (projectKey: string): string =>
  `frontdesk server seed demo${projectKey === 'local' ? '' : ` --project-key ${projectKey}`}`
