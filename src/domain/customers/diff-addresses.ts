import type {UpdateAction} from '../action.js'
import {addressFields} from '../address-fields.js'
import {type Address, type AddressRole, addressRoles, type Customer} from './customer.js'
import type {DesiredAddress, DesiredCustomer} from './desired-customer.js'
import {isSameReference, isSameValue} from './diff-values.js'

type Custom = Address['custom']

export const plainMembers: readonly string[] = addressFields.map(({name}) => name)
const isPlain: ReadonlySet<string> = new Set(plainMembers)

const memberOf = (address: Address | DesiredAddress, name: string): unknown =>
  (address as Readonly<Record<string, unknown>>)[name] ?? undefined

const sameMembers = (held: Address, wanted: DesiredAddress): number =>
  plainMembers.filter((name) => {
    const value = memberOf(held, name)
    return value !== undefined && value === memberOf(wanted, name)
  }).length

function isSameCustom(held: Custom, wanted: DesiredAddress['custom']): boolean {
  if (!held || !wanted) return !held && !wanted
  if (!isSameReference(held.type, wanted.type)) return false
  const fields = Object.entries(wanted.fields ?? {}).filter(([, value]) => value !== null && value !== undefined)
  const heldFields = new Map(Object.entries(held.fields))
  return fields.length === heldFields.size && fields.every(([name, value]) => isSameValue(heldFields.get(name), value))
}

const isSameAddress = (held: Address, wanted: DesiredAddress): boolean => {
  const isSame = (name: string): boolean => !isPlain.has(name) || memberOf(held, name) === memberOf(wanted, name)
  // What neither has is the same: an address has a third of the members that there are.
  return (
    Object.keys(held).every(isSame) && Object.keys(wanted).every(isSame) && isSameCustom(held.custom, wanted.custom)
  )
}

/**
 * Matches each desired address with a current one: by key, then id, then equal content, then by the number of equal
 * members, since changing an address keeps its id and roles. Addresses with different keys never match.
 */
export function matchAddresses(
  held: readonly Address[],
  wanted: readonly DesiredAddress[],
): ReadonlyMap<DesiredAddress, Address> {
  return paired(wanted, held, (desired, address) => {
    if (typeof desired.key === 'string' && address.key === desired.key) return 3000
    if (typeof desired.id === 'string' && address.id === desired.id) return 2000
    if (isSameAddress(address, desired)) return 1000
    const differ = address.key !== undefined && typeof desired.key === 'string'
    return differ ? undefined : sameMembers(address, desired)
  })
}

/** Pairs of two lists, the most alike first, and none in two of them; never those whose likeness is undefined. */
export function paired<A, B>(
  ones: readonly A[],
  others: readonly B[],
  likeness: (one: A, other: B) => number | undefined,
): ReadonlyMap<A, B> {
  const pairs = ones
    .flatMap((one) => others.map((other) => ({one, other, alike: likeness(one, other)})))
    .filter((pair): pair is typeof pair & {readonly alike: number} => pair.alike !== undefined)
    .toSorted((a, b) => b.alike - a.alike)
  const found = new Map<A, B>()
  const taken = new Set<B>()
  for (const {one, other} of pairs) {
    if (found.has(one) || taken.has(other)) continue
    found.set(one, other)
    taken.add(other)
  }
  return found
}

/** The address of an action: without the id, which the service assigns. */
const bodyOf = ({id: _, ...address}: DesiredAddress): object =>
  Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined && value !== null))

type Choice = {readonly addressId: string} | {readonly addressKey: string}

export function addressActions(current: Customer, desired: DesiredCustomer): UpdateAction[] {
  const {addresses} = desired
  if (addresses === undefined) return unsetDefaults(current, desired)
  const wanted = addresses ?? []
  const matches = matchAddresses(current.addresses, wanted)
  const kept = new Set(matches.values())
  const choices = new Map<number, Choice>()
  const added: UpdateAction[] = []
  const stripped: UpdateAction[] = []
  const takenKeys = new Set([...current.addresses, ...wanted].map(({key}) => key))
  for (const [at, address] of wanted.entries()) {
    const match = matches.get(address)
    const key = match
      ? undefined
      : (address.key ?? (addressRoles.some((role) => hasRole(desired, role, at)) ? freeKey(takenKeys) : undefined))
    if (match) choices.set(at, {addressId: match.id})
    else if (key !== undefined) choices.set(at, {addressKey: key})
    if (match) continue
    const body = bodyOf(address)
    added.push({action: 'addAddress', address: key === undefined ? body : {...body, key}})
    // A new address has no id yet, so a temporary key identifies it until its roles are set.
    if (key !== undefined && key !== address.key) {
      stripped.push({action: 'changeAddress', addressKey: key, address: body})
    }
  }
  return [
    ...[...matches]
      .filter(([address, match]) => !isSameAddress(match, address))
      .map(([address, {id}]) => ({action: 'changeAddress', addressId: id, address: bodyOf(address)})),
    ...current.addresses.filter((a) => !kept.has(a)).map(({id}) => ({action: 'removeAddress', addressId: id})),
    ...added,
    ...addressRoles.flatMap((role) => roleActions(role, current, desired, choices)),
    ...stripped,
  ]
}

function freeKey(taken: Set<string | null | undefined>): string {
  let count = 1
  while (taken.has(`new-address-${count}`)) count += 1
  const key = `new-address-${count}`
  taken.add(key)
  return key
}

/** Whether an address of a row, by its place, has a role. */
export const hasRole = (desired: DesiredCustomer, {indices, defaultIndex}: AddressRole, at: number): boolean =>
  desired[defaultIndex] === at || desired[indices]?.includes(at) === true

/** The actions that unset defaults: null does so even if the row has no addresses. */
const unsetDefaults = (current: Customer, desired: DesiredCustomer): UpdateAction[] =>
  addressRoles
    .filter(({byDefault, defaultIndex}) => desired[defaultIndex] === null && current[byDefault] !== undefined)
    .map(({name}) => ({action: `setDefault${name}Address`}))

function roleActions(
  role: AddressRole,
  current: Customer,
  desired: DesiredCustomer,
  choices: ReadonlyMap<number, Choice>,
): UpdateAction[] {
  const heldIds = new Set(current[role.ids])
  const byDefault = desired[role.defaultIndex]
  const list = desired[role.indices]
  const indices = new Set([...(list ?? []), ...(typeof byDefault === 'number' ? [byDefault] : [])])
  const isHeld = (choice: Choice): boolean => 'addressId' in choice && heldIds.has(choice.addressId)

  const removed: UpdateAction[] = []
  if (list !== undefined) {
    for (const [at, choice] of choices) {
      if (!indices.has(at) && isHeld(choice)) removed.push({action: `remove${role.name}AddressId`, ...choice})
    }
  }
  const added: UpdateAction[] = []
  for (const at of indices) {
    const choice = choices.get(at)
    if (choice && at !== byDefault && !isHeld(choice)) added.push({action: `add${role.name}AddressId`, ...choice})
  }
  return [...removed, ...added, ...defaultAction(role, current, byDefault, choices, removed)]
}

function defaultAction(
  role: AddressRole,
  current: Customer,
  byDefault: number | null | undefined,
  choices: ReadonlyMap<number, Choice>,
  removed: readonly UpdateAction[],
): UpdateAction[] {
  const held = current[role.byDefault]
  const action = `setDefault${role.name}Address`
  if (byDefault === null) {
    const stays = [...choices.values()].some((choice) => 'addressId' in choice && choice.addressId === held)
    const unset = removed.some((entry) => entry['addressId'] === held)
    return held !== undefined && stays && !unset ? [{action}] : []
  }
  const choice = byDefault === undefined ? undefined : choices.get(byDefault)
  if (!choice || ('addressId' in choice && choice.addressId === held)) return []
  return [{action, ...choice}]
}
