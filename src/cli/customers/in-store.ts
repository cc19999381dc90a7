import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'

/**
 * The client for writes where the API identifies a customer by email: in a store of the customer, since the same email
 * may belong to another customer elsewhere (decision 10). A store that was chosen is kept.
 */
export function inStoreOf(client: Client, customer: Pick<Customer, 'stores'>, say?: (text: string) => void): Client {
  const [first, ...others] = customer.stores.map(({key}) => key)
  if (client.storeKey !== undefined || first === undefined) return client
  if (others.length > 0) {
    say?.(
      `The customer belongs to the stores ${[first, ...others].join(', ')}; this goes through ${first} (see --store).`,
    )
  }
  return client.inStore(first)
}
