import {allInIdOrder} from '../../client/walk.js'
import type {Customer} from '../../domain/customers/customer.js'
import type {MatchMember} from '../check/row-draft.js'
import {type CustomerCalls, chunked, type Findable, pageSize, type Wanted} from '../run/customer-calls.js'
import type {Sender} from '../run/sender.js'

/** By what a query finds the customers of a match. */
export const findableOf = (member: MatchMember): Findable => (member === 'email' ? 'lowercaseEmail' : member)

/** Every customer of the target that has one of the values, with few requests. */
export async function findEvery(
  calls: CustomerCalls,
  sender: Sender,
  {values, ...wanted}: Wanted,
): Promise<readonly Customer[]> {
  const found = await Promise.all(chunked(values).map((chunk) => findAll(calls, sender, {...wanted, values: chunk})))
  return found.flat()
}

/** Pages, since an email may belong to several. What one page misses is met again as a duplicate. */
const findAll = (calls: CustomerCalls, sender: Sender, wanted: Wanted): Promise<readonly Customer[]> =>
  allInIdOrder((after) => sender.send(() => calls.find(wanted, after)), pageSize)
