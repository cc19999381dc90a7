import {expect} from 'chai'
import {invalidRequest, stdErr, stdOk} from '../shop/expectations.js'
import {type ClientName, emails, openShop, passwords, type Shop} from '../shop/shop.js'
import type {Answer, Body} from '../shop/wire.js'

const global = '/oauth/shop/customers/token'
const inStore = (key: string) => `/oauth/shop/in-store/key=${key}/customers/token`

describe('security · P password grant', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())
  beforeEach(() => {
    shop.clock.now += 16 * 60_000
  })
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const sign = (username: string | undefined, password: string | undefined, path = global, by: ClientName = 'MY') =>
    shop.post(path, {grant_type: 'password', username, password}, by)
  const opened = async (...given: Parameters<typeof sign>): Promise<Body> => stdOk(await sign(...given))
  const refused = async (...given: Parameters<typeof sign>): Promise<Answer> => {
    const answer = await sign(...given)
    stdErr(answer, 400, 'invalid_customer_account_credentials')
    return answer
  }
  const customer = async (members: object): Promise<Body> => {
    const {status, body} = await shop.api('POST', '/shop/customers', await shop.token('ADM'), members)
    expect(status).to.equal(201)
    return body.customer
  }

  it('P01 issues both tokens with the scopes and the customer (decision 23)', async () => {
    const body = await opened(emails.G, passwords.G)
    expect(body.refresh_token).to.match(/^shop:[A-Za-z0-9_-]{43}$/)
    expect(body.scope).to.equal(
      `manage_my_quotes:shop manage_my_orders:shop manage_my_profile:shop customer_id:${shop.customers.G.id}`,
    )
    expect(body).to.have.all.keys('access_token', 'expires_in', 'scope', 'refresh_token', 'token_type')
  })

  it('P02 takes the email in any case', async () => {
    await opened('G@EXAMPLE.com', passwords.G)
  })

  it('P03 takes blanks around the email, here and at sign-in', async () => {
    await opened(`  ${emails.G}\t`, passwords.G)
    const body = {email: ` ${emails.G} `, password: passwords.G}
    expect((await shop.api('POST', '/shop/login', await shop.token('RW'), body)).status).to.equal(200)
  })

  const wrong: readonly (readonly [string, string, string])[] = [
    ['P04', 'a wrong password', emails.G],
    ['P05', 'an unknown email', 'nobody@example.com'],
    ['P06', 'a customer without a password', emails.X],
    ['P07', 'a customer of a store', emails.K1],
  ]
  for (const [number, what, email] of wrong) {
    it(`${number} answers alike for ${what}, after one hash verification`, async () => {
      const model = await refused(emails.G, 'wrong')
      const before = shop.verified.count
      const answer = await refused(email, email === emails.K1 ? passwords.K1 : 'wrong')
      expect(shop.verified.count).to.equal(before + 1)
      expect(answer.text).to.equal(model.text)
      expect([...answer.headers.keys()]).to.deep.equal([...model.headers.keys()])
    })
  }

  it('P08 verifies exactly one hash whatever is wrong, in every place', async () => {
    for (const path of [global, inStore('S1'), inStore('S2'), inStore('nowhere')]) {
      for (const email of [emails.G, 'nobody@example.com', emails.X, emails.K1, emails.K2]) {
        const before = shop.verified.count
        await refused(email, 'wrong', path)
        expect(shop.verified.count, `${email} at ${path}`).to.equal(before + 1)
      }
    }
  })

  it('P09 names a missing username and password, after the client is known', async () => {
    expect(invalidRequest(await sign(undefined, 'x')).message).to.equal('Missing required parameter: username.')
    expect(invalidRequest(await sign('x', undefined)).message).to.equal('Missing required parameter: password.')
    stdErr(await shop.post(global, {grant_type: 'password'}, null), 401, 'invalid_client')
  })

  it('P10 compares passwords whole, in normal form C (decision 19)', async () => {
    const long = 'x'.repeat(72)
    const accounts = {
      case: 'Secret Word',
      blanks: '  two  blanks ',
      emoji: '🐎🔋 staple',
      composed: 'caf\u00e9 caf\u00e9',
      long: `${long}a`,
      longest: 'é'.repeat(512),
    }
    for (const [name, password] of Object.entries(accounts)) await customer({email: `${name}@example.com`, password})
    for (const [name, password] of Object.entries(accounts)) await opened(`${name}@example.com`, password)
    await opened('composed@example.com', 'cafe\u0301 cafe\u0301')
    for (const [name, password] of [
      ['case', 'secret word'],
      ['blanks', 'two  blanks'],
      ['blanks', '  two blanks '],
      ['long', `${long}b`],
      ['long', long],
      ['longest', `${'é'.repeat(511)}ee`],
    ] as const) {
      await refused(`${name}@example.com`, password)
    }
    const before = shop.verified.count
    invalidRequest(await sign(emails.G, 'x'.repeat(1025)))
    expect(shop.verified.count).to.equal(before)
  })

  it('P11 refuses other grants on its path', async () => {
    for (const grant_type of ['client_credentials', 'refresh_token']) {
      stdErr(await shop.post(global, {grant_type}), 400, 'unsupported_grant_type')
    }
  })

  it('P12 refuses a customer of a store on the global path', async () => {
    await refused(emails.K1, passwords.K1)
  })

  it('P13 opens a store for its customer, and no other place', async () => {
    const {access_token} = await opened(emails.K1, passwords.K1, inStore('S1'))
    expect((await shop.api('GET', '/shop/in-store/key=S1/me', access_token)).status).to.equal(200)
    expect((await shop.api('GET', '/shop/in-store/key=S2/me', access_token)).status).to.equal(403)
    expect((await shop.api('GET', '/shop/me', access_token)).status).to.equal(403)
  })

  it('P14 refuses a customer of another store', async () => {
    await refused(emails.K1, passwords.K1, inStore('S2'))
    await refused(emails.K1, passwords.K1, inStore('S10'))
  })

  it('P15 lets a global customer in at a store and binds the token to it (decision 24)', async () => {
    const {access_token} = await opened(emails.G, passwords.G, inStore('S1'))
    expect((await shop.api('GET', '/shop/in-store/key=S1/me', access_token)).status).to.equal(200)
    expect((await shop.api('GET', '/shop/me', access_token)).status).to.equal(403)
  })

  it('P16 does not tell an unknown store from an unknown customer', async () => {
    const model = await refused('nobody@example.com', 'wrong', inStore('S1'))
    const answer = await refused(emails.G, passwords.G, inStore('nowhere'))
    expect(answer.text).to.equal(model.text)
    expect([...answer.headers.keys()]).to.deep.equal([...model.headers.keys()])
  })

  it('P17 keeps accounts of one email in two stores apart', async () => {
    for (const key of ['S1', 'S2']) {
      await customer({email: 'both@example.com', password: `right ${key}`, stores: [{typeId: 'store', key}]})
    }
    await opened('both@example.com', 'right S1', inStore('S1'))
    await opened('both@example.com', 'right S2', inStore('S2'))
    await refused('both@example.com', 'right S2', inStore('S1'))
    await refused('both@example.com', 'right S1', inStore('S2'))
  })

  it('P18 refuses a scope before it looks at the password', async () => {
    const before = shop.verified.count
    for (const password of [passwords.G, 'wrong']) {
      const form = {grant_type: 'password', username: emails.G, password, scope: 'manage_customers:shop'}
      stdErr(await shop.post(global, form, 'MY'), 400, 'invalid_scope')
    }
    expect(shop.verified.count).to.equal(before)
  })

  it('P19 locks an email after ten failures, known or not, and opens again after a quarter of an hour', async () => {
    for (const [email, other] of [
      [emails.G, 'G@Example.Com'],
      ['nobody@example.com', 'NOBODY@example.com'],
    ] as const) {
      for (let attempt = 0; attempt < 10; attempt += 1) await refused(attempt % 2 === 0 ? email : other, 'wrong')
      const before = shop.verified.count
      const locked = await sign(email, passwords.G)
      stdErr(locked, 429, 'TooManyRequests')
      expect(Number(locked.headers.get('retry-after'))).to.be.within(1, 900)
      expect(shop.verified.count).to.equal(before)
    }
    shop.clock.now += 15 * 60_000 + 1
    await opened(emails.G, passwords.G)
    for (let attempt = 0; attempt < 9; attempt += 1) await refused(emails.G, 'wrong')
    await opened(emails.G, passwords.G)
    for (let attempt = 0; attempt < 9; attempt += 1) await refused(emails.G, 'wrong')
    await opened(emails.G, passwords.G)
  })

  it('P19 tells no more than ten outcomes of guesses that run side by side', async () => {
    const answers = await Promise.all(Array.from({length: 40}, () => sign('parallel@example.com', 'wrong')))
    expect(answers.filter(({status}) => status === 400)).to.have.lengthOf(10)
    expect(answers.filter(({status}) => status === 429)).to.have.lengthOf(30)
  })

  it('P20 locks an email in one store and not in another', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) await refused('both@example.com', 'wrong', inStore('S1'))
    stdErr(await sign('both@example.com', 'right S1', inStore('S1')), 429, 'TooManyRequests')
    await opened('both@example.com', 'right S2', inStore('S2'))
  })

  it('P21 logs the attempt and never the password', async () => {
    shop.log.length = 0
    await refused(emails.G, 'canary-password')
    expect(shop.log.map(({path, status}) => ({path, status}))).to.deep.equal([{path: global, status: 400}])
    expect(JSON.stringify(shop.log)).to.not.include('canary')
  })

  it('P22 takes a username for a text and nothing else', async () => {
    for (const username of ['{"$ne":null}', 'x" or email="g@example.com', '*', '%', "' or 1=1 --"]) {
      await refused(username, 'wrong')
    }
  })

  it('P23 never makes an object of a username', async () => {
    const rest = 'grant_type=password&password=x'
    for (const names of ['username=a&username=b', 'username[]=a', 'username[$ne]=']) {
      invalidRequest(await shop.post(global, `${rest}&${names}`, 'MY'))
    }
  })

  it('P24 binds the token after a visit to the customer alone', async () => {
    await shop.anonymous('ANON', 'visitor-of-p24')
    const {scope} = await opened(emails.G, passwords.G)
    expect(scope).to.include(`customer_id:${shop.customers.G.id}`)
    expect(scope).to.not.include('anonymous_id')
  })

  it('P25 offers the grant that RFC 9700 forbids, to authenticated clients only, and without CORS', async () => {
    const answer = await sign(emails.G, passwords.G)
    stdOk(answer)
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).to.deep.equal([])
  })
})
