import {settersOf, settingAction, type UpdateAction} from '../action.js'
import type {ResourceIdentifier} from '../references.js'
import {customerActions} from './actions/index.js'
import type {Customer} from './customer.js'
import type {DesiredCustomer} from './desired-customer.js'
import {addressActions} from './diff-addresses.js'
import {isSameReference, isSameValue} from './diff-values.js'
import {type CustomerField, type CustomerFieldName, fieldRows} from './fields.js'

export interface Difference {
  /** In the order in which they must be applied; empty if nothing differs. */
  readonly actions: readonly UpdateAction[]
  /** Members that differ and that no update action can set to the desired value. */
  readonly unreachable: readonly string[]
}

const setters = settersOf(customerActions)

/**
 * The update actions that bring a customer to a desired state; none if nothing differs. Expanded references of
 * `current` let keys be compared with ids. The order of addresses, of their ids in a role, of groups and of stores is
 * ignored.
 *
 *     difference(ada, {firstName: 'Ida'}).actions
 *     // [{action: 'setFirstName', firstName: 'Ida'}]
 */
export function difference(current: Customer, desired: DesiredCustomer): Difference {
  const differing = fieldRows.filter((field) => differs(field, current, desired))
  const actions = [
    ...plainActions(differing, current, desired),
    ...addressActions(current, desired),
    ...groupActions(current, desired),
    ...storeActions(current, desired),
    ...customActions(current, desired),
    ...(desired.authenticationMode === 'ExternalAuth' && current.authenticationMode === 'Password'
      ? [{action: 'setAuthenticationMode', authMode: 'ExternalAuth'}]
      : []),
  ]
  return {actions, unreachable: unreachableOf(differing, current, desired)}
}

function unreachableOf(differing: typeof fieldRows, current: Customer, desired: DesiredCustomer): string[] {
  const {isEmailVerified, authenticationMode} = desired
  const fixed = differing.filter((field) => isKept(field, current)).map(({name}) => name)
  const verified = desired.email !== undefined && desired.email !== current.email ? false : current.isEmailVerified
  return [
    ...fixed,
    ...(typeof isEmailVerified === 'boolean' && isEmailVerified !== verified ? ['isEmailVerified'] : []),
    // A password is set when a customer is created, never by an update of many.
    ...(authenticationMode === 'Password' && current.authenticationMode === 'ExternalAuth'
      ? ['authenticationMode']
      : []),
  ]
}

function differs({name, caseless}: CustomerField, current: Customer, desired: DesiredCustomer): boolean {
  const [held, value] = [current[name as CustomerFieldName], desired[name as CustomerFieldName]]
  if (value === undefined) return false
  return caseless ? value?.toLowerCase() !== held?.toLowerCase() : (value ?? undefined) !== held
}

const isKept = ({name, fixed}: CustomerField, current: Customer): boolean =>
  fixed === true && current[name as CustomerFieldName] !== undefined

function plainActions(differing: typeof fieldRows, current: Customer, desired: DesiredCustomer): UpdateAction[] {
  return differing.flatMap((field) => {
    const setter = setters.get(field.name)
    const value = desired[field.name] ?? undefined
    if (!setter || isKept(field, current)) return []
    return field.required && value === undefined ? [] : [settingAction(setter, value)]
  })
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
  const all = wanted.map((customerGroup) => ({customerGroup}))
  const set = {action: 'setCustomerGroupAssignments', customerGroupAssignments: all}
  return [
    ...actions,
    ...listActions(held, wanted, set, {
      add: (group) => ({action: 'addCustomerGroupAssignment', customerGroupAssignment: {customerGroup: group}}),
      remove: ({id}) => ({action: 'removeCustomerGroupAssignment', customerGroup: {typeId: 'customer-group', id}}),
    }),
  ]
}

function storeActions(current: Customer, desired: DesiredCustomer): UpdateAction[] {
  if (desired.stores === undefined) return []
  const stores = desired.stores ?? []
  return listActions(
    current.stores,
    stores,
    {action: 'setStores', stores},
    {
      add: (store) => ({action: 'addStore', store}),
      remove: ({key}) => ({action: 'removeStore', store: {typeId: 'store', key}}),
    },
  )
}

/** What adds or removes one of some references that count as a set, or else sets all. */
function listActions<H extends object>(
  held: readonly H[],
  wanted: readonly ResourceIdentifier[],
  set: UpdateAction,
  one: {readonly add: (wanted: ResourceIdentifier) => UpdateAction; readonly remove: (held: H) => UpdateAction},
): UpdateAction[] {
  const unique = wanted.filter((entry, at) => wanted.findIndex((other) => isSameReference(entry, other)) === at)
  const added = unique.filter((entry) => !held.some((other) => isSameReference(other, entry)))
  const removed = held.filter((entry) => !unique.some((other) => isSameReference(entry, other)))
  return added.length + removed.length > 1 ? [set] : [...added.map(one.add), ...removed.map(one.remove)]
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
