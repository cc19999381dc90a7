import {type Deprecation, restEntry} from './entry.js'

const cartDiscounts = ['POST /cart-discounts', 'POST /cart-discounts/{}']

/** Actions that no other resource has. */
const customerActions = [
  'addBillingAddressId',
  'addCustomerGroupAssignment',
  'addShippingAddressId',
  'changeEmail',
  'setAuthenticationMode',
  'setCompanyName',
  'setCustomerNumber',
  'setDateOfBirth',
  'setFirstName',
  'setLastName',
  'setMiddleName',
  'setSalutation',
  'setTitle',
  'setVatId',
]

/** Actions that set the Type of custom fields, of a resource or of a part of one. */
const typeActions = [
  'setAddressCustomType',
  'setAssetCustomType',
  'setBillingAddressCustomType',
  'setCustomLineItemCustomType',
  'setCustomType',
  'setDeliveryCustomType',
  'setItemShippingAddressCustomType',
  'setLineItemCustomType',
  'setParcelCustomType',
  'setProductPriceCustomType',
  'setReturnItemCustomType',
  'setShippingAddressCustomType',
  'setShippingCustomType',
  'setTransactionCustomType',
]

/** Customers and what hangs on them: Custom Fields, Carts, Cart Discounts, Business Units. */
export const customers: readonly Deprecation[] = [
  restEntry({
    id: 'customers-change-name',
    area: 'Customers',
    item: 'Change Name update action',
    alternative: 'setFirstName, setLastName, setMiddleName, setTitle',
    dates: {deprecated: '2016-01-15'},
    detect: [
      {
        in: 'action',
        action: 'changeName',
        on: ['customers', 'me'],
        beside: ['firstName', 'lastName'],
        among: customerActions,
      },
    ],
  }),
  restEntry({
    id: 'customers-anonymous-cart-id',
    area: 'Customers',
    item: '`anonymousCartId` in CustomerDraft and CustomerSignIn',
    alternative: '`anonymousCart`',
    dates: {deprecated: '2021-01-12'},
    detect: [
      {
        in: 'body',
        at: 'anonymousCartId',
        on: ['POST /customers', 'POST /login', 'POST /me/signup', 'POST /me/login'],
        beside: ['email'],
      },
      {
        in: 'body',
        at: 'draft.anonymousCartId',
        on: [
          'MUTATION customerSignUp',
          'MUTATION customerSignIn',
          'MUTATION customerSignMeUp',
          'MUTATION customerSignMeIn',
        ],
      },
    ],
  }),
  restEntry({
    id: 'custom-fields-type-id',
    area: 'Custom Fields',
    item: '`typeId`, `typeKey` in CustomFields and CustomFieldsDraft',
    alternative: '`type`',
    dates: {deprecated: '2016-01-15'},
    detect: [
      {in: 'body', at: 'custom.typeId', lacks: ['type'], isOrdinary: true},
      {in: 'body', at: 'custom.typeKey', lacks: ['type'], isOrdinary: true},
      ...typeActions.map((action) => ({in: 'action' as const, action, with: ['typeId', 'typeKey'], lacks: ['type']})),
    ],
  }),
  restEntry({
    id: 'carts-customer-id-query',
    area: 'Carts',
    item: '`?customerId={id}` query parameter',
    alternative: 'dedicated by-Customer-ID endpoints',
    dates: {deprecated: '2020-01-27'},
    detect: [{in: 'url', place: 'GET /carts', query: 'customerId', instead: '/carts/customer-id={customerId}'}],
  }),
  restEntry({
    id: 'carts-discounted-price',
    area: 'Carts',
    item: '`discountedPrice` on line items',
    alternative: '`discountedPricePerQuantity`',
    dates: {deprecated: '2015-10-12'},
    detect: [
      {in: 'body', at: 'lineItems[].discountedPrice', isOrdinary: true},
      {in: 'field', names: ['LineItem.discountedPrice', 'CustomLineItem.discountedPrice']},
      ...['GET /carts', 'GET /orders', 'GET /me/carts', 'GET /me/orders'].map((place) => ({
        in: 'url' as const,
        place,
        query: 'where',
        value: /\blineItems\s*\([^)]*\bdiscountedPrice\b/i,
      })),
    ],
  }),
  restEntry({
    id: 'cart-discounts-exclude-count',
    area: 'Cart Discounts',
    item: '`excludeCount` in CountOnLineItemUnits and CountOnCustomLineItemUnits',
    alternative: '`triggerPattern`',
    dates: {deprecated: '2025-03-06'},
    detect: [
      {
        in: 'body',
        at: 'excludeCount',
        when: {member: 'type', is: ['CountOnLineItemUnits', 'CountOnCustomLineItemUnits']},
      },
    ],
  }),
  restEntry({
    id: 'cart-discounts-original-price',
    area: 'Cart Discounts',
    item: '`originalPrice` predicate field',
    alternative: '`price`',
    dates: {deprecated: '2017-09-27', removed: '2017-09-27'},
    detect: [
      {in: 'body', at: 'cartPredicate', matches: /\boriginalPrice\b/},
      {in: 'body', at: 'target.predicate', matches: /\boriginalPrice\b/, on: cartDiscounts, beside: ['type']},
      {in: 'body', at: 'actions[].target.predicate', matches: /\boriginalPrice\b/, on: cartDiscounts},
    ],
  }),
  restEntry({
    id: 'business-units-associate-roles',
    area: 'Business Units',
    item: 'AssociateRole type and enum; `roles` on Associate and AssociateDraft',
    alternative: 'Associate Roles API; `associateRoleAssignments`',
    dates: {deprecated: '2023-05-02', removed: '2023-08-02'},
    detect: [
      {
        in: 'body',
        at: 'associates[].roles',
        on: ['POST /business-units', 'POST /me/business-units'],
        beside: ['customer'],
      },
      {in: 'body', at: 'actions[].associate.roles', on: ['POST /business-units/{}', 'POST /me/business-units/{}']},
      {in: 'body', at: 'associate.roles', beside: ['customer']},
      {in: 'symbol', names: ['AssociateRoleDeprecated']},
    ],
  }),
]
