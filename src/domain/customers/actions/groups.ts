import * as v from 'valibot'
import {defined, withMember} from '../../equal.js'
import {checkRoom, invalidOperation} from '../../errors.js'
import {identifierFrom, identifierOf, identifiersFrom} from '../../references.js'
import {optional} from '../../rules.js'
import {customerAction} from '../customer-action.js'
import {assignmentsOf, groupOf} from '../resolved.js'

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
