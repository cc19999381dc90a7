import * as v from 'valibot'
import {limits} from '../../../work/limits.js'
import {defined, withMember} from '../../equal.js'
import {checkRoom, invalidOperation} from '../../errors.js'
import {identifierFrom, identifierOf, identifiersFrom, type WantedReference} from '../../references.js'
import {listOf, optional} from '../../rules.js'
import {customerAction} from '../customer-action.js'
import {assignmentsOf, groupOf, storeOf, storesOf} from '../resolved.js'

/** Actions on the groups and stores of a customer. */

const Group = identifierOf('customer-group')
const Assignment = v.object({customerGroup: Group})

const groupRelated = ['customerGroup', 'customerGroupAssignments']

export const groupActions = [
  /** Sets the single customer group; a change may reprice the latest active cart. */
  customerAction({
    name: 'setCustomerGroup',
    summary: 'set or remove the single customer group',
    fields: groupRelated,
    sets: 'customerGroup',
    setting: (value) => defined({customerGroup: identifierFrom(value)}),
    schema: v.object({customerGroup: optional(Group)}),
    messages: ['CustomerGroupSet'],
    errors: ['ReferencedResourceNotFound', 'MatchingPriceNotFound', 'MissingTaxRateForCountry'],
    references: ({customerGroup}) => (customerGroup ? [customerGroup] : []),
    apply: (customer, body, facts) => {
      const customerGroup = body.customerGroup && groupOf(body.customerGroup, facts)
      return {
        next: withMember(customer, 'customerGroup', customerGroup),
        messages: [{type: 'CustomerGroupSet', payload: customerGroup ? {customerGroup} : {}}],
        effects: [{effect: 'recalculateCart'}],
      }
    },
  }),
  customerAction({
    name: 'addCustomerGroupAssignment',
    summary: 'add the customer to a group',
    fields: groupRelated,
    schema: v.object({customerGroupAssignment: Assignment}),
    messages: ['CustomerGroupAssignmentAdded'],
    errors: ['ReferencedResourceNotFound', 'MaxResourceLimitExceeded'],
    references: ({customerGroupAssignment}) => [customerGroupAssignment.customerGroup],
    apply: (customer, body, facts) => {
      const assignment = {customerGroup: groupOf(body.customerGroupAssignment.customerGroup, facts)}
      const held = customer.customerGroupAssignments
      if (held.some(({customerGroup}) => customerGroup.id === assignment.customerGroup.id)) return {next: customer}
      checkRoom(held.length + 1, facts.limits.customerGroups, 'customer-group')
      return {
        next: {...customer, customerGroupAssignments: [...held, assignment]},
        messages: [{type: 'CustomerGroupAssignmentAdded', payload: {customerGroupAssignment: assignment}}],
      }
    },
  }),
  customerAction({
    name: 'removeCustomerGroupAssignment',
    summary: 'remove the customer from a group',
    fields: groupRelated,
    schema: v.object({customerGroup: Group}),
    messages: ['CustomerGroupAssignmentRemoved'],
    errors: ['ReferencedResourceNotFound', 'InvalidOperation'],
    references: ({customerGroup}) => [customerGroup],
    apply: (customer, body, facts) => {
      const group = groupOf(body.customerGroup, facts)
      const rest = customer.customerGroupAssignments.filter(({customerGroup}) => customerGroup.id !== group.id)
      if (rest.length === customer.customerGroupAssignments.length) {
        throw invalidOperation(`The customer is not assigned to the group ${group.id}.`)
      }
      return {
        next: {...customer, customerGroupAssignments: rest},
        messages: [
          {type: 'CustomerGroupAssignmentRemoved', payload: {customerGroupAssignment: {customerGroup: group}}},
        ],
      }
    },
  }),
  customerAction({
    name: 'setCustomerGroupAssignments',
    summary: 'replace all group assignments',
    fields: groupRelated,
    sets: 'customerGroupAssignments',
    setting: (value) => ({
      customerGroupAssignments: identifiersFrom(value).map((customerGroup) => ({customerGroup})),
    }),
    schema: v.object({customerGroupAssignments: v.array(Assignment)}),
    messages: ['CustomerGroupAssignmentsSet'],
    errors: ['ReferencedResourceNotFound', 'MaxResourceLimitExceeded'],
    references: ({customerGroupAssignments}) => customerGroupAssignments.map(({customerGroup}) => customerGroup),
    apply: (customer, body, facts) => {
      const customerGroupAssignments = assignmentsOf(body.customerGroupAssignments, facts)
      return {
        next: withMember(customer, 'customerGroupAssignments', customerGroupAssignments),
        messages: [
          {
            type: 'CustomerGroupAssignmentsSet',
            payload: {customerGroupAssignments, oldCustomerGroupAssignments: customer.customerGroupAssignments},
          },
        ],
      }
    },
  }),
]

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
