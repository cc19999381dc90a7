import {expect} from 'chai'
import {operations} from '../../src/api/index.js'
import type {Kind} from '../../src/deprecations/catalogue/entry.js'
import {catalogue} from '../../src/deprecations/catalogue/index.js'
import {removalDayOf, statusOf} from '../../src/deprecations/dates.js'
import {isDate} from '../../src/domain/rules.js'
import {referenceMarks} from '../fixtures/reference/reference.js'

/** The interface's main table: its areas in order, with the number of rows of each. */
const tableRows: readonly (readonly [string, number])[] = [
  ['Customers', 2],
  ['Custom Fields', 1],
  ['Carts', 3],
  ['Cart Discounts', 2],
  ['Business Units', 1],
  ['Change History', 6],
  ['Custom Objects', 2],
  ['Host names', 1],
  ['Import', 3],
  ['Messages', 1],
  ['Orders', 2],
  ['Payments', 2],
  ['Products', 2],
  ['Product Search', 1],
  ['Product Selections', 2],
  ['Product Types', 1],
  ['Project', 1],
  ['Recurrence Policies', 1],
  ['Shipping Methods', 3],
  ['Subscriptions', 2],
  ['Types', 1],
  ['Discount Codes, Messages', 1],
]

/** The interface's list of GraphQL deprecations: types times fields of each clause. */
const graphqlClauses = {
  'custom fields on 14 types': 14 * 3,
  'typeId on three types': 3,
  'roles and SimpleAssociateRole': 2,
  productCount: 1,
  'excludeCount on two types and two inputs': 4,
  'two members of the base money input': 2,
  'Ref and ResId renames': 1,
  'payment amounts': 3,
  'description and setDescription': 2,
  'product selection renames': 4,
  'members of RemoveProductPrice': 3,
  masterData: 1,
  markMatchingVariant: 1,
}

/** What the reference itself marks as deprecated, by the entry that tells of it. */
const marks: Readonly<Record<string, string>> = {
  'business-units-associate-roles': 'Associate.roles AssociateDraft.roles AssociateRoleDeprecated',
  'cart-discounts-exclude-count': 'CountOnCustomLineItemUnits.excludeCount CountOnLineItemUnits.excludeCount',
  'change-history-amount-authorized-change': 'ChangeAmountAuthorizedChange',
  'change-history-associate-changes': 'AddAssociateChange RemoveAssociateChange',
  'change-history-price-changes': 'AddPriceChange RemovePriceChange',
  'change-history-product-selection-changes': 'AddProductSelectionChange RemoveProductSelectionChange',
  'change-history-state-roles-changes': 'AddStateRolesChange RemoveStateRolesChange',
  'custom-objects-query-all': 'custom-objects.get',
  'customers-anonymous-cart-id': 'CustomerDraft.anonymousCartId CustomerSignin.anonymousCartId',
  'graphql-count-on-custom-line-item-units-exclude-count': 'GraphQL:CountOnCustomLineItemUnits.excludeCount',
  'graphql-count-on-custom-line-item-units-input-exclude-count': 'GraphQL:CountOnCustomLineItemUnitsInput.excludeCount',
  'messages-payment-id': [
    'PaymentStatusInterfaceCodeSetMessage.paymentId',
    'PaymentStatusInterfaceCodeSetMessagePayload.paymentId',
  ].join(' '),
  'my-carts-external-prices': [
    'MyCartChangeLineItemQuantityAction.externalPrice',
    'MyCartChangeLineItemQuantityAction.externalTotalPrice',
  ].join(' '),
  'orders-from-cart-id': 'OrderFromCartDraft.id',
  'orders-last-message-sequence-number': 'Order.lastMessageSequenceNumber GraphQL:Order.lastMessageSequenceNumber',
  'payments-amount-fields': [
    ...['amountAuthorized', 'amountPaid', 'amountRefunded', 'authorizedUntil', 'externalId'].flatMap((name) => [
      `Payment.${name}`,
      `PaymentDraft.${name}`,
    ]),
    'PaymentSetAmountPaidAction PaymentSetAmountRefundedAction PaymentSetAuthorizationAction PaymentSetExternalIdAction',
  ].join(' '),
  'product-search-projection-parameters': [
    'ProductSearchProjectionParams ProductSearchRequest.productProjectionParameters',
    'ProductSearchResult.productProjection',
  ].join(' '),
  'product-selections-inclusion-exclusion': 'ProductVariantSelectionExclusion ProductVariantSelectionInclusion',
  'product-selections-type': [
    'IndividualExclusionProductSelectionType IndividualProductSelectionType ProductSelection.type',
    'ProductSelectionDraft.type ProductSelectionType ProductSelectionTypeEnum',
  ].join(' '),
  'product-types-change-attribute-order': 'ProductTypeChangeAttributeOrderAction',
  'products-remove-price-by-value':
    'ProductRemovePriceAction.price ProductRemovePriceAction.sku ProductRemovePriceAction.variantId',
  'products-set-sku-not-staged': 'ProductLegacySetSkuAction',
  'project-change-messages-enabled': 'ProjectChangeMessagesEnabledAction',
  'shipping-methods-description':
    'ShippingMethod.description ShippingMethodDraft.description ShippingMethodSetDescriptionAction',
  'subscriptions-queue-destination': 'IronMqDestination',
  'types-change-field-definition-label': 'TypeChangeFieldDefinitionLabelAction',
}

const ofKind = (kind: Kind) => catalogue.filter((entry) => entry.kind === kind)

describe('deprecations · catalogue', () => {
  it('has one entry for each row of the main table, in its order', () => {
    const entries = catalogue.filter(({area}) => area !== 'GraphQL')
    const counts = new Map<string, number>()
    for (const {area} of entries) counts.set(area, (counts.get(area) ?? 0) + 1)
    expect([...counts]).to.deep.equal(tableRows)
    expect(entries).to.have.length(41)
    expect(ofKind('rest')).to.have.length(39)
  })

  it('has one entry for each GraphQL type and field', () => {
    const expected = Object.values(graphqlClauses).reduce((sum, count) => sum + count)
    expect(ofKind('graphql')).to.have.length(expected)
  })

  it('has one entry for each changed scope of a GraphQL operation, and the scopes of recurrence policies', () => {
    const changes = catalogue.filter(({scope}) => scope !== undefined)
    expect(changes).to.have.length(9 + 8)
    expect(ofKind('scope')).to.have.length(9 + 8 + 2)
  })

  it('has an entry for everything that the reference marks as deprecated', () => {
    const told = Object.values(marks).flatMap((text) => text.split(' '))
    expect(told).to.have.members(referenceMarks.map((mark) => mark.replace(' ', ':')))
    const ids = new Set(catalogue.map(({id}) => id))
    expect(Object.keys(marks).filter((id) => !ids.has(id))).to.deep.equal([])
  })

  it('says nothing that no reader knows', () => {
    const known: Readonly<Record<string, string>> = {
      entry: 'id area item kind alternative dates source note scope detect isRemoved',
      dates: 'announced deprecated removed replaced migrated performed effective',
      scope: 'type operation previous current',
      action: 'in instead actions on beside with lacks among',
      body: 'in instead at values matches lacks when on beside',
      url: 'in instead places query value beside',
      'scope in a list': 'in instead scope lacks',
      name: 'in instead names',
    }
    const strange = (kind: string, value: object = {}) =>
      Object.keys(value).filter((name) => !known[kind]?.split(' ').includes(name))
    for (const {id, ...entry} of catalogue) {
      expect(strange('entry', entry), id).to.deep.equal([])
      expect([...strange('dates', entry.dates), ...strange('scope', entry.scope)], id).to.deep.equal([])
      for (const pattern of entry.detect ?? []) {
        const kind = pattern.in === 'scope' ? 'scope in a list' : pattern.in in known ? pattern.in : 'name'
        expect(strange(kind, pattern), `${id}: ${pattern.in}`).to.deep.equal([])
      }
    }
  })

  it('names every entry by a unique id in kebab case', () => {
    const ids = catalogue.map(({id}) => id)
    expect(new Set(ids).size).to.equal(ids.length)
    for (const id of ids) expect(id).to.match(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  })

  it('dates in ISO days that exist, and leaves undated what the interface leaves undated', () => {
    for (const {id, dates} of catalogue) {
      for (const day of Object.values(dates)) expect(isDate(day as string), `${id}: ${day}`).to.equal(true)
    }
    const undated = catalogue.filter(({dates}) => Object.keys(dates).length === 0).map(({id}) => id)
    expect(undated).to.deep.equal([
      'my-carts-external-prices',
      'custom-objects-query-all',
      'product-search-projection-parameters',
      'types-change-field-definition-label',
      'orders-scopes-elsewhere',
    ])
  })

  it('calls removed what the page of removed features has, with a day or without', () => {
    const undated = catalogue.filter((entry) => entry.isRemoved).map(({id}) => id)
    expect(undated).to.have.members([
      ...['customers-change-name', 'custom-fields-type-id', 'carts-discounted-price', 'cart-discounts-exclude-count'],
      ...['custom-objects-query-all', 'messages-payment-id', 'payments-uppercase-transaction-type'],
      ...['products-set-sku-not-staged', 'product-types-change-attribute-order', 'project-change-messages-enabled'],
      ...['shipping-methods-description', 'types-change-field-definition-label'],
    ])
    for (const entry of catalogue.filter(({isRemoved}) => isRemoved)) {
      expect([statusOf(entry), statusOf(entry, '2026-11-20')], entry.id).to.deep.equal(['removed', 'removed'])
      expect(removalDayOf(entry), entry.id).to.equal(undefined)
      if (entry.dates.deprecated) expect(statusOf(entry, entry.dates.deprecated), entry.id).to.equal('deprecated')
    }
  })

  it('never ends anything before it was deprecated', () => {
    for (const {id, dates} of catalogue) {
      const {deprecated, announced, removed, replaced, migrated, performed} = dates
      const start = deprecated ?? announced
      const end = removed ?? replaced ?? migrated ?? performed
      if (start !== undefined && end !== undefined) expect(start <= end, id).to.equal(true)
    }
  })

  it('tells item, alternative and source of every entry', () => {
    for (const entry of catalogue) {
      for (const text of [entry.area, entry.item, entry.alternative, entry.source]) expect(text).to.match(/\S/)
    }
  })

  it('can detect every entry but renames without a list, and scopes that open other things too', () => {
    const blind = catalogue.filter(({detect, scope}) => detect === undefined && scope === undefined)
    expect(blind.map(({id}) => id)).to.deep.equal(['orders-scopes-elsewhere', 'graphql-ref-and-res-id-renames'])
  })

  it('has an entry for everything deprecated that the local server still takes', () => {
    const known = new Set(catalogue.map(({id}) => id))
    const met = new Set(operations.flatMap(({deprecations = []}) => deprecations.map(({id}) => id)))
    expect(met.size).to.be.greaterThan(3)
    expect([...met].filter((id) => !known.has(id))).to.deep.equal([])
  })
})
