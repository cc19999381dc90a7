import {queryCustomers} from '../../api/customers/operations.js'
import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {callsOf, customerIn, findEvery} from '../send/customer-calls.js'
import {Sender, sendingOf} from '../send/sender.js'

/**
 * The customer of a target that was changed last: one that was emptied or restored since has no such customer. A mark at the
 * target needs it as one on the machine does, since a project is emptied by deleting its customers: its custom objects stay.
 */
export type Anchor = Pick<Customer, 'id' | 'version' | 'createdAt'>

const senderOf = (signal: AbortSignal): Sender => new Sender(sendingOf({concurrency: 2, signal}))

/** Undefined at a target without customers. */
export async function anchorOf(client: Client, signal: AbortSignal): Promise<Anchor | undefined> {
  const query = {sort: 'lastModifiedAt desc', limit: 1, withTotal: false}
  const {results} = await senderOf(signal).send(() => client.call(queryCustomers, {}, {query}))
  if (results[0] === undefined) return undefined
  const {id, version, createdAt} = customerIn(results[0])
  return {id, version, createdAt}
}

/** Those that the target still has, at their versions or later ones. */
export async function anchorsAt(
  client: Client,
  anchors: readonly Anchor[],
  signal: AbortSignal,
): Promise<readonly Anchor[]> {
  const values = anchors.map(({id}) => id)
  const found = await findEvery(callsOf(client), senderOf(signal), {member: 'id', values, expand: []})
  return anchors.filter(({id, version, createdAt}) =>
    found.some((one) => one.id === id && one.version >= version && one.createdAt === createdAt),
  )
}
