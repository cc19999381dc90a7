import {expect} from 'chai'
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  isInputObjectType,
  isObjectType,
  validateSchema,
} from 'graphql'
import {schemaText} from '../../../src/api/graphql/schema.js'
import {graphqlTypes} from '../../fixtures/reference/reference.js'

/** What differs from the vendor's schema, by the reason: `Type`, `Type.*`, or `Type.member`. */
const differences: Readonly<Record<string, readonly string[]>> = {
  'is not served by GraphQL here': ['Query.*', 'Mutation.*', 'InStore.*', 'InStoreMe.*', 'Me.*'],
  'refers to collections that are not served': [
    ...[
      'productSelections',
      'distributionChannels',
      'distributionChannelsRef',
      'supplyChannels',
      'supplyChannelsRef',
    ].map((name) => `Store.${name}`),
    ...['RawCustomField', 'RawProductAttribute'].flatMap((name) => [
      `${name}.referencedResource`,
      `${name}.referencedResourceSet`,
    ]),
    ...['DiscountedProductPriceValue.discount', 'DiscountedLineItemPortion.discount', 'DiscountCodeInfo.discountCode'],
    ...['ItemState.state', 'PaymentInfo.payments'],
  ],
  'belongs to users of the vendor’s own tools': ['Initiator.userRef', 'Attribution.userRef', 'Attribution.source'],
  'stands in for one of many types that tell their names': ['FieldType'],
  'is a text here, since seeded documents may hold any': [
    'FieldDefinition.inputHint',
    ...['cartState', 'origin', 'inventoryMode', 'shippingMode', 'taxMode'].map((name) => `Cart.${name}`),
    ...['taxCalculationMode', 'taxRoundingMode', 'priceRoundingMode'].map((name) => `Cart.${name}`),
    ...['lineItemMode', 'priceMode', 'inventoryMode'].map((name) => `LineItem.${name}`),
    ...['CustomLineItem.priceMode', 'ShippingInfo.shippingMethodState', 'DiscountCodeInfo.state'],
    ...['inventoryMode', 'taxMode', 'taxCalculationMode', 'taxRoundingMode', 'priceRoundingMode'].map(
      (name) => `Quote.${name}`,
    ),
  ],
  'shows a part of a cart or quote: what REST computes of a sign-in': [
    ...['ProductVariant.*', 'ProductPrice.*', 'CustomLineItem.*', 'ShippingMethod.*', 'ShippingInfo.*'],
    ...['ShippingRate.tiers', 'RawProductAttribute.attributeDefinition', 'RawProductAttribute.attributesRaw'],
    ...['Cart.*', 'LineItem.*', 'Quote.*'],
  ],
  'is an extension for migrations': ['CustomerSignUpDraft.passwordHash'],
  'is deprecated, and REST takes it': ['ChangeCustomerName', 'CustomerUpdateAction.changeName'],
  'is required, since a customer’s own sign-up has one': ['CustomerSignMeUpDraft.password'],
}

const named = new Set(Object.values(differences).flat())

const inOrder = (text: string): string =>
  text.replace(/^\((.*)\)/, (_, list: string) => `(${list.split(', ').sort().join(', ')})`)

function textOf(field: GraphQLField<unknown, unknown> | GraphQLInputField): string {
  const list = 'args' in field ? field.args.map(({name, type}) => `${name}: ${type}`) : []
  return list.length === 0 ? String(field.type) : inOrder(`(${list.join(', ')}) ${field.type}`)
}

const membersOf = (type: GraphQLNamedType): ReadonlyMap<string, string> | undefined =>
  isObjectType(type) || isInputObjectType(type)
    ? new Map(Object.values(type.getFields()).map((field) => [field.name, textOf(field)]))
    : undefined

/** Members that differ; those that only they have count once as `Type.*` where that is a difference. */
function differing(name: string, ours: ReadonlyMap<string, string>): string[] {
  const theirs = graphqlTypes.get(name)
  if (!theirs) return [name]
  const unlike = [...ours].filter(([member, text]) => inOrder(theirs[member] ?? '') !== text)
  const missing = Object.keys(theirs).filter((member) => !ours.has(member))
  const isPart = missing.length > 0 && named.has(`${name}.*`)
  return [
    ...unlike.map(([member]) => `${name}.${member}`),
    ...(isPart ? [`${name}.*`] : missing.map((one) => `${name}.${one}`)),
  ]
}

describe('api · graphql · the vendor’s schema', () => {
  it('is one that GraphQL takes, which the server does not check again', () => {
    expect(validateSchema(buildSchema(schemaText))).to.deep.equal([])
  })

  it('differs from it where a reason stands here, and nowhere else', () => {
    const types = Object.values(buildSchema(schemaText).getTypeMap()).filter(({name}) => !name.startsWith('__'))
    const found = types.flatMap((type) => {
      const members = membersOf(type)
      return members ? differing(type.name, members) : []
    })
    expect(found).to.have.members([...named])
  })
})
