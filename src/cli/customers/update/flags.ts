import {Flags} from '@oclif/core'
import type {UpdateAction} from '../../../domain/action.js'
import type {Customer} from '../../../domain/customers/customer.js'
import {defined} from '../../../domain/equal.js'
import {identifierFrom} from '../../../domain/references.js'
import {type FlagValues, textFlag, textsFlag} from '../../input/flags.js'
import {jsonInput, jsonObjectInput} from '../../input/json-input.js'
import {valueAt} from '../../output/fields.js'
import {invalidValue, usage} from '../../process/failure.js'
import type {Io} from '../../process/io.js'
import {AddressNames, actionsOf, assignmentsIn} from '../assignments.js'

export const actionFlags = {
  action: textsFlag('JSON', 'An update action of the API (repeatable).'),
  actions: textFlag('@FILE|-|JSON', 'A list of update actions.'),
}

/** What to change: fields, actions, addresses, groups and stores. */
export const changeFlags = {
  set: textsFlag('PATH=VALUE', 'Set a field: firstName=Ada, addresses.0.city=Bonn, custom.points:=5 (repeatable).'),
  unset: textsFlag('PATH', 'Remove the value of a field (repeatable).'),
  ...actionFlags,
  'add-address': textsFlag('@FILE|JSON', 'Append an address (repeatable).'),
  'remove-address': textsFlag('ID|KEY', 'Remove an address (repeatable).'),
  'default-shipping': textFlag('ID|KEY', 'Make an address the default for shipping.'),
  'default-billing': textFlag('ID|KEY', 'Make an address the default for billing.'),
  'add-group': textsFlag('KEY|id=ID', 'Add to a customer group (repeatable).'),
  'remove-group': textsFlag('KEY|id=ID', 'Remove from a customer group (repeatable).'),
  'add-store': textsFlag('KEY', 'Assign to a store (repeatable).'),
  'remove-store': textsFlag('KEY', 'Remove from a store (repeatable).'),
  'auth-mode': Flags.string({
    options: ['Password', 'ExternalAuth'],
    summary: 'Sign in with a password here, or with an external service.',
  }),
}

type Many = readonly string[] | undefined

/** Update actions as a function of the customer: a retry makes them anew from what it read. */
export type ActionsFor = (customer: Customer) => UpdateAction[]

/**
 * Reads files and stdin once. `password` is what `--auth-mode Password` needs. Throws usage if nothing is to change.
 */
export async function changesFrom(
  flags: FlagValues<typeof changeFlags>,
  io: Io,
  password: string | undefined,
): Promise<ActionsFor> {
  const assignments = assignmentsIn(flags)
  const given = await actionsIn(flags, io)
  const addresses = await Promise.all(
    (flags['add-address'] ?? []).map((text) => jsonObjectInput(text, '--add-address', io)),
  )
  const fixed: UpdateAction[] = [
    ...given,
    ...addresses.map((address) => ({action: 'addAddress', address})),
    ...each(flags['add-group'], (group) => ({
      action: 'addCustomerGroupAssignment',
      customerGroupAssignment: {customerGroup: identifierFrom(group)},
    })),
    ...each(flags['remove-group'], (group) => ({
      action: 'removeCustomerGroupAssignment',
      customerGroup: identifierFrom(group),
    })),
    ...each(flags['add-store'], (store) => ({action: 'addStore', store: identifierFrom(store)})),
    ...each(flags['remove-store'], (store) => ({action: 'removeStore', store: identifierFrom(store)})),
    ...each(one(flags['auth-mode']), (authMode) => ({
      action: 'setAuthenticationMode',
      authMode,
      ...defined({password}),
    })),
  ]
  const ofAddresses = [
    ...each(flags['remove-address'], (name) => ({action: 'removeAddress', name})),
    ...each(one(flags['default-shipping']), (name) => ({action: 'setDefaultShippingAddress', name})),
    ...each(one(flags['default-billing']), (name) => ({action: 'setDefaultBillingAddress', name})),
  ]
  const names = new AddressNames()
  const changes = (customer: Customer) => [
    ...actionsOf(assignments, customer, names),
    ...fixed,
    ...ofAddresses.map(({action, name}) => ({action, ...choice(names, customer, name)})),
  ]
  if (assignments.length + fixed.length === 0 && ofAddresses.every(({name}) => name === '')) {
    throw usage('There is nothing to change.', 'Add --set PATH=VALUE, --unset PATH or --actions.')
  }
  return changes
}

const one = (value: string | undefined): Many => (value === undefined ? undefined : [value])
const each = <A>(values: Many, make: (value: string) => A): A[] => (values ?? []).map(make)

export async function actionsIn(flags: FlagValues<typeof actionFlags>, io: Io): Promise<UpdateAction[]> {
  const inline = await Promise.all((flags.action ?? []).map((text) => jsonObjectInput(text, '--action', io)))
  const listed = flags.actions === undefined ? [] : await jsonInput(flags.actions, '--actions', io)
  if (!Array.isArray(listed)) throw usage('--actions must be a JSON list.')
  return [...inline, ...(listed as unknown[])].map(checkedAction)
}

function checkedAction(value: unknown): UpdateAction {
  if (typeof valueAt(value, 'action') === 'string') return value as UpdateAction
  throw invalidValue('An update action is an object with a member `action`.')
}

/** An address by id, key or index; addresses added by the same request are known by their key only. */
function choice(names: AddressNames, customer: Customer, name: string): {addressId: string} | {addressKey: string} {
  const found = names.find(customer, name)
  return found ? {addressId: found.id} : {addressKey: name}
}
