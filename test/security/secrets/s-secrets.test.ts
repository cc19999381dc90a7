import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs'
import {availableParallelism, tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {lockoutsOf, signInRule} from '../../../src/api/operation/lockouts.js'
import {hashProblem} from '../../../src/domain/credentials/password-hash.js'
import {ApiError} from '../../../src/domain/errors.js'
import {passwordsOf} from '../../../src/secrets/passwords.js'
import {secrets} from '../../../src/secrets/secrets.js'
import {stdErr, stdOk} from '../shop/expectations.js'
import {emails, openShop, passwords, type Shop} from '../shop/shop.js'
import type {Answer} from '../shop/wire.js'

describe('security · S passwords and tokens', () => {
  let shop: Shop
  let admin: string
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())
  beforeEach(async () => {
    shop.clock.now += 16 * 60_000
    admin = await shop.token('ADM')
  })
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const signIn = (email: string, password: string) =>
    shop.post('/oauth/shop/customers/token', {grant_type: 'password', username: email, password}, 'MY')

  it('S-10 counts the 73rd byte of a password', async () => {
    const password = 'x'.repeat(72)
    await shop.api('POST', '/shop/customers', admin, {email: 's10@example.com', password: `${password}1`})
    stdOk(await signIn('s10@example.com', `${password}1`))
    for (const wrong of [password, `${password}2`]) {
      stdErr(await signIn('s10@example.com', wrong), 400, 'invalid_customer_account_credentials')
    }
  })

  it('S-11 lets 64 passwords wait behind one a core, known accounts and unknown ones alike', async () => {
    const pool = passwordsOf(4)
    expect(await pool.verify('shop', 'any', undefined)).to.equal(false)
    const hashes = Array.from({length: 200}, () => pool.hash('shop', 'any', 'password'))
    const unknown = pool.verify('shop', 'any', undefined)
    const ended = await Promise.allSettled([...hashes, unknown])
    expect(ended.filter(({status}) => status === 'fulfilled')).to.have.lengthOf(64 + availableParallelism())
    const [{reason}] = ended.filter((one) => one.status === 'rejected').slice(-1) as [PromiseRejectedResult]
    expect(reason).to.include({code: 'OverCapacity', statusCode: 503})
    expect(ended.at(-1)?.status).to.equal('rejected')
  })

  it('S-11 answers 503 when too many passwords wait, and serves others meanwhile', async () => {
    const runtime = shop.runtime.passwords as {verify: Shop['runtime']['passwords']['verify']}
    const {verify} = runtime
    let guess: Promise<Answer> | undefined
    const full = await new Promise<(error: Error) => void>((reached) => {
      runtime.verify = () => new Promise((_, reject) => reached(reject))
      guess = signIn(emails.G, 'wrong')
    })
    runtime.verify = verify
    expect((await shop.api('GET', '/shop', admin)).status).to.equal(200)
    full(ApiError.of('OverCapacity', {message: 'Too many passwords wait to be hashed.', retryAfterSeconds: 2}))
    const answer = (await guess) as Answer
    stdErr(answer, 503, 'OverCapacity')
    expect(answer.headers.get('retry-after')).to.equal('2')
  })

  it('S-12 uses no hash whose cost is out of bounds', () => {
    const tail = 'a'.repeat(53)
    for (const cost of ['03', '15', '31', '00']) expect(hashProblem(`$2b$${cost}$${tail}`)).to.be.a('string')
    for (const cost of ['04', '14']) expect(hashProblem(`$2b$${cost}$${tail}`)).to.equal(undefined)
  })

  it('S-13 takes passwords up to 1,024 bytes, and hashes none that is longer', async () => {
    const create = (password: string) =>
      shop.api('POST', '/shop/customers', admin, {email: 's13@example.com', password})
    for (const password of ['x'.repeat(1025), 'é'.repeat(513), '\ud800', '']) {
      const {status, text} = await create(password)
      expect(status).to.equal(400)
      expect(text).to.not.include('xxxx')
    }
    expect((await create('x'.repeat(1024))).status).to.equal(201)
  })

  it('S-15 makes tokens, secrets and one-time tokens in their forms (decisions 20 and 22)', async () => {
    expect(admin).to.match(/^[A-Za-z0-9_-]{43}$/)
    const {refresh_token} = await shop.session(emails.G, passwords.G)
    expect(refresh_token).to.match(/^shop:[A-Za-z0-9_-]{43}$/)
    const keeper = await shop.token('ADM', 'manage_api_clients:shop view_customers:shop')
    const client = await shop.api('POST', '/shop/api-clients', keeper, {name: 's15', scope: 'view_customers:shop'})
    expect(client.body.id).to.match(/^[A-Za-z0-9_-]{24}$/)
    expect(client.body.secret).to.match(/^[A-Za-z0-9_-]{32}$/)
    const once = await shop.api('POST', '/shop/customers/password-token', admin, {email: emails.G})
    expect(once.body.value).to.match(/^[A-Za-z0-9_-]{40}$/)
  })

  it('S-18 compares digests of one length, whatever was given', () => {
    const digest = secrets.digest('secret')
    expect(digest).to.have.lengthOf(43)
    expect(secrets.sameDigest(digest, secrets.digest('secret'))).to.equal(true)
    for (const other of ['', 'secret', digest.slice(1), secrets.digest('Secret')]) {
      expect(secrets.sameDigest(digest, other)).to.equal(false)
    }
    // Its result is that of ===, and only its time is not: the source has to say so.
    expect(String(secrets.sameDigest)).to.include('timingSafeEqual')
  })

  it('S-19 shows a mask that tells nothing, and lets nobody ask for what is hidden', async () => {
    const keeper = await shop.token('ADM', 'view_api_clients:shop')
    const create = (email: string) => shop.api('POST', '/shop/customers', admin, {email, password: 'same'})
    const [one, two] = await Promise.all([create('s19a@example.com'), create('s19b@example.com')])
    expect(one.body.customer.password).to.match(/^\*{4}.{4}$/)
    expect(one.body.customer.password).to.not.equal(two.body.customer.password)
    const hidden = [
      'password',
      'passwordHash',
      'sessionEpoch',
      'secretDigest',
      'projectKey',
      'constructor',
      '__proto__',
    ]
    for (const name of hidden) {
      const unknown = await shop.api('GET', `/shop/customers?where=${encodeURIComponent('nosuchfield="x"')}`, admin)
      const asked = await shop.api('GET', `/shop/customers?where=${encodeURIComponent(`${name}="x"`)}`, admin)
      expect(asked.status, name).to.equal(400)
      expect(asked.text.replaceAll(name, 'nosuchfield')).to.equal(unknown.text)
      expect((await shop.api('GET', `/shop/customers?sort=${name}+asc`, admin)).status, name).to.equal(400)
      const clients = `/shop/api-clients?where=${encodeURIComponent(`${name}="x"`)}`
      expect((await shop.api('GET', clients, keeper)).status, name).to.equal(400)
    }
  })

  it('S-20 answers at /login as at the token endpoints, with one verification whatever is wrong', async () => {
    const login = (email: string, path = '/shop/login') => shop.api('POST', path, admin, {email, password: 'wrong'})
    for (const path of ['/shop/login', '/shop/in-store/key=S1/login']) {
      const model = await login('nobody@example.com', path)
      expect(model.body.errors[0].code).to.equal('InvalidCredentials')
      for (const email of [emails.G, emails.X, emails.K1, emails.K2]) {
        const before = shop.verified.count
        expect((await login(email, path)).text).to.equal(model.text)
        expect(shop.verified.count).to.equal(before + 1)
      }
    }
  })

  it('S-21 forgets the failures of an email whose password was reset', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) await signIn(emails.G, 'wrong')
    stdErr(await signIn(emails.G, passwords.G), 429, 'TooManyRequests')
    const {body} = await shop.api('POST', '/shop/customers/password-token', admin, {email: emails.G})
    const reset = {tokenValue: body.value, newPassword: passwords.G}
    expect((await shop.api('POST', '/shop/customers/password/reset', admin, reset)).status).to.equal(200)
    stdOk(await signIn(emails.G, passwords.G))
    const relaxed = await openShop({settings: {lockout: false}})
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const form = {grant_type: 'password', username: emails.G, password: 'wrong'}
      stdErr(await relaxed.post('/oauth/shop/customers/token', form), 400, 'invalid_customer_account_credentials')
    }
    await relaxed.close()
  })

  it('S-21 forgets the oldest failures before they fill the memory', () => {
    const lockouts = lockoutsOf(true, signInRule)
    for (let attempt = 0; attempt < 10; attempt += 1) lockouts.failed('first', 0)
    expect(() => lockouts.check('first', 0)).to.throw()
    for (let key = 0; key < 100_000; key += 1) lockouts.failed(String(key), 0)
    expect(() => lockouts.check('first', 0)).to.not.throw()
  })

  it('S-22 bounds the validity of one-time tokens', async () => {
    const ask = (ttlMinutes: unknown) =>
      shop.api('POST', '/shop/customers/password-token', admin, {email: emails.G, ttlMinutes})
    for (const ttl of [0, -5, 1.5, '60', 43_201, 9e15]) expect((await ask(ttl)).status, String(ttl)).to.equal(400)
    for (const ttl of [1, 43_200]) expect((await ask(ttl)).status).to.equal(200)
  })

  it('S-71 says of a fault of its own only where to look for it', async () => {
    const {state} = shop.runtime
    const {query} = state
    state.query = () => Promise.reject(new Error('canary /etc/passwd select * from customer'))
    const answer = await shop.api('GET', '/shop/customers?expand=customerGroup', admin)
    state.query = query
    expect(answer.status).to.equal(500)
    expect(answer.text).to.not.match(/canary|passwd|select|at /)
    expect(answer.body.message).to.include(answer.headers.get('x-correlation-id'))
    expect(shop.faults.splice(0)).to.have.lengthOf(1)
  })
})

/** Everything below a folder, as one text. */
function contentOf(folder: string): string {
  return readdirSync(folder, {recursive: true})
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n')
}

describe('security · S secrets at rest', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-s-'))
  after(() => rmSync(dataDir, {recursive: true, force: true}))

  it('S-16 keeps no token, secret or password readable, S-70 nor in the log', async () => {
    const shop = await openShop({dataDir})
    const admin = await shop.token('ADM')
    const session = await shop.session(emails.G, passwords.G)
    const visitor = await shop.anonymous()
    const form = {grant_type: 'refresh_token', refresh_token: session.refresh_token}
    const renewed = (await shop.post('/oauth/token', form, 'MY')).body
    const client = (await shop.api('POST', '/shop/api-clients', admin, {name: 's16', scope: 'view_customers:shop'}))
      .body
    const long = {email: emails.G, ttlMinutes: 61}
    const once = (await shop.api('POST', '/shop/customers/password-token', admin, long)).body
    const canaries = [
      admin,
      session.access_token,
      session.refresh_token,
      visitor.access_token,
      visitor.refresh_token,
      renewed.access_token,
      client.secret,
      once.value,
      shop.adminToken,
      ...Object.values(passwords),
      ...Object.values(shop.clients).map(({secret}) => secret),
    ]
    await shop.close()
    const content = contentOf(dataDir)
    expect(content).to.include(shop.runtime.secrets.digest(admin))
    for (const canary of canaries) {
      expect(content.includes(canary), canary).to.equal(false)
      expect(JSON.stringify(shop.log).includes(canary), canary).to.equal(false)
    }
  })
})
