import {expect} from 'chai'
import {pack} from '../../fixtures/pack.js'
import {type Body, errorOf} from '../harness.js'
import {idOf, openQuoteDesk, type QuoteDesk, quoteOf} from './harness.js'

const hazel = 'hazel-brandvold'
const open = quoteOf('hazel-open')
const foreign = quoteOf('ingrid-may-do-all')
const own = pack.quotes.filter(({customer}) => customer?.id === idOf(hazel))

describe('api · my quotes · reading', () => {
  let desk: QuoteDesk

  before(async () => {
    desk = await openQuoteDesk()
  })

  const find = async (where: string, more = ''): Promise<Body> =>
    (await desk.as(hazel, 'GET', `?where=${encodeURIComponent(where)}${more}`)).body
  const keys = async (where: string): Promise<unknown[]> => (await find(where)).results.map(({key}: Body) => key)

  it('answers by id and by key, with and without a body', async () => {
    for (const name of [`/${open.id}`, '/key=hazel-open']) {
      expect(await desk.as(hazel, 'GET', name)).to.deep.include({status: 200, body: open})
      const head = await desk.as(hazel, 'HEAD', name)
      expect(head).to.include({status: 200, body: undefined})
    }
  })

  it('knows no quote of another customer, and says the same as for one that does not exist', async () => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const body = method === 'POST' ? {version: foreign.version, actions: []} : undefined
      const answers = await Promise.all([foreign.id, 'no-such-id'].map((id) => desk.as(hazel, method, `/${id}`, body)))
      expect(answers.map(({status}) => status)).to.deep.equal([404, 404])
      const [theirs, nobodys] = answers.map((answer) => JSON.stringify(answer.body ?? null))
      expect(theirs?.replaceAll(foreign.id, 'no-such-id')).to.equal(nobodys)
      expect((await desk.as(hazel, method, `/key=${foreign.key}`, body)).status).to.equal(404)
    }
    expect((await desk.as('ingrid-harrow', 'GET', `/${foreign.id}`)).status).to.equal(200)
  })

  it('lists the own quotes and no others, whatever the predicate says', async () => {
    const {body} = await desk.as(hazel, 'GET', '')
    expect(body).to.include({limit: 20, offset: 0, count: own.length, total: own.length})
    expect(body.results.map(({id}: Body) => id)).to.deep.equal(own.map(({id}) => id).sort())
    const wide = await find(`id is defined or customer(id = "${foreign.customer.id}") or not(id = "x")`)
    expect(wide.total).to.equal(own.length)
    expect(await keys(`id = "${foreign.id}"`)).to.deep.equal([])
    expect(await keys(`customer(id = "${foreign.customer.id}")`)).to.deep.equal([])
  })

  it('finds by state, money, references, dates, items and custom fields', async () => {
    expect(await keys('quoteState = "Accepted"')).to.deep.equal(['hazel-accepted'])
    expect(await keys('quoteState in ("Declined", "Withdrawn")')).to.have.members(['hazel-declined', 'hazel-withdrawn'])
    expect(await keys('totalPrice(centAmount = 204030 and currencyCode = "EUR")')).to.deep.equal(['hazel-open'])
    expect(await keys(`stagedQuote(id = "${open.stagedQuote.id}")`)).to.deep.equal(['hazel-open'])
    expect(await keys('validTo < "2026-11-20T00:00:00.000Z"')).to.deep.equal(['hazel-expired'])
    expect(await keys('lineItems(variant(sku = "DESK-OAK") and quantity = 2)')).to.include('hazel-open')
    expect(await keys('lineItems(name(en = "no such thing"))')).to.deep.equal([])
    expect(await keys('custom(fields(reason = "New studio"))')).to.deep.equal(['hazel-open'])
    expect(await keys('buyerComment is defined')).to.include('hazel-asks-again')
    expect(await keys('businessUnit(key = "harrow-mill")')).to.deep.equal([])
  })

  it('takes variables, sorts and pages', async () => {
    const {results, total} = await find('quoteState = :state', '&var.state=Pending&sort=totalPrice.centAmount%20desc')
    const amounts = results.map(({totalPrice}: Body) => totalPrice.centAmount)
    expect(total).to.equal(amounts.length).and.to.be.greaterThan(2)
    expect(amounts).to.deep.equal([...amounts].sort((a, b) => b - a))
    const page = (await desk.as(hazel, 'GET', '?sort=key&limit=2&offset=1&withTotal=false')).body
    const sorted = own.flatMap(({key}) => key ?? []).sort()
    expect(page.results.map(({key}: Body) => key)).to.deep.equal(sorted.slice(1, 3))
    expect(page).to.not.have.property('total')
  })

  it('refuses unknown fields in predicates and sort keys', async () => {
    for (const query of ['where=nothing%20%3D%201', 'where=customerId%20%3D%20%22x%22', 'sort=nothing', 'limit=501']) {
      const answer = await desk.as(hazel, 'GET', `?${query}`)
      expect(answer.status, query).to.equal(400)
      expect(errorOf(answer).code).to.equal('InvalidInput')
    }
  })

  it('tells whether any own quote satisfies a predicate', async () => {
    const status = async (where: string) => (await desk.as(hazel, 'HEAD', `?where=${encodeURIComponent(where)}`)).status
    expect(await status('quoteState = "Accepted"')).to.equal(200)
    expect(await status(`id = "${foreign.id}"`)).to.equal(404)
    expect((await desk.as(hazel, 'HEAD', '')).status).to.equal(200)
    expect((await desk.as('tomas-quill', 'HEAD', '')).status).to.equal(404)
  })

  it('puts what its references lead to beside them, on a page too', async () => {
    const paths = [
      'quoteRequest',
      'stagedQuote',
      'customer',
      'lineItems[*].productType',
      'custom.type',
      'state',
      'businessUnit',
    ]
    const expand = paths.map((path) => `expand=${encodeURIComponent(path)}`).join('&')
    const {body} = await desk.as(hazel, 'GET', `/${open.id}?${expand}`)
    expect(body.quoteRequest.obj).to.deep.include({id: open.quoteRequest.id, quoteRequestState: 'Accepted'})
    expect(body.stagedQuote.obj).to.include({id: open.stagedQuote.id, stagedQuoteState: 'Sent'})
    expect(body.customer.obj).to.include({id: idOf(hazel), email: 'hazel.brandvold@example.com'})
    expect(body.lineItems[0].productType.obj).to.have.property('name')
    expect(body.custom.type.obj.key).to.equal('negotiation')
    const listed = await find('key = "hazel-open"', '&expand=customer')
    expect(listed.results[0].customer.obj.id).to.equal(idOf(hazel))
    const unknown = await desk.as(hazel, 'GET', `/${open.id}?expand=lineItems%5B*%5D.state%5B*%5D.state&expand=nothing`)
    expect(unknown).to.deep.include({status: 200, body: open})
  })

  it('expands nothing that belongs to somebody else', async () => {
    const contact = open.custom.fields.contact
    expect(contact.id).to.not.equal(idOf(hazel))
    const {body} = await desk.as(hazel, 'GET', `/${open.id}?expand=custom.fields.contact`)
    expect(body.custom.fields.contact).to.deep.equal(contact)
  })
})

describe('api · my quotes · who may', () => {
  let desk: QuoteDesk

  before(async () => {
    desk = await openQuoteDesk()
  })

  const path = `/me/quotes/${open.id}`
  const status = async (token: string, at = path) => (await desk.ask('GET', at, {token})).status

  it('takes a token that is bound to a customer and has the scope', async () => {
    const customerId = idOf(hazel)
    expect(await status(await desk.token('manage_my_quotes', {customerId}))).to.equal(200)
    expect(await status(await desk.token('manage_project', {customerId}))).to.equal(200)
    expect(await status(await desk.token('manage_my_profile manage_quotes', {customerId}))).to.equal(403)
    expect((await desk.ask('GET', path, {token: null})).status).to.equal(401)
  })

  it('tells a client and a visitor what they lack', async () => {
    for (const token of [
      await desk.token('manage_my_quotes manage_project'),
      await desk.token('manage_my_quotes', {anonymousId: 'a-1'}),
      await desk.token('manage_my_quotes', {anonymousId: 'a-1', customerId: idOf(hazel)}),
    ]) {
      const answer = await desk.ask('GET', path, {token})
      expect(answer.status).to.equal(403)
      expect(errorOf(answer)).to.deep.equal({
        code: 'insufficient_scope',
        message: 'Insufficient scope. One of the following scopes is missing: customer_id.',
      })
    }
  })

  it('keeps a token of a store’s sign-in inside that store', async () => {
    const mira = {customerId: idOf('mira-berlin'), storeKey: 'berlin'}
    const token = await desk.token('manage_my_quotes', mira)
    const {id} = quoteOf('mira-berlin')
    expect(await status(token, `/me/quotes/${id}`)).to.equal(403)
    expect(await status(token, `/in-store/key=berlin/me/quotes/${id}`)).to.equal(200)
    expect(await status(token, `/in-store/key=london/me/quotes/${id}`)).to.equal(403)
  })

  it('shows quotes of the store and of none in a store', async () => {
    const token = await desk.token('manage_my_quotes', {customerId: idOf('mira-berlin')})
    const count = async (store: string) => {
      const answer = await desk.ask('GET', `/in-store/key=${store}/me/quotes`, {token})
      return answer.body.results.map(({key}: Body) => key)
    }
    expect(await count('berlin')).to.deep.equal(['mira-berlin'])
    expect(await count('london')).to.deep.equal([])
    expect(await status(token, '/in-store/key=london/me/quotes/key=mira-berlin')).to.equal(404)
    const hazels = await desk.token('manage_my_quotes', {customerId: idOf(hazel)})
    expect(await status(hazels, `/in-store/key=berlin${path}`)).to.equal(200)
    expect(await status(hazels, `/in-store/key=nowhere${path}`)).to.equal(404)
  })
})
