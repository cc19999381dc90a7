import type {Customer} from './customer.js'
import {addressActions, type DesiredAddress} from './diff-addresses.js'
import {isSameLocale, isSameReference, isSameValue, type Wanted} from './diff-values.js'

/** One entry of the `actions` of an update. */
export interface UpdateAction {
  readonly action: string
  readonly [member: string]: unknown
}

export interface DesiredCustom {
  readonly type: Wanted
  readonly fields?: Readonly<Record<string, unknown>> | null
}

/**
 * What a customer should become. A member that is absent leaves the customer as it is; one that is present is brought to
 * exactly that value, and null removes it. Addresses are named by index, as in a draft; their ids serve to match only.
 */
export interface DesiredCustomer {
  readonly email?: string
  readonly key?: string | null
  readonly customerNumber?: string | null
  readonly externalId?: string | null
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly middleName?: string | null
  readonly title?: string | null
  readonly salutation?: string | null
  readonly dateOfBirth?: string | null
  readonly companyName?: string | null
  readonly vatId?: string | null
  readonly locale?: string | null
  readonly addresses?: readonly DesiredAddress[] | null
  readonly defaultShippingAddress?: number | null
  readonly shippingAddresses?: readonly number[] | null
  readonly defaultBillingAddress?: number | null
  readonly billingAddresses?: readonly number[] | null
  readonly isEmailVerified?: boolean | null
  readonly customerGroup?: Wanted | null
  readonly customerGroupAssignments?: readonly {readonly customerGroup: Wanted}[] | null
  readonly stores?: readonly Wanted[] | null
  readonly authenticationMode?: Customer['authenticationMode'] | null
  readonly custom?: DesiredCustom | null
}

export interface Difference {
  /** In the order in which they must be applied; empty if nothing differs. */
  readonly actions: readonly UpdateAction[]
  /** Members that differ and that no update action can bring to the desired value. */
  readonly unreachable: readonly Unreachable[]
}

export type Unreachable = 'customerNumber' | 'isEmailVerified' | 'authenticationMode'

const plainMembers = [
  'key',
  'externalId',
  'salutation',
  'title',
  'firstName',
  'middleName',
  'lastName',
  'dateOfBirth',
  'companyName',
  'vatId',
] as const

const setterOf = (member: string): string => `set${member.charAt(0).toUpperCase()}${member.slice(1)}`

/**
 * The update actions that bring a customer to a desired state, none if it is there already. Expanded references of
 * `current` let keys be compared with ids. The order of addresses, of their ids in a role, of groups and of stores
 * carries no meaning.
 */
export function difference(current: Customer, desired: DesiredCustomer): Difference {
  const emailChanges = desired.email !== undefined && desired.email !== current.email
  const actions = [
    ...(emailChanges ? [{action: 'changeEmail', email: desired.email}] : []),
    ...plainActions(current, desired),
    ...addressActions(current, desired),
    ...groupActions(current, desired),
    ...storeActions(current, desired),
    ...customActions(current, desired),
    ...(desired.authenticationMode === 'ExternalAuth' && current.authenticationMode === 'Password'
      ? [{action: 'setAuthenticationMode', authMode: 'ExternalAuth'}]
      : []),
  ]
  return {actions, unreachable: unreachableOf(current, desired, emailChanges)}
}

function unreachableOf(current: Customer, desired: DesiredCustomer, emailChanges: boolean): Unreachable[] {
  const {customerNumber, isEmailVerified, authenticationMode} = desired
  const verified = emailChanges ? false : current.isEmailVerified
  const numberIsFixed = current.customerNumber !== undefined && customerNumber !== undefined
  return [
    ...(numberIsFixed && customerNumber !== current.customerNumber ? (['customerNumber'] as const) : []),
    ...(typeof isEmailVerified === 'boolean' && isEmailVerified !== verified ? (['isEmailVerified'] as const) : []),
    // A password is set when a customer is created, never by an update of many.
    ...(authenticationMode === 'Password' && current.authenticationMode === 'ExternalAuth'
      ? (['authenticationMode'] as const)
      : []),
  ]
}

function plainActions(current: Customer, desired: DesiredCustomer): UpdateAction[] {
  const actions: UpdateAction[] = []
  for (const member of plainMembers) {
    const value = desired[member]
    if (value === undefined || (value ?? undefined) === current[member]) continue
    actions.push({action: setterOf(member), ...(value === null ? {} : {[member]: value})})
  }
  const {locale, customerNumber} = desired
  if (locale !== undefined && !isSameLocale(locale, current.locale)) {
    actions.push({action: 'setLocale', ...(locale === null ? {} : {locale})})
  }
  if (typeof customerNumber === 'string' && current.customerNumber === undefined) {
    actions.push({action: 'setCustomerNumber', customerNumber})
  }
  return actions
}

function groupActions(current: Customer, desired: DesiredCustomer): UpdateAction[] {
  const {customerGroup, customerGroupAssignments} = desired
  const actions: UpdateAction[] = []
  if (customerGroup === null && current.customerGroup) actions.push({action: 'setCustomerGroup'})
  if (customerGroup && !isSameReference(current.customerGroup, customerGroup)) {
    actions.push({action: 'setCustomerGroup', customerGroup})
  }
  if (customerGroupAssignments === undefined) return actions
  const held = current.customerGroupAssignments.map((assignment) => assignment.customerGroup)
  const wanted = (customerGroupAssignments ?? []).map((assignment) => assignment.customerGroup)
  const {added, removed} = changeOf(held, wanted)
  if (added.length + removed.length > 1) {
    const all = wanted.map((group) => ({customerGroup: group}))
    return [...actions, {action: 'setCustomerGroupAssignments', customerGroupAssignments: all}]
  }
  return [
    ...actions,
    ...added.map((group) => ({
      action: 'addCustomerGroupAssignment',
      customerGroupAssignment: {customerGroup: group},
    })),
    ...removed.map(({id}) => ({
      action: 'removeCustomerGroupAssignment',
      customerGroup: {typeId: 'customer-group', id},
    })),
  ]
}

function storeActions(current: Customer, desired: DesiredCustomer): UpdateAction[] {
  if (desired.stores === undefined) return []
  const wanted = desired.stores ?? []
  const {added, removed} = changeOf(current.stores, wanted)
  if (added.length + removed.length > 1) return [{action: 'setStores', stores: wanted}]
  return [
    ...added.map((store) => ({action: 'addStore', store})),
    ...removed.map(({key}) => ({action: 'removeStore', store: {typeId: 'store', key}})),
  ]
}

/** What must be added to and removed from references that count as a set. */
function changeOf<H extends object>(held: readonly H[], wanted: readonly Wanted[]) {
  const unique = wanted.filter((entry, at) => wanted.findIndex((other) => isSameReference(entry, other)) === at)
  return {
    added: unique.filter((entry) => !held.some((other) => isSameReference(other, entry))),
    removed: held.filter((entry) => !unique.some((other) => isSameReference(entry, other))),
  }
}

function customActions(current: Customer, desired: DesiredCustomer): UpdateAction[] {
  const {custom} = desired
  if (custom === undefined) return []
  if (custom === null) return current.custom ? [{action: 'setCustomType'}] : []
  const {type, fields} = custom
  if (!current.custom || !isSameReference(current.custom.type, type)) {
    return [{action: 'setCustomType', type, ...(fields ? {fields} : {})}]
  }
  if (!fields) return []
  const held = new Map(Object.entries(current.custom.fields))
  const wanted = new Map(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
  const removed = [...held.keys()].filter((name) => !wanted.has(name))
  const changed = [...wanted].filter(([name, value]) => !held.has(name) || !isSameValue(held.get(name), value))
  return [
    ...removed.map((name) => ({action: 'setCustomField', name, value: null})),
    ...changed.map(([name, value]) => ({action: 'setCustomField', name, value})),
  ]
}
