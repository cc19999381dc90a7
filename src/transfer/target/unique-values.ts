import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {canonicalEmail, clashOf, uniqueKeysOf} from '../../domain/customers/identity.js'
import type {CheckedRow} from '../check/checked-rows.js'
import type {Issue} from '../input/row.js'
import {type Match, memberOf, type RowDraft} from '../input/row-draft.js'
import {type CustomerCalls, callsOf, type Findable, findableOf, findEvery} from '../send/customer-calls.js'
import type {Sender} from '../send/sender.js'
import type {Planned} from '../write/plan-row.js'

export interface UniqueValuesOptions {
  readonly client: Client
  readonly sender: Sender
  readonly match: Match
  readonly hasRowOf: (customer: Customer) => boolean
  readonly planAll: () => AsyncIterable<readonly Planned[]>
}

type UniqueKey = ReturnType<typeof uniqueKeysOf>[number]

/** The unique keys that a row takes. */
interface Wanted {
  readonly row: CheckedRow
  readonly keys: readonly UniqueKey[]
  /** The values of the keys, by member. */
  readonly values: Partial<Pick<Customer, 'email' | 'key' | 'customerNumber'>>
  /** What its customer gives up, and what other customers hold of it, as texts of `heldText`. */
  readonly released: readonly string[]
  readonly holders: readonly Holder[]
}

interface Holder {
  readonly customer: Customer
  readonly key: string
}

const heldText = ({id}: Pick<Customer, 'id'>, key: string): string => `${id} ${key}`

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const valuesOf: Readonly<Record<Exclude<Findable, 'externalId'>, (values: Wanted['values']) => unknown>> = {
  lowercaseEmail: ({email}) => (isText(email) ? canonicalEmail(email) : undefined),
  key: ({key}) => key,
  customerNumber: ({customerNumber}) => customerNumber,
}

/** A store that is named by id has no key here: of such a row only the key and the number can be compared. */
function ofCreation({email, stores, key, customerNumber}: RowDraft): Pick<Wanted, 'keys' | 'values'> {
  const keys = (stores ?? []).map((store) => store.key)
  const values = {
    email: email ?? '',
    ...(isText(key) ? {key} : {}),
    ...(isText(customerNumber) ? {customerNumber} : {}),
  }
  const inStores = keys.flatMap((one) => (one === undefined ? [] : [{typeId: 'store' as const, key: one}]))
  const wanted = uniqueKeysOf({...values, stores: inStores})
  const isComparable = isText(email) && !keys.includes(undefined)
  return {values, keys: isComparable ? wanted : wanted.filter((one) => !one.key.startsWith('email:'))}
}

const setting: Readonly<Record<string, keyof Wanted['values']>> = {
  ...{changeEmail: 'email', setKey: 'key', setCustomerNumber: 'customerNumber'},
}

/** What an update changes of them. Where the stores change, which emails clash is left to the target. */
function ofUpdate(current: Customer, actions: Extract<Planned, {kind: 'update'}>['actions']) {
  const values = Object.fromEntries(
    actions.flatMap((one) => {
      const member = setting[one.action]
      return member === undefined || /Store/.test(actions.map(({action}) => action).join())
        ? []
        : [[member, one[member]]]
    }),
  ) as Wanted['values']
  const [before, after] = [uniqueKeysOf(current), uniqueKeysOf({...current, ...values})]
  const others = (keys: readonly UniqueKey[], of: readonly UniqueKey[]) =>
    keys.filter(({key}) => !of.some((one) => one.key === key))
  return {values, keys: others(after, before), released: others(before, after).map(({key}) => heldText(current, key))}
}

/** Emails, keys and numbers that other customers hold, and whether rows of the same run make them give them up. */
export class UniqueValues {
  readonly #options: UniqueValuesOptions
  readonly #calls: CustomerCalls
  #released: Promise<ReadonlySet<string>> | undefined

  constructor(options: UniqueValuesOptions) {
    this.#options = options
    this.#calls = callsOf(options.client, [])
  }

  /** Why rows cannot have a value, which another customer holds and keeps. */
  async taken(plans: readonly Planned[]): Promise<ReadonlyMap<CheckedRow, Issue>> {
    const taken = new Map<CheckedRow, Issue>()
    for (const {row, holders} of await this.#wanted(plans)) {
      for (const {customer, key} of holders) {
        const isMoving = this.#options.hasRowOf(customer)
        this.#released ??= isMoving ? this.#allReleased() : undefined
        if (isMoving && (await this.#released)?.has(heldText(customer, key))) continue
        const {errors} = clashOf(key, 'held', row.draft)
        const {code, message, field} = errors[0] as {code: string; message: string; field?: string}
        taken.set(row, {column: row.mapper.columnOf(field ?? 'email'), code, message, fix: isMoving ? exchanged : fix})
      }
    }
    return taken
  }

  /** What the rows of the run give up, in whichever order; rows that wait for each other give up nothing. */
  async #allReleased(): Promise<ReadonlySet<string>> {
    const released = new Set<string>()
    let open: Wanted[] = []
    for await (const plans of this.#options.planAll())
      open.push(...(await this.#wanted(plans)).filter((one) => one.released.length > 0))
    for (let before = -1; before !== open.length; ) {
      before = open.length
      open = open.reverse().filter(({holders, released: own}) => {
        const isFree = holders.every(({customer, key}) => released.has(heldText(customer, key)))
        if (isFree) for (const one of own) released.add(one)
        return !isFree
      })
    }
    return released
  }

  /** What rows take, with those who hold it: a query for many values of each member. */
  async #wanted(plans: readonly Planned[]): Promise<readonly Wanted[]> {
    const {match, sender} = this.#options
    const wanted = plans.flatMap((plan) => {
      const {row, kind} = plan
      if (kind !== 'create' && kind !== 'update') return []
      const id = kind === 'update' ? plan.current.id : undefined
      // That nobody is found by this member is known.
      const known = kind === 'create' ? findableOf(memberOf(match, row.draft)) : undefined
      const change = kind === 'update' ? ofUpdate(plan.current, plan.actions) : {...ofCreation(row.draft), released: []}
      return change.keys.length > 0 ? [{row, id, known, ...change}] : []
    })
    const members = Object.entries(valuesOf) as [Findable, (typeof valuesOf)['key']][]
    const found = await Promise.all(
      members.map(([member, read]) => {
        const values = wanted.flatMap((one) => (one.known === member ? [] : [read(one.values)])).filter(isText)
        return findEvery(this.#calls, sender, {member, values: [...new Set(values)]})
      }),
    )
    const held = new Map<string, (Holder & {readonly isShared: boolean})[]>()
    for (const customer of new Map(found.flat().map((one) => [one.id, one])).values()) {
      for (const {key, shared = false} of uniqueKeysOf({
        ...customer,
        stores: (customer as Partial<Customer>).stores ?? [],
      }))
        held.set(key, [...(held.get(key) ?? []), {customer, key, isShared: shared}])
    }
    return wanted.map(({id, known: _, ...one}) => ({
      ...one,
      holders: one.keys.flatMap(({key, shared = false}) =>
        (held.get(key) ?? []).filter(({customer, isShared}) => customer.id !== id && !(shared && isShared)),
      ),
    }))
  }
}

const fix = 'Another customer has it: find that one with --match, or correct the column.'
const exchanged =
  'Rows of the files exchange it in a circle, or its customer keeps it: give one of them another value first.'
