import {expect} from 'chai'
import {operations} from '../../../src/api/index.js'
import {collections} from '../../../src/api/operation/collection-table.js'
import {defined} from '../../../src/domain/equal.js'
import {fieldsOf} from '../../../src/domain/resource-fields.js'
import type {Shape} from '../../../src/query/ast.js'
import {referenceTypes} from '../../fixtures/reference/reference.js'
import {type Desk, openDesk} from '../harness.js'
import {answerOf, differencesIn, parametersOf, shownBeside, undeclared} from './reference-check.js'

const namesIn = (shape: Shape): string[] => ('members' in shape ? Object.keys(shape.members) : [])

/** What a shape has otherwise than a type of the reference, at any depth; `open` parts are as the reference pleases. */
function unlike(shape: Shape, text: string, at: string): string[] {
  const [, type = '', list] = /^(\w[\w-]*)((?:\[\])*)\??$/.exec(text) ?? []
  if ('open' in shape || 'fieldsOf' in shape) return []
  const isList = list !== ''
  const wrong = (shape.array ?? false) === isList ? [] : [`${at} ${isList ? 'is a list' : 'is no list'}`]
  // Whatever the precision of money, its fields are the same.
  const found = referenceTypes.get(type === 'CentPrecisionMoney' ? 'TypedMoney' : type)
  if ('leaf' in shape)
    return shape.leaf.startsWith(type.replace(/-only$/, '')) ? wrong : [...wrong, `${at} is a ${type}`]
  if (!found) return [...wrong, `${at} is a ${type}, not an object`]
  const kinds = Object.values(found.kinds ?? {}).map((kind) => referenceTypes.get(kind)?.members ?? {})
  const members: Readonly<Record<string, string>> = Object.assign(
    {},
    ...(type.endsWith('Reference') ? [] : kinds),
    found.members,
  )
  const declared = [
    ...Object.keys(members).filter((name) => name !== 'obj'),
    ...undeclared,
    ...(shownBeside.get(type) ?? []),
  ]
  const inner = Object.entries(shape.members).flatMap(([name, one]) =>
    members[name] === undefined ? [] : unlike(one, members[name], `${at}.${name}`),
  )
  const surplus = namesIn(shape).filter((name) => !declared.includes(name) && name !== 'lowercaseEmail')
  const unseen = ['obj', 'password', ...(at.endsWith('.elementType') ? ['elementType'] : []), ...namesIn(shape)]
  const missing = Object.keys(members).filter((name) => !unseen.includes(name))
  return [...wrong, ...inner, ...[...surplus, ...missing].map((name) => `${at}.${name}`)]
}

/** Collections whose fields are known at any depth. */
const known = ['customer', 'store', 'customer-group', 'type', 'cart', 'quote', 'quote-request', 'staged-quote']

/** What has members of any name, or of several kinds. */
const free = new Set([
  ...['name', 'description', 'label', 'slug', 'productSlug', 'fields', 'values', 'attributes', 'availability'],
  ...['images', 'assets', 'scopedPrice', 'tiers', 'deliveries', 'shippingRateInput', 'directDiscounts', 'warnings'],
  'discountTypeCombination',
])

const openIn = (shape: Shape): string[] =>
  'members' in shape
    ? Object.entries(shape.members).flatMap(([name, one]) =>
        'open' in one || 'fieldsOf' in one ? [name] : openIn(one),
      )
    : []

/** Paths outside of the reference of the HTTP API, and why they are served. */
const beside: readonly [RegExp, string][] = [
  [/\/_frontdesk\//, 'administration of this server'],
  [/^\/oauth\//, 'the reference has the authorization server elsewhere'],
  [/\/graphql$/, 'has a schema of its own'],
  [/\/in-store\/.*\/me\/quotes/, 'the documentation of My Quotes has them'],
  [/\/me\/carts\/key=/, 'the documentation of My Carts has them'],
]

describe('api · fields of queries', () => {
  let desk: Desk
  let hazel: string
  before(async () => {
    desk = await openDesk({seed: true})
    hazel = (await desk.ask('GET', '/customers?limit=1')).body.results[0].id
  })
  after(() => desk.runtime.state.close())

  for (const {typeId, segment, label, shape} of collections) {
    it(`knows the members of ${segment} as the reference has them`, () => {
      expect(unlike(shape, label, typeId)).to.deep.equal([])
      if (known.includes(typeId)) expect(openIn(shape).filter((name) => !free.has(name))).to.deep.equal([])
    })
  }

  it('knows the members of every message', () => {
    const kinds = Object.values(referenceTypes.get('Message')?.kinds ?? {})
    const declared = new Set(kinds.flatMap((kind) => Object.keys(referenceTypes.get(kind)?.members ?? {})))
    expect(namesIn(fieldsOf('message'))).to.have.members([...declared, ...undeclared])
  })

  it('serves the operations of the reference, and beside them only what it has to', () => {
    const others = operations.filter(
      (one) => one.area !== 'Probes' && one.method !== 'HEAD' && answerOf(one) === undefined,
    )
    const reasonOf = (path: string): string | undefined => beside.find(([pattern]) => pattern.test(path))?.[1]
    expect(others.filter(({path}) => reasonOf(path) === undefined).map(({id}) => id)).to.deep.equal([])
    expect(new Set(others.map(({path}) => reasonOf(path))).size).to.equal(beside.length)
  })

  it('takes the query parameters of the reference, but for what has no effect', () => {
    const differing = operations.flatMap((one) => {
      if (one.method === 'HEAD' || answerOf(one) === undefined) return []
      const [ours, theirs] = [one.query ?? [], parametersOf(one)]
      const names = [
        ...ours.filter((name) => !theirs.includes(name)).map((name) => `+${name}`),
        ...theirs.filter((name) => !ours.includes(name)).map((name) => `-${name}`),
      ]
      return names.length === 0 ? [] : [`${one.id} ${names.join(' ')}`]
    })
    expect(differing).to.have.members([
      // One customer is neither sorted nor paged.
      ...['getMe', 'getMeInStore'].map((id) => `${id} -sort -limit -offset -withTotal`),
      // Deprecated, and gone from the reference.
      ...['queryShippingMethods +cartId', 'queryCarts +customerId', 'queryCartsInStore +customerId'],
      // A client refers to nothing.
      'createApiClient -expand',
    ])
  })

  it('tells a member that is missing, surplus or of another type', () => {
    const reference = {typeId: 'customer', id: 'x', obj: {}, more: 1}
    const by = {clientId: 1, customer: reference}
    expect(differencesIn('LastModifiedBy', by)).to.include.members([
      'CustomerReference.more is surplus',
      'LastModifiedBy.clientId is no string',
      'Customer.version is missing',
    ])
    expect(differencesIn('Message[]', [{type: 'Nothing'}])).to.deep.equal(['Message: type is Nothing'])
  })

  for (const {segment} of [...collections, {segment: 'messages'}]) {
    it(`refuses a field that does not exist in where and sort of ${segment}`, async () => {
      const where = await desk.ask('GET', `/${segment}?where=${encodeURIComponent('groupName = "VIP"')}`)
      expect([where.status, where.body.message]).to.deep.equal([
        400,
        "Malformed parameter: where: The field 'groupName' does not exist.",
      ])
      const sort = await desk.ask('GET', `/${segment}?sort=nope%20asc`)
      expect([sort.status, sort.body.errors[0].code]).to.deep.equal([400, 'InvalidInput'])
      expect(sort.body.message).to.match(/^Malformed parameter: sort: Invalid query field 'nope' in sort path\./)
      const both = await desk.ask('GET', `/${segment}?where=${encodeURIComponent('id is defined')}&sort=id%20asc`)
      expect(both.status).to.equal(200)
    })
  }

  for (const [path, where, wrong] of [
    ['/stores', 'storefront(imprint = "x")', 'imprint'],
    ['/stores', 'countries(code = "DE" and name = "x")', 'name'],
    ['/customer-groups', 'custom(type(key = "x"))', 'key'],
    ['/customer-groups', 'createdBy(customer(email = "x"))', 'email'],
    ['/types', 'fieldDefinitions(type(nme = "String"))', 'nme'],
    ['/carts', 'lineItems(sku = "MUG-BLUE")', 'sku'],
    ['/carts', 'lineItems(variant(prices(value(cents = 1))))', 'cents'],
    ['/in-store/key=berlin/carts', 'shippingAddress(contry = "DE")', 'contry'],
    ['/me/carts', 'store(id = "x")', 'id'],
    ['/me/quotes', 'lineItems(price(valid = "x"))', 'valid'],
    ['/in-store/key=berlin/me/quotes', 'customer(email = "x")', 'email'],
    ['/me', 'addresses(zip = "1")', 'zip'],
    ['/quotes', 'totalPrice(amount = 1)', 'amount'],
    ['/messages', 'resource(typ = "customer")', 'typ'],
    ['/api-clients', 'scopes = "x"', 'scopes'],
  ] as const) {
    it(`refuses ${where} at ${path}`, async () => {
      const bound = /\/me(\/|$)/.test(path)
      const token = bound
        ? await desk.token('manage_my_profile manage_my_orders manage_my_quotes', {customerId: hazel})
        : undefined
      const refused = await desk.ask('GET', `${path}?where=${encodeURIComponent(where)}`, defined({token}))
      expect([refused.status, refused.body.message]).to.deep.equal([
        400,
        `Malformed parameter: where: The field '${wrong}' does not exist.`,
      ])
    })
  }

  it('finds by fields of fields, of carts, types and messages', async () => {
    for (const [path, where] of [
      ['/carts', 'lineItems(variant(sku = "MUG-BLUE") and quantity > 0)'],
      ['/carts', 'totalPrice(currencyCode = "EUR") and createdAt > "2020-01-01T00:00:00Z"'],
      ['/types', 'fieldDefinitions(type(name = "String")) and resourceTypeIds contains any ("customer")'],
      ['/stores', 'languages contains any ("de", "en") and name(en is defined)'],
      [
        '/quotes',
        'lineItems(price(validFrom is not defined) and reservation is not defined) and createdBy(associate is not defined)',
      ],
    ] as const) {
      const found = await desk.ask('GET', `${path}?where=${encodeURIComponent(where)}`)
      expect([found.status, found.body.count > 0], where).to.deep.equal([200, true])
    }
  })
})
