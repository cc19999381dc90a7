import * as v from 'valibot'
import {limits} from '../../../work/limits.js'
import {withMember} from '../../equal.js'
import {identifierOf, identifiersFrom, type WantedReference} from '../../references.js'
import {listOf} from '../../rules.js'
import {customerAction} from '../customer-action.js'
import {storeOf, storesOf} from '../resolved.js'

const Store = identifierOf('store')

const ofOneStore = {
  fields: ['stores'],
  schema: v.object({store: Store}),
  errors: ['ReferencedResourceNotFound', 'DuplicateField', 'LockedField'],
  references: ({store}: {readonly store: WantedReference}) => [store],
}

export const storeActions = [
  customerAction({
    name: 'setStores',
    summary: 'replace the stores; none makes the customer global',
    fields: ['stores'],
    sets: 'stores',
    setting: (value) => ({stores: identifiersFrom(value)}),
    schema: v.object({stores: listOf(Store, limits.stores)}),
    messages: ['CustomerStoresSet'],
    errors: ['ReferencedResourceNotFound', 'DuplicateField', 'LockedField'],
    references: ({stores}) => stores,
    apply: (customer, body, facts) => {
      const stores = storesOf(body.stores, facts)
      return {
        next: withMember(customer, 'stores', stores),
        messages: [{type: 'CustomerStoresSet', payload: {stores, oldStores: customer.stores}}],
      }
    },
  }),
  customerAction({
    ...ofOneStore,
    name: 'addStore',
    summary: 'assign the customer to a store',
    apply: (customer, body, facts) => {
      const store = storeOf(body.store, facts)
      if (customer.stores.some(({key}) => key === store.key)) return {next: customer}
      return {next: {...customer, stores: [...customer.stores, store]}}
    },
  }),
  /** Removing the last store makes the customer global. */
  customerAction({
    ...ofOneStore,
    name: 'removeStore',
    summary: 'take the customer out of a store',
    apply: (customer, body, facts) => {
      const {key} = storeOf(body.store, facts)
      const stores = customer.stores.filter((store) => store.key !== key)
      return {next: withMember(customer, 'stores', stores)}
    },
  }),
]
