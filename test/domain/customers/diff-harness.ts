import * as v from 'valibot'
import type {Facts, ReferencedResource, UpdateAction} from '../../../src/domain/action.js'
import {customerActions} from '../../../src/domain/customers/actions/index.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {CustomerDraft, customerOf} from '../../../src/domain/customers/draft.js'
import {fold} from '../../../src/domain/fold.js'

const seasons = {name: 'Enum', values: ['spring', 'autumn'].map((key) => ({key, label: key}))}
const customers = {name: 'Reference', referenceTypeId: 'customer'}

/** One field of every kind that a custom type knows, and sets of those that compare in a way of their own. */
export const fieldDefinitions = [
  {name: 'points', type: {name: 'Number'}},
  {name: 'note', type: {name: 'String'}},
  {name: 'credit', type: {name: 'Money'}},
  {name: 'optIn', type: {name: 'Boolean'}},
  {name: 'greeting', type: {name: 'LocalizedString'}},
  {name: 'season', type: seasons},
  {name: 'tone', type: {name: 'LocalizedEnum', values: [{key: 'warm', label: {en: 'Warm'}}]}},
  {name: 'since', type: {name: 'Date'}},
  {name: 'callAt', type: {name: 'Time'}},
  {name: 'visit', type: {name: 'DateTime'}},
  {name: 'adviser', type: customers},
  {name: 'tags', type: {name: 'Set', elementType: {name: 'String'}}},
  {name: 'credits', type: {name: 'Set', elementType: {name: 'Money'}}},
  {name: 'friends', type: {name: 'Set', elementType: customers}},
]
const typeFor = (key: string): ReferencedResource => ({
  id: `id-of-${key}`,
  key,
  resourceTypeIds: ['customer', 'address'],
  fieldDefinitions,
})

function factsWith(prefix: string): Facts {
  let count = 0
  return {
    now: '2026-11-20T00:00:00.000Z',
    newAddressId: () => `${prefix}${(count++).toString().padStart(4, '0')}`,
    newPasswordMask: () => '****abc=',
    languages: [],
    limits: {customerGroups: 500},
    resolve: ({typeId, id, key}) => {
      if (typeId === 'type') return typeFor(key ?? (id ?? '').replace('id-of-', ''))
      return {id: id ?? `id-of-${key}`, key: key ?? (id ?? '').replace('id-of-', '')}
    },
  }
}

/** The customer that a draft makes. */
export function customerFrom(draft: unknown): Customer {
  const parsed = v.parse(CustomerDraft, draft)
  return customerOf(parsed, {id: 'c1', facts: factsWith('addr'), passwordMask: '****abc='})
}

/** The customer after an update with these actions. */
export function applied(customer: Customer, actions: readonly UpdateAction[]): Customer {
  const calls = actions.map(({action, ...body}) => {
    const unit = customerActions.get(action)
    if (!unit) throw new Error(`no action ${action}`)
    return {action: unit, body: v.parse(unit.schema, body)}
  })
  return fold(customer, calls, factsWith('next')).next
}
