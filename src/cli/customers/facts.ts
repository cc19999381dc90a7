import {collectionOf} from '../../api/operation/collection-table.js'
import type {Client} from '../../client/client.js'
import {refusalOf} from '../../client/transports/refusal.js'
import type {Facts, Resolved} from '../../domain/action.js'
import type {Customer} from '../../domain/customers/customer.js'
import type {ActionCall} from '../../domain/fold.js'
import {distinct, FoundReferences} from '../../domain/found-references.js'
import type {Wanted} from '../../domain/references.js'

/** Reads what actions refer to, so that a dry run folds them as the server will. */
export async function factsFor(
  client: Client,
  customer: Customer,
  calls: readonly ActionCall<Customer>[],
  now: number,
): Promise<Facts> {
  const wanted = calls.flatMap(({action, body}) => action.references?.(body, customer) ?? [])
  const found = new FoundReferences()
  for (const reference of distinct(wanted)) {
    const resource = await read(client, reference)
    if (resource) found.add(reference, resource)
  }
  let addresses = 0
  return {
    now: new Date(now).toISOString(),
    newAddressId: () => `(new ${++addresses})`,
    newPasswordMask: () => '****',
    languages: [],
    limits: {customerGroups: 500},
    resolve: found.resolve,
  }
}

/** A referenced resource; undefined if it does not exist. Kinds that the API does not show are taken on trust. */
async function read(client: Client, {typeId, id, key}: Wanted): Promise<Resolved | undefined> {
  const collection = collectionOf(typeId)
  if (!collection) return id === undefined ? undefined : {id}
  const name = id === undefined ? `key=${encodeURIComponent(key ?? '')}` : encodeURIComponent(id)
  const answer = await client.raw('GET', `/${client.projectKey}/${collection.segment}/${name}`)
  if (answer.status === 404) return undefined
  if (answer.status >= 300) throw refusalOf(answer)
  return answer.body as Resolved
}
