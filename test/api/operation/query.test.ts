import {expect} from 'chai'
import fc from 'fast-check'
import {pack} from '../../fixtures/pack.js'
import {type Answer, type Body, type Desk, errorOf, openDesk} from '../harness.js'

const search = (parameters: readonly (readonly [string, string])[]): string =>
  parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')

describe('api · querying customers', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk({seed: true})
  })

  const query = (...parameters: (readonly [string, string])[]): Promise<Answer> =>
    desk.ask('GET', `/customers?${search(parameters)}`)
  const idsOf = ({body}: Answer): string[] => body.results.map(({id}: Body) => id)
  const expectedIds = (holds: (customer: Body) => boolean): string[] =>
    pack.customers
      .filter(holds)
      .map(({id}) => id)
      .sort()

  it('answers in ascending id order with the paged wrapper', async () => {
    const answer = await query()
    expect(answer.body).to.include({limit: 20, offset: 0, count: pack.customers.length, total: pack.customers.length})
    expect(Object.keys(answer.body)).to.deep.equal(['limit', 'offset', 'count', 'total', 'results'])
    expect(idsOf(answer)).to.deep.equal(expectedIds(() => true))
    expect((await query(['withTotal', 'false'])).body).to.not.have.property('total')
  })

  it('finds by email through the index and by any field through a scan alike', async () => {
    const [someone] = pack.customers
    const byEmail = await query(['where', 'email = :e'], ['var.e', someone?.email ?? ''])
    const byBoth = await query(['where', 'email = :e and version > 0'], ['var.e', someone?.email ?? ''])
    const folded = await query(['where', `lowercaseEmail = "${someone?.email.toLowerCase()}"`])
    for (const answer of [byEmail, byBoth, folded]) expect(idsOf(answer)).to.include(someone?.id)
    expect(idsOf(await query(['where', `email = "${someone?.email.toUpperCase()}"`]))).to.deep.equal([])
  })

  it('treats what looks like syntax in a variable as text', async () => {
    const answer = await query(['where', 'email = :e'], ['var.e', 'x" or email is defined or email="'])
    expect(idsOf(answer)).to.deep.equal([])
  })

  it('agrees with a plain filter over the same data', async () => {
    const fields = ['firstName', 'lastName', 'companyName', 'key', 'authenticationMode'] as const
    const values = pack.customers
      .flatMap((customer) => fields.map((field) => (customer as Body)[field]))
      .filter(Boolean)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...fields),
        fc.constantFrom(...values),
        fc.boolean(),
        async (field, value, not) => {
          const text = `${field} = "${String(value).replace(/[\\"]/g, '\\$&')}"`
          const answer = await query(['where', not ? `not(${text})` : text], ['limit', '500'])
          expect(idsOf(answer)).to.deep.equal(expectedIds((customer) => (customer[field] === value) !== not))
        },
      ),
      {numRuns: 60},
    )
  })

  it('pages without gaps or repeats, absent values last', async () => {
    const pages: string[] = []
    for (let offset = 0; offset < pack.customers.length; offset += 4) {
      pages.push(...idsOf(await query(['sort', 'companyName asc'], ['limit', '4'], ['offset', String(offset)])))
    }
    expect([...pages].sort()).to.deep.equal(expectedIds(() => true))
    const companies = (await query(['sort', 'companyName asc'])).body.results.map(({companyName}: Body) => companyName)
    expect(companies.indexOf(undefined)).to.be.greaterThan(0)
    expect(companies.slice(companies.indexOf(undefined)).every((name: unknown) => name === undefined)).to.equal(true)
  })

  it('expands what it can and leaves the rest', async () => {
    const answer = await query(
      ['where', 'customerGroup is defined'],
      ['expand', 'customerGroup'],
      ['expand', 'no.such.path'],
      ['limit', '1'],
    )
    const [customer] = answer.body.results
    expect(customer.customerGroup.obj.id).to.equal(customer.customerGroup.id)
  })

  it('ignores one trailing slash', async () => {
    for (const path of ['/customers', '', `/customers/${(await query(['limit', '1'])).body.results[0].id}`]) {
      const [plain, same] = [await desk.ask('GET', path), await desk.ask('GET', `${path}/`)]
      expect([same.status, same.body], path).to.deep.equal([200, plain.body])
    }
    for (const path of ['/customers//', '/customers/key=']) {
      const refusal = await desk.ask('GET', path).catch((error: Error) => error.message)
      expect(refusal, path).to.match(/^There is no such path\./)
    }
  })

  const refusals: [string, string][] = [
    ...['-1', '501', '1.5', 'abc', '', '1e3', '0x10'].map((value): [string, string] => ['limit', value]),
    ...['10001', '-1'].map((value): [string, string] => ['offset', value]),
    ['withTotal', 'yes'],
    ...[
      'email=',
      '('.repeat(1000),
      'email = "open',
      'password = "x"',
      'passwordHash is defined',
      'email = :absent',
      "'; drop table customers;--",
    ].map((value): [string, string] => ['where', value]),
    ...['password asc', 'id; select', 'id sideways'].map((value): [string, string] => ['sort', value]),
    ['expand', 'a..b'],
    ['expand', 'a.b.c.d.e.f.g.h.i'],
  ]
  for (const [name, value] of refusals) {
    it(`refuses ${name}=${value.slice(0, 24)} and names the parameter`, async () => {
      const answer = await query([name, value])
      expect(answer.status).to.equal(400)
      expect(errorOf(answer).code).to.equal('InvalidInput')
      expect(answer.body.message).to.contain(`Malformed parameter: ${name}`)
    })
  }

  it('refuses an ill-formed expand of an update before anything changes', async () => {
    const {id} = pack.customers[0] as Body
    const before = (await desk.ask('GET', `/customers/${id}`)).body
    const body = {version: before.version, actions: [{action: 'setTitle', title: 'Never'}]}
    const answer = await desk.ask('POST', `/customers/${id}?expand=a..b`, {body})
    expect(errorOf(answer).code).to.equal('InvalidInput')
    expect((await desk.ask('GET', `/customers/${id}`)).body).to.deep.equal(before)
  })

  it('refuses two values of a parameter, counts equal ones once, and takes limit=0', async () => {
    expect((await query(['limit', '1'], ['limit', '2'])).status).to.equal(400)
    expect((await query(['limit', '1'], ['limit', '1'])).body).to.include({limit: 1, count: 1})
    expect((await query(['limit', '0'])).body).to.include({limit: 0, count: 0, total: pack.customers.length})
  })

  it('tells existence by HEAD with nothing but a status', async () => {
    const head = async (where: string): Promise<Answer> => desk.ask('HEAD', `/customers?${search([['where', where]])}`)
    const there = await head('isEmailVerified = true')
    expect([there.status, there.body]).to.deep.equal([200, undefined])
    expect((await head('email = "nobody@example.com"')).status).to.equal(404)
    const {id} = pack.customers[0] as Body
    expect((await desk.ask('HEAD', `/customers/${id}?expand=a..b`)).status).to.equal(200)
  })

  it('shows a store its own customers and global ones', async () => {
    const answer = await desk.ask('GET', '/in-store/key=berlin/customers?limit=500')
    const ids = expectedIds(({stores = []}) => stores.length === 0 || stores.some(({key}: Body) => key === 'berlin'))
    expect(idsOf(answer)).to.deep.equal(ids)
    expect((await desk.ask('GET', '/in-store/key=nowhere/customers')).status).to.equal(404)
  })
})
