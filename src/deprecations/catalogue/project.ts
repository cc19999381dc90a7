import {type Deprecation, restEntry} from './entry.js'

const shippingDraft = ['zoneRates', 'localizedDescription']

/** Actions that no other resource has. */
const shippingActions = ['addShippingRate', 'changeIsDefault', 'removeShippingRate', 'setLocalizedDescription']

/** Project, Recurrence Policies, Shipping Methods, Subscriptions. */
export const project: readonly Deprecation[] = [
  restEntry({
    id: 'project-change-messages-enabled',
    area: 'Project',
    item: 'Change Messages Enabled',
    alternative: 'Change Messages Configuration',
    dates: {deprecated: '2018-10-08'},
    // frontdesk-ignore-next-line -- the rule itself
    detect: [{in: 'action', action: 'changeMessagesEnabled', instead: 'changeMessagesConfiguration'}],
  }),
  restEntry({
    id: 'recurrence-policies-scopes',
    area: 'Recurrence Policies',
    item: 'scopes view_recurring_orders, manage_recurring_orders (policy endpoints)',
    kind: 'scope',
    alternative: 'view_recurrence_policies, manage_recurrence_policies',
    dates: {deprecated: '2025-12-12', removed: '2026-03-19'},
    detect: [
      {
        in: 'scope',
        // frontdesk-ignore-next-line -- the rule itself
        scope: 'view_recurring_orders',
        lacks: 'view_recurrence_policies',
        instead: 'view_recurrence_policies',
      },
      {
        in: 'scope',
        // frontdesk-ignore-next-line -- the rule itself
        scope: 'manage_recurring_orders',
        lacks: 'manage_recurrence_policies',
        instead: 'manage_recurrence_policies',
      },
    ],
  }),
  restEntry({
    id: 'shipping-methods-cart-id-query',
    area: 'Shipping Methods',
    item: '`?cartId={id}`',
    alternative: 'matching-ShippingMethods endpoints',
    dates: {deprecated: '2020-02-06'},
    detect: [
      {in: 'url', place: 'GET /shipping-methods', query: 'cartId', instead: '/shipping-methods/matching-cart?cartId='},
    ],
  }),
  restEntry({
    id: 'shipping-methods-location-query',
    area: 'Shipping Methods',
    item: '`?country`, `?orderEditId`',
    alternative: 'matching endpoints for a Location and an OrderEdit',
    dates: {deprecated: '2020-03-24', removed: '2020-03-24'},
    detect: [
      {
        in: 'url',
        place: 'GET /shipping-methods',
        query: 'country',
        instead: '/shipping-methods/matching-location?country=',
      },
      {
        in: 'url',
        place: 'GET /shipping-methods',
        query: 'orderEditId',
        instead: '/shipping-methods/matching-orderedit?orderEditId=',
      },
    ],
  }),
  restEntry({
    id: 'shipping-methods-description',
    area: 'Shipping Methods',
    item: '`description`; Set Description',
    alternative: '`localizedDescription`; Set Localized Description',
    dates: {deprecated: '2020-03-03'},
    detect: [
      {
        in: 'body',
        at: 'description',
        on: ['POST /shipping-methods'],
        beside: shippingDraft,
        instead: 'localizedDescription',
      },
      {
        in: 'action',
        action: 'setDescription',
        on: ['shipping-methods'],
        among: shippingActions,
        instead: 'setLocalizedDescription',
      },
    ],
  }),
  restEntry({
    id: 'subscriptions-queue-destination',
    area: 'Subscriptions',
    item: 'a message-queue destination type',
    alternative: 'other destinations',
    dates: {deprecated: '2018-08-09', removed: '2023-01-12'},
    detect: [{in: 'body', at: 'destination.type', values: ['IronMQ']}],
  }),
  restEntry({
    id: 'subscriptions-cloud-events-0-1',
    area: 'Subscriptions',
    item: 'CloudEvents version 0.1',
    alternative: 'version 1.0',
    dates: {deprecated: '2019-12-23', replaced: '2019-12-23'},
    detect: [{in: 'body', at: 'format.cloudEventsVersion', values: ['0.1']}],
  }),
]
