import {expect} from 'chai'
import {openShop, type Shop} from '../shop/shop.js'
import {type Answer, type Body, send} from '../shop/wire.js'

describe('security · S input', () => {
  let shop: Shop
  let admin: string
  let counter = 0
  before(async () => {
    shop = await openShop()
    admin = await shop.token('ADM')
  })
  after(() => shop.close())
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const draft = (members: object = {}): object => {
    counter += 1
    return {email: `input${counter}@example.com`, password: 'right horse', ...members}
  }
  const create = (body: unknown): Promise<Answer> => shop.api('POST', '/shop/customers', admin, body)
  const query = (search: string): Promise<Answer> => shop.api('GET', `/shop/customers?${search}`, admin)
  const where = (text: string): Promise<Answer> => query(`where=${encodeURIComponent(text)}`)
  function refused({status, body}: Answer, code: string): Body {
    expect(status).to.equal(400)
    expect(body.errors[0].code).to.equal(code)
    return body.errors[0]
  }

  it('S-30 limits body, depth, members, actions and strings', async () => {
    const large = await create(`{"email":"${'x'.repeat(1_048_576)}"}`)
    expect(large.status).to.equal(413)
    expect(large.text).to.include('1048576')
    const huge = await create(`{"email":"${'x'.repeat(10 << 20)}"}`)
    expect(huge.status).to.equal(413)
    for (const text of [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`]) {
      expect(refused(await create(text), 'InvalidJsonInput').detailedErrorMessage).to.match(/nesting/)
    }
    const members = Object.fromEntries(Array.from({length: 10_001}, (_, at) => [`m${at}`, at]))
    refused(await create(draft(members)), 'InvalidJsonInput')
    refused(await create(draft({firstName: 'x'.repeat(70_000)})), 'InvalidJsonInput')
    const actions = Array.from({length: 501}, () => ({action: 'setFirstName', firstName: 'a'}))
    refused(
      await shop.api('POST', `/shop/customers/${shop.customers.G.id}`, admin, {version: 1, actions}),
      'InvalidJsonInput',
    )
  })

  it('S-31 refuses member names that change prototypes, wherever they stand', async () => {
    for (const text of [
      '{"__proto__":{"x":1},"email":"a@example.com"}',
      '{"email":"a@example.com","custom":{"fields":{"__proto__":{"x":1}}}}',
      '{"email":"a@example.com","addresses":[{"country":"DE","__proto__":{"x":1}}]}',
      '{"constructor":{"prototype":{"x":1}}}',
    ]) {
      refused(await create(text), 'InvalidJsonInput')
    }
    expect((Object.prototype as Body).x).to.equal(undefined)
  })

  it('S-32 takes the same words for keys', async () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect((await shop.api('GET', `/shop/customers/key=${key}`, admin)).status).to.equal(404)
      expect((await create(draft({key}))).status).to.equal(201)
      expect((await shop.api('HEAD', `/shop/customers/key=${key}`, admin)).status).to.equal(200)
      const {body} = await shop.api('GET', `/shop/customers/key=${key}`, admin)
      expect(body.key).to.equal(key)
      expect((await shop.api('DELETE', `/shop/customers/key=${key}?version=${body.version}`, admin)).status).to.equal(
        200,
      )
    }
  })

  it('S-33 takes whole numbers that JSON carries exactly', async () => {
    const {id} = shop.customers.G
    for (const version of ['9007199254740993', '1e400', '1.5', '"1"', '-1', 'null']) {
      refused(
        await shop.api('POST', `/shop/customers/${id}`, admin, `{"version":${version},"actions":[]}`),
        'InvalidJsonInput',
      )
    }
  })

  it('S-34 bounds predicates, sort keys and expansions', async () => {
    const deep = `${'('.repeat(2000)}key="a"${')'.repeat(2000)}`
    const broad = Array.from({length: 600}, () => 'key="a"').join(' or ')
    for (const text of [
      deep,
      broad,
      `${'not('.repeat(1000)}key="a"`,
      `key="${'x'.repeat(17_000)}"`,
      '((((',
      'email=',
      'key="',
    ]) {
      refused(await where(text), 'InvalidInput')
    }
    const repeated = (name: string, value: string, count: number) =>
      Array.from({length: count}, () => `${name}=${encodeURIComponent(value)}`).join('&')
    refused(await query(repeated('where', 'key="a"', 11)), 'InvalidInput')
    refused(await query(repeated('sort', 'key asc', 11)), 'InvalidInput')
    refused(await query(repeated('expand', 'customerGroup', 21)), 'InvalidInput')
    refused(await query('expand=a..b'), 'InvalidInput')
  })

  it('S-35 finds the literal text of what looks like SQL', async () => {
    for (const text of ["'; drop table customers;--", "' or '1'='1", '%', '_', '\\', 'x" or email is defined or "']) {
      const found = await query(
        `where=${encodeURIComponent('firstName=:name')}&var.name=${encodeURIComponent(JSON.stringify(text))}`,
      )
      expect(found.status).to.be.oneOf([200, 400])
      if (found.status === 200) expect(found.body.count).to.equal(0)
    }
    refused(await where('email="a" or 1=1--'), 'InvalidInput')
    expect((await query('limit=0')).body.total).to.be.above(3)
  })

  it('S-36 does not take a trailing line break for the end', async () => {
    refused(await create(draft({key: 'abc\n'})), 'InvalidField')
    refused(await create(draft({locale: 'de\n'})), 'InvalidInput')
    refused(await create(draft({dateOfBirth: '2000-01-01\n'})), 'InvalidField')
    refused(await create(draft({email: 'a@example.com\n'})), 'InvalidField')
  })

  it('S-38 decodes names once and makes no file of them', async () => {
    const names = [
      '..%2f..%2fetc%2fpasswd',
      '%252e',
      'CON',
      'a%00b',
      'x'.repeat(300),
      '%2e%2e%2f',
      'x'.repeat(5000),
      '%zz',
      '%c0%ae',
    ]
    for (const name of names) {
      for (const path of [
        `/shop/customers/${name}`,
        `/shop/customers/key=${name}`,
        `/shop/in-store/key=${name}/customers`,
      ]) {
        const {status, text} = await shop.api('GET', path, admin)
        expect(status, path).to.be.oneOf([400, 404])
        expect(text).to.not.include('root:')
      }
      expect((await shop.api('GET', `/${name}/customers`, admin)).status, name).to.be.oneOf([400, 403, 404])
    }
    for (const path of ['/shop/customers/key=', '/shop/customers/Key=a', '/shop/customers//']) {
      expect((await shop.api('GET', path, admin)).status, path).to.equal(404)
    }
  })

  it('S-39 keeps control characters out of headers and of what is stored', async () => {
    const headers = {
      authorization: `Bearer ${admin}`,
      'content-type': 'application/json',
      'x-external-user-id': `agent\t7${'x'.repeat(200)}`,
    }
    const create = {method: 'POST', path: '/shop/customers', headers, body: JSON.stringify(draft())}
    const refused = await send(shop.origin, {...create, headers: {...headers, 'x-correlation-id': 'a\tb'}})
    expect(refused.status).to.equal(400)
    expect(refused.headers.get('x-correlation-id')).to.match(/^frontdesk-/)
    const answer = await send(shop.origin, create)
    expect(answer.body.customer.createdBy.externalUserId).to.match(/^agent7x{122}$/)
  })

  it('S-40 stores nothing of a draft that the service owns', async () => {
    const owned = {
      id: 'forged',
      version: 99,
      createdAt: '2000-01-01T00:00:00.000Z',
      createdBy: {clientId: 'forged'},
      lastModifiedAt: '2000-01-01T00:00:00.000Z',
      isAdmin: true,
      passwordTokenEpoch: 7,
      lastMessageSequenceNumber: 40,
    }
    const {body} = await create(draft(owned))
    expect(body.customer).to.include({version: 1})
    expect(JSON.stringify(body)).to.not.match(/forged|isAdmin|Epoch|2000-01-01/)
  })

  it('S-41 compares emails in lower case and tells lookalikes apart', async () => {
    expect((await create({email: 'Mixed@Example.com', password: 'x'})).status).to.equal(201)
    refused(await create({email: 'mIXED@eXAMPLE.COM', password: 'x'}), 'DuplicateField')
    for (const email of ['mixed@exаmple.com', 'mıxed@example.com']) {
      expect((await create({email, password: 'x'})).status, email).to.equal(201)
    }
    const kelvin = {email: 'kelvin\u212a@example.com', password: 'x'}
    expect((await create(kelvin)).status).to.equal(201)
    refused(await create({email: 'kelvink@example.com', password: 'x'}), 'DuplicateField')
  })

  it('S-85 S-88 keeps what one project knows from another', async () => {
    const other = await shop.token('P2A')
    const make = () => shop.api('POST', '/shop2/customers', other, {email: 'g@example.com', password: 'x', key: 'gg'})
    expect((await make()).status).to.equal(201)
    expect((await shop.api('GET', `/shop2/customers/${shop.customers.G.id}`, other)).status).to.equal(404)
    expect((await shop.api('GET', `/shop2/api-clients/${shop.clients.ADM.id}`, other)).status).to.equal(404)
    expect((await shop.api('DELETE', `/shop2/api-clients/${shop.clients.ADM.id}`, other)).status).to.equal(404)
    expect((await shop.api('GET', '/shop2/api-clients', other)).body.total).to.equal(1)
    const wrong = (path: string, by: 'MY' | 'P2A') =>
      shop.post(path, {grant_type: 'password', username: 'g@example.com', password: 'no'}, by)
    for (let attempt = 0; attempt < 10; attempt += 1) await wrong('/oauth/shop/customers/token', 'MY')
    expect((await wrong('/oauth/shop/customers/token', 'MY')).status).to.equal(429)
    expect((await wrong('/oauth/shop2/customers/token', 'P2A')).status).to.equal(400)
  })
})
