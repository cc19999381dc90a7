import {collectionOf} from '../../api/operation/collection-table.js'
import type {Client} from '../../client/client.js'
import {refusalOf} from '../../client/transports/refusal.js'
import type {Facts, Resolved} from '../../domain/action.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {ActionCall} from '../../domain/fold.js'
import type {ResourceIdentifier} from '../../domain/references.js'

type Wanted = ResourceIdentifier & {readonly typeId: string}

const nameOf = ({typeId, id, key}: Wanted): string => JSON.stringify([typeId, id ?? null, key ?? null])

/** Reads what actions refer to, so that a dry run folds them as the server will. */
export async function factsFor(
  client: Client,
  customer: Customer,
  calls: readonly ActionCall<Customer>[],
  now: number,
): Promise<Facts> {
  const wanted = calls.flatMap(({action, body}) => action.references?.(body, customer) ?? [])
  const found = new Map<string, Resolved>()
  for (const reference of new Map(wanted.map((one) => [nameOf(one), one])).values()) {
    const resource = await read(client, reference)
    if (!resource) continue
    found.set(nameOf(reference), resource)
    found.set(nameOf({typeId: reference.typeId, id: resource.id}), resource)
  }
  let addresses = 0
  return {
    now: new Date(now).toISOString(),
    newAddressId: () => `(new ${++addresses})`,
    newPasswordMask: () => '****',
    languages: [],
    limits: {customerGroups: 500},
    resolve: (reference) => {
      const resource = found.get(nameOf(reference))
      if (resource) return resource
      const {typeId, id, key} = reference
      throw ApiError.of('ReferencedResourceNotFound', {
        typeId,
        ...defined({id, key}),
      })
    },
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
