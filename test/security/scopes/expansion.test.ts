import {expect} from 'chai'
import {getCustomerById} from '../../../src/api/customers/operations.js'
import {Budget} from '../../../src/api/operation/budget.js'
import {collections} from '../../../src/api/operation/collection-table.js'
import type {Bearer, Context} from '../../../src/api/operation/context.js'
import {expansionOf} from '../../../src/api/operation/read.js'
import {uniqueKeysOf} from '../../../src/domain/customers/identity.js'
import type {Document} from '../../../src/store/store.js'
import {addQuotes} from '../shop/quotes.js'
import {openShop, type Shop} from '../shop/shop.js'
import type {Body} from '../shop/wire.js'
import {living, owned, throughExpand} from './matrix-table.js'
import {tokensOf} from './matrix-tokens.js'

/**
 * The column "through expand" of the permission matrix: a resource that everybody may read refers to one document of each
 * collection of the caller's and to one of somebody else, and only what the caller may read stands in `obj`.
 */

const typeIds = collections.map(({typeId}) => typeId)
/** What belongs to nobody stands among the caller's own. */
const kindsOf = (whose: 'own' | 'others') => (whose === 'own' ? typeIds : owned)
const fieldOf = (typeId: string, whose: 'own' | 'others') => `${typeId}-${whose}`

/** A document of a collection that is a customer's, as far as its kind can be anybody's. */
function documentOf(typeId: string, id: string, customerId: string): Document {
  const base = {id, version: 1, key: id}
  const customer = {typeId: 'customer', id: customerId}
  if (typeId === 'cart') return {...base, customerId} as Document
  if (typeId === 'business-unit') return {...base, associates: [{customer}]} as Document
  return (['quote', 'quote-request', 'staged-quote'].includes(typeId) ? {...base, customer} : base) as Document
}

/** References to a document of each collection, of G and of K2; K2 is a customer of the store S2. */
async function addHubs(shop: Shop): Promise<Body> {
  const {state} = shop.runtime
  const {G, K1, K2} = shop.customers
  const sides = [['own', G] as const, ['others', K2] as const]
  const entries = sides.flatMap(([whose, {id}]) =>
    kindsOf(whose).map((typeId): [string, Body] => [
      fieldOf(typeId, whose),
      {typeId, id: typeId === 'customer' ? id : `${typeId}-of-${whose}`},
    ]),
  )
  const fields: Record<string, Body> = Object.fromEntries(entries)
  for (const [whose, {id: owner}] of sides) {
    for (const typeId of kindsOf(whose).filter((one) => one !== 'customer')) {
      const store = whose === 'others' ? {store: {typeId: 'store', key: 'S2'}} : {}
      const doc = {...documentOf(typeId, fields[fieldOf(typeId, whose)].id, owner), ...store, custom: {fields}}
      await state.commit('shop', [{kind: typeId, expect: 0, doc}])
    }
  }
  for (const {id} of [G, K1]) {
    const before = await state.get<Body>('shop', 'customer', id)
    const doc = {...before, version: before.version + 1, custom: {fields}}
    await state.commit('shop', [{kind: 'customer', expect: before.version, doc, uniqueKeys: uniqueKeysOf(doc)}])
  }
  await addQuotes(shop)
  const quote = await state.get<Body>('shop', 'quote', 'quote-of-G')
  const doc = {...quote, version: quote.version + 1, custom: {fields}}
  await state.commit('shop', [{kind: 'quote', expect: quote.version, doc, uniqueKeys: [{key: 'key:key-of-G'}]}])
  return fields
}

const expandedIn = (document: Body, whose: 'own' | 'others'): string[] =>
  kindsOf(whose).filter((typeId) => document.custom.fields[fieldOf(typeId, whose)].obj !== undefined)

describe('security · permission matrix · through expand', () => {
  let shop: Shop
  let fields: Body
  before(async () => {
    shop = await openShop()
    fields = await addHubs(shop)
  })
  after(() => shop.close())

  /** Documents at the given path with everything expanded; a request takes twenty paths at the most. */
  async function expandedAt(path: string, token: string | null | undefined): Promise<Body> {
    const paths = Object.keys(fields).map((name) => `expand=custom.fields.${name}`)
    const merged: Body = {custom: {fields: {}}}
    for (let at = 0; at < paths.length; at += 20) {
      const {status, body} = await shop.api('GET', `${path}?${paths.slice(at, at + 20).join('&')}`, token)
      expect(status, path).to.equal(200)
      const shown = Object.entries<Body>(body.custom.fields)
      for (const [name, reference] of shown) {
        if (reference.obj !== undefined || merged.custom.fields[name] === undefined)
          merged.custom.fields[name] = reference
      }
    }
    return merged
  }

  it('shows each kind of token what the table says', async () => {
    const tokens = await tokensOf(shop)
    const values: Record<string, string> = {projectKey: 'shop', storeKey: 'S1', G: shop.customers.G.id}
    for (const kind of living) {
      const row = throughExpand[kind]
      if (!row) continue
      const path = row.route.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name)
      const document = await expandedAt(path, tokens.get(kind))
      expect(expandedIn(document, 'own'), `${kind}: own`).to.have.members([...row.own])
      expect(expandedIn(document, 'others'), `${kind}: of others`).to.have.members([...row.others])
    }
  })

  for (const scope of new Set(collections.flatMap(({view}) => view))) {
    const readable = collections.filter(({view}) => view.includes(scope))
    it(`shows a client with ${scope} alone nothing but ${readable.map(({segment}) => segment)}`, async () => {
      const client = await shop.addClient(`${scope}:shop`)
      const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
      const form = {grant_type: 'client_credentials'}
      const token = (await shop.post('/oauth/token', form, basic)).body.access_token
      for (const {typeId, segment} of readable) {
        const document = await expandedAt(`/shop/${segment}/${fields[fieldOf(typeId, 'own')].id}`, token)
        for (const whose of ['own', 'others'] as const) {
          expect(expandedIn(document, whose), whose).to.have.members(
            readable.map((one) => one.typeId).filter((one) => kindsOf(whose).includes(one)),
          )
        }
      }
    })
  }

  it('goes no deeper than what may be read, and lists as it reads', async () => {
    const token = await shop.token('ADM', 'view_business_units:shop')
    const unit = fields['business-unit-own'].id
    const paths = 'expand=associates[*].customer&expand=custom.fields.quote-own.customer'
    for (const path of [`/shop/business-units/${unit}?${paths}`, `/shop/business-units?${paths}`]) {
      const {status, text} = await shop.api('GET', path, token)
      expect(status).to.equal(200)
      expect(text).to.not.include(shop.customers.G.email)
      expect(text).to.not.include('"obj"')
    }
    const both = await shop.token('ADM', 'view_business_units:shop view_customers:shop')
    const {body} = await shop.api('GET', `/shop/business-units/${unit}?expand=associates[*].customer`, both)
    expect(body.associates[0].customer.obj.email).to.equal(shop.customers.G.email)
  })

  it('expands what a message is about for those who may read that', async () => {
    for (const [scope, isShown] of [
      ['view_messages:shop', false],
      ['view_messages:shop view_customers:shop', true],
    ] as const) {
      const token = await shop.token('ADM', scope)
      const {body} = await shop.api('GET', '/shop/messages?expand=resource&limit=1', token)
      expect(body.results[0].resource.obj !== undefined).to.equal(isShown)
    }
  })

  it('shows a visitor what is of the session and what describes it', async () => {
    const principal: Bearer = {
      kind: 'bearer',
      projectKey: 'shop',
      clientId: 'c',
      scopes: ['manage_my_orders:shop'],
      anonymousId: 'visitor',
    }
    const {state} = shop.runtime
    await state.commit('shop', [
      {kind: 'cart', expect: 0, doc: {id: 'mine', version: 1, anonymousId: 'visitor'} as Document},
      {kind: 'cart', expect: 0, doc: {id: 'nobodys', version: 1} as Document},
    ])
    const project = await state.get<Body>('_', 'project', 'shop')
    const context = {
      runtime: shop.runtime,
      project,
      principal,
      correlationId: '',
      now: 0,
      budget: new Budget(),
    } as Context
    const hub: Body = {
      mine: {typeId: 'cart', id: 'mine'},
      nobodys: {typeId: 'cart', id: 'nobodys'},
      others: fields['cart-others'],
      customer: fields['customer-own'],
      group: fields['customer-group-own'],
      state: fields['state-own'],
    }
    const expand = expansionOf(context, getCustomerById, new Map([['expand', Object.keys(hub)]]))
    const shown = Object.entries<Body>((await expand?.(hub)) ?? {}).filter(([, one]) => one.obj !== undefined)
    expect(shown.map(([name]) => name)).to.deep.equal(['mine', 'state'])
  })

  it('lets no predicate or sort key look through a reference', async () => {
    const token = await shop.token('ADM', 'view_business_units:shop')
    const find = (query: string) => shop.api('GET', `/shop/business-units?${query}`, token)
    const where = (predicate: string) => `where=${encodeURIComponent(predicate)}`
    const email = shop.customers.G.email
    for (const predicate of [
      `associates(customer(obj(email="${email}")))`,
      `associates(customer(email="${email}"))`,
      `associates(customer(obj is defined))`,
    ]) {
      const {body} = await find(`${where(predicate)}&expand=associates[*].customer`)
      expect(body.results, predicate).to.deep.equal([])
    }
  })
})
