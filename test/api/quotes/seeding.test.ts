import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {ApiError} from '../../../src/domain/errors.js'
import type {CustomerName} from '../../../src/server/local/admin-requests.js'
import {customerToken} from '../../../src/server/local/customer-token.js'
import {ensureProject} from '../../../src/server/local/first-use.js'
import type {LocalClient} from '../../../src/server/local/local-files.js'
import {seedQuote} from '../../../src/server/local/seed-quote.js'
import {pack} from '../../fixtures/pack.js'
import type {Body} from '../harness.js'
import {accept, idOf, openQuoteDesk, type QuoteDesk} from './harness.js'

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    return error instanceof ApiError ? error.code : String(error)
  }
}

const zofia = {id: idOf('zofia-lecka')}

describe('quotes · seeding', () => {
  let desk: QuoteDesk

  before(async () => {
    desk = await openQuoteDesk()
  })

  const seed = (customer: CustomerName, cart = 'zofia-to-quote', key?: string) =>
    seedQuote(desk.runtime, {projectKey: 'demo', customer, cart, ...(key === undefined ? {} : {key})})

  it('makes a pending quote that its customer can read, expand and accept', async () => {
    const quote = await seed({by: 'key', value: 'zofia-lecka'}, 'zofia-to-quote', 'zofia-new')
    expect(quote).to.include({quoteState: 'Pending', validTo: '2026-12-20T10:00:00.000Z'})
    const paths = ['quoteRequest', 'stagedQuote.quotationCart', 'customer']
    const expand = paths.map((path) => `expand=${path}`).join('&')
    const {status, body} = await desk.as('zofia-lecka', 'GET', `/key=zofia-new?${expand}`)
    expect(status).to.equal(200)
    expect(body.quoteRequest.obj.quoteRequestState).to.equal('Accepted')
    expect(body.stagedQuote.obj.quotationCart.obj.origin).to.equal('Quote')
    expect(body.customer.obj.key).to.equal('zofia-lecka')
    const cart = pack.carts.find((one) => one.key === 'zofia-to-quote')
    expect(body.totalPrice).to.deep.equal(cart?.totalPrice)
    expect((await desk.ask('GET', '/carts/key=zofia-to-quote')).body).to.deep.equal(cart)
    const accepted = await desk.as('zofia-lecka', 'POST', '/key=zofia-new', {version: 1, actions: [accept]})
    expect(accepted.body).to.include({quoteState: 'Accepted', version: 2, lastMessageSequenceNumber: 2})
    const where = encodeURIComponent(
      `resource(id in ("${quote.id}", "${quote.quoteRequest.id}", "${quote.stagedQuote.id}"))`,
    )
    const {results} = (await desk.ask('GET', `/messages?where=${where}`)).body
    expect(results.map(({type}: Body) => type)).to.have.members([
      'QuoteRequestCreated',
      'StagedQuoteCreated',
      'QuoteCreated',
      'QuoteStateChanged',
    ])
    const created = results.find(({type}: Body) => type === 'QuoteCreated')
    expect(created.quote).to.include({id: quote.id, quoteState: 'Pending'})
  })

  it('finds the customer by id, number and email, whatever its case', async () => {
    const {email = '', customerNumber = ''} = pack.customers.find(({key}) => key === 'zofia-lecka') ?? {}
    expect((await seed({by: 'email', value: email.toUpperCase()})).customer?.id).to.equal(zofia.id)
    expect((await seed({by: 'id', value: zofia.id})).customer?.id).to.equal(zofia.id)
    if (customerNumber) expect((await seed({by: 'number', value: customerNumber})).customer?.id).to.equal(zofia.id)
  })

  it('makes none of an unknown or ambiguous customer, an unknown cart, another’s cart or a key in use', async () => {
    const berlin = pack.customers.find(({key}) => key === 'mira-berlin')
    expect(await codeOf(seed({by: 'key', value: 'nobody'}))).to.equal('ResourceNotFound')
    expect(await codeOf(seed({by: 'email', value: berlin?.email ?? ''}))).to.equal('InvalidInput')
    expect(await codeOf(seed({by: 'key', value: 'zofia-lecka'}, 'no-cart'))).to.equal('ResourceNotFound')
    expect(await codeOf(seed({by: 'key', value: 'zofia-lecka'}, 'hazel-current'))).to.equal('InvalidOperation')
    expect(await codeOf(seed({by: 'key', value: 'zofia-lecka'}, 'zofia-to-quote', 'hazel-open'))).to.equal(
      'DuplicateField',
    )
    const nowhere = {projectKey: 'nowhere', customer: {by: 'key', value: 'x1'}, cart: 'c'} as const
    expect(await codeOf(seedQuote(desk.runtime, nowhere))).to.equal('ResourceNotFound')
  })

  it('keeps the unit and the store of the cart', async () => {
    const ofUnit = await seed({by: 'key', value: 'ingrid-harrow'}, 'ingrid-mill')
    expect(ofUnit.businessUnit).to.deep.equal({typeId: 'business-unit', key: 'harrow-mill'})
    const ofStore = await seed({by: 'key', value: 'mira-berlin'}, 'mira-berlin')
    expect(ofStore.store).to.deep.equal({typeId: 'store', key: 'berlin'})
  })
})

describe('quotes · a token for a customer', () => {
  let desk: QuoteDesk
  let dataDir: string
  let local: LocalClient

  before(async () => {
    desk = await openQuoteDesk()
    dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-quotes-'))
    local = await ensureProject(desk.runtime, dataDir, 'demo')
  })
  after(() => rm(dataDir, {recursive: true, force: true}))

  const issue = (customer: CustomerName, storeKey?: string) =>
    customerToken(desk.runtime, local, {projectKey: 'demo', customer, ...(storeKey === undefined ? {} : {storeKey})})

  it('opens the quotes of that customer for ten minutes, and nothing else', async () => {
    const answer = await issue({by: 'key', value: 'hazel-brandvold'})
    expect(answer).to.include({expires_in: 600, scope: `manage_my_quotes:demo customer_id:${idOf('hazel-brandvold')}`})
    expect(answer).to.not.have.property('refresh_token')
    const token = answer.access_token
    const status = async (path: string) => (await desk.ask('GET', path, {token})).status
    expect(await status('/me/quotes/key=hazel-open')).to.equal(200)
    expect(await status('/me')).to.equal(403)
    expect(await status('/customers')).to.equal(403)
    desk.clock.now += 601_000
    expect(await status('/me/quotes/key=hazel-open')).to.equal(401)
  })

  it('is bound to the store where the customer belongs to one', async () => {
    const email = pack.customers.find(({key}) => key === 'mira-berlin')?.email ?? ''
    const {access_token: token} = await issue({by: 'email', value: email}, 'berlin')
    expect((await desk.ask('GET', '/in-store/key=berlin/me/quotes/key=mira-berlin', {token})).status).to.equal(200)
    expect((await desk.ask('GET', '/me/quotes', {token})).status).to.equal(403)
    expect(await codeOf(issue({by: 'key', value: 'mira-berlin'}))).to.equal('InvalidOperation')
    expect(await codeOf(issue({by: 'key', value: 'mira-berlin'}, 'london'))).to.equal('ResourceNotFound')
    expect(await codeOf(issue({by: 'key', value: 'mira-berlin'}, 'no-store'))).to.equal('ResourceNotFound')
  })

  it('ends with the customer’s sessions', async () => {
    const {access_token: token} = await issue({by: 'key', value: 'owen-pell'})
    const {body} = await desk.ask('GET', `/customers/${idOf('owen-pell')}`)
    const customer = body as Customer
    await desk.ask('DELETE', `/customers/${customer.id}?version=${customer.version}`)
    expect((await desk.ask('GET', '/me/quotes', {token})).status).to.equal(401)
  })
})
