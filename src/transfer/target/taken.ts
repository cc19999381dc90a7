import type {Customer} from '../../domain/customers/customer.js'
import {canonicalEmail, clashOf, uniqueKeysOf} from '../../domain/customers/identity.js'
import type {CheckedRow} from '../check/checked-rows.js'
import type {Issue} from '../input/row.js'
import {type Match, memberOf, type RowDraft} from '../input/row-draft.js'
import {type CustomerCalls, type Findable, findableOf, findEvery} from '../send/customer-calls.js'
import type {Sender} from '../send/sender.js'

/** New customers whose email, key or number another customer of the target holds already. */

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const valuesOf: Readonly<Record<Exclude<Findable, 'externalId'>, (draft: RowDraft) => unknown>> = {
  lowercaseEmail: ({email}) => (isText(email) ? canonicalEmail(email) : undefined),
  key: ({key}) => key,
  customerNumber: ({customerNumber}) => customerNumber,
}

/** A store that is named by id has no key here: of such a row only the key and the number can be compared. */
function wantedBy({email, stores, key, customerNumber}: RowDraft): ReturnType<typeof uniqueKeysOf> {
  const keys = (stores ?? []).map((store) => store.key)
  const wanted = uniqueKeysOf({
    email: email ?? '',
    stores: keys.flatMap((one) => (one === undefined ? [] : [{typeId: 'store' as const, key: one}])),
    ...(isText(key) ? {key} : {}),
    ...(isText(customerNumber) ? {customerNumber} : {}),
  })
  return isText(email) && !keys.includes(undefined) ? wanted : wanted.filter((one) => !one.key.startsWith('email:'))
}

/** Why rows cannot create their customers, found with a query for many values of each member but that of `match`. */
export async function takenFrom(
  rows: readonly CheckedRow[],
  match: Match,
  calls: CustomerCalls,
  sender: Sender,
): Promise<ReadonlyMap<CheckedRow, Issue>> {
  /** Unique keys of customers who exist, and whether others may share each. */
  const held = new Map<string, boolean>()
  const members = Object.entries(valuesOf) as [Findable, (draft: RowDraft) => unknown][]
  const found = await Promise.all(
    members.map(([member, read]) => {
      const values = [
        ...new Set(
          rows
            .filter(({draft}) => findableOf(memberOf(match, draft)) !== member)
            .map(({draft}) => read(draft))
            .filter(isText),
        ),
      ]
      return values.length === 0 ? [] : findEvery(calls, sender, {member, values})
    }),
  )
  for (const customer of found.flat() as Customer[]) {
    for (const {key, shared} of uniqueKeysOf({...customer, stores: (customer as Partial<Customer>).stores ?? []})) {
      held.set(key, shared === true && held.get(key) !== false)
    }
  }
  const taken = new Map<CheckedRow, Issue>()
  for (const row of rows) {
    const clash = wantedBy(row.draft).find(({key, shared}) => held.has(key) && !(shared && held.get(key)))
    if (!clash) continue
    const {errors} = clashOf(clash.key, 'held', row.draft)
    const {code, message, field} = errors[0] as {code: string; message: string; field?: string}
    taken.set(row, {column: row.mapper.columnOf(field ?? 'email'), code, message, fix})
  }
  return taken
}

const fix = 'Another customer has it: find that one with --match, or correct the column.'
