import bcrypt from 'bcryptjs'
import {expect} from 'chai'
import type {Credential} from '../../../src/domain/credentials/credential.js'
import {costOf} from '../../../src/domain/credentials/password-hash.js'
import {type PasswordHasher, passwordsOf} from '../../../src/secrets/passwords.js'
import {openShop, type Shop} from '../shop/shop.js'
import type {Body} from '../shop/wire.js'

/** Time tells nothing about accounts: the rounds of bcrypt are counted, not milliseconds. */

/** Counts the work that its tasks mean, and hashes only where the cost is low enough for a test. */
function countingHasher(): PasswordHasher & {rounds: number} {
  const hasher = {
    rounds: 0,
    run: async ({text, cost, hash, decoys = []}: Parameters<PasswordHasher['run']>[0]) => {
      if (hash === undefined) {
        hasher.rounds += 2 ** cost
        return {id: 0, hash: bcrypt.hashSync(text, 4).replace('$04$', `$${String(cost).padStart(2, '0')}$`)}
      }
      for (const one of [hash, ...decoys]) hasher.rounds += 2 ** costOf(one)
      return {id: 0, matches: costOf(hash) === 4 && bcrypt.compareSync(text, hash)}
    },
  }
  return hasher
}

const hashOf = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$${'a'.repeat(53)}`

describe('secrets · the work of a comparison', () => {
  for (const own of [4, 10, 12]) {
    it(`is the same for every hash and for none, at the server's cost of ${own}`, async () => {
      for (const highest of [4, 10, 14]) {
        const rounds = []
        const most = Math.max(own, highest)
        const costs = Array.from({length: most - 3}, (_, at) => 4 + at)
        for (const known of [undefined, ...costs.map((cost) => ({hash: hashOf(cost)}))]) {
          const hasher = countingHasher()
          expect(await passwordsOf(own, hasher).verify('shop', 'wrong', known, highest)).to.equal(false)
          rounds.push(hasher.rounds)
        }
        for (const one of rounds) expect(one).to.equal(2 ** most)
      }
    })
  }

  it('really compares with the decoys', async () => {
    const passwords = passwordsOf(4)
    const hash = await passwords.hash('shop', 'right', 'password')
    const timed = async (highest: number) => {
      const started = performance.now()
      expect(await passwords.verify('shop', 'right', {hash}, highest)).to.equal(true)
      expect(await passwords.verify('shop', 'wrong', {hash}, highest)).to.equal(false)
      return performance.now() - started
    }
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 10; round += 1) least = Math.min(least, await timed(4))
    // Dozens of times the work: a busy machine makes it longer, and one of ten short ones passes undisturbed.
    expect(await timed(10)).to.be.greaterThan(4 * least)
  })
})

describe('security · the work of a sign-in', () => {
  let shop: Shop
  let admin: string
  const hasher = countingHasher()
  before(async () => {
    shop = await openShop()
    Object.assign(shop.runtime.passwords, passwordsOf(4, hasher))
    admin = await shop.token('ADM')
  })
  after(() => shop.close())

  let counter = 0
  async function account(members: object): Promise<Body> {
    counter += 1
    const draft = {email: `work-${counter}@example.com`, ...members}
    const {status, body} = await shop.api('POST', '/shop/customers', admin, draft)
    expect(status).to.equal(201)
    return body.customer
  }
  const login = async (email: string, password = 'wrong', store = '') =>
    (await shop.api('POST', `/shop${store}/login`, admin, {email, password})).status
  async function roundsFor(...given: Parameters<typeof login>): Promise<number> {
    hasher.rounds = 0
    await login(...given)
    return hasher.rounds
  }

  it('is one amount for unknown, ordinary, external and imported accounts of any cost, everywhere', async () => {
    const emails = ['unknown@example.com']
    emails.push((await account({password: 'ordinary'})).email)
    emails.push((await account({authenticationMode: 'ExternalAuth'})).email)
    emails.push((await account({password: 'of a store', stores: [{typeId: 'store', key: 'S1'}]})).email)
    for (const cost of [4, 6, 10, 12]) emails.push((await account({passwordHash: hashOf(cost)})).email)
    for (const store of ['', '/in-store/key=S1', '/in-store/key=S2']) {
      const rounds = new Map<string, number>()
      for (const email of emails) rounds.set(email, await roundsFor(email, 'wrong', store))
      expect(Object.fromEntries(rounds)).to.deep.equal(Object.fromEntries(emails.map((email) => [email, 2 ** 12])))
    }
    const {email} = await account({passwordHash: hashOf(14)})
    for (const one of [...emails, email]) expect(await roundsFor(one)).to.equal(2 ** 14)
  })

  it('rises with a hash that nobody told of, once it was met', async () => {
    const other = await openShop()
    Object.assign(other.runtime.passwords, passwordsOf(4, hasher))
    const {id} = other.customers.G
    const {state} = other.runtime
    const before = await state.get<Credential>('shop', 'credential', id)
    const doc = {...before, version: 2, passwordHash: hashOf(11)} as Credential
    await state.commit('shop', [{kind: 'credential', expect: 1, doc}])
    const token = await other.token('ADM')
    const rounds = []
    for (const email of ['unknown@example.com', 'g@example.com', 'unknown@example.com', 'g@example.com']) {
      hasher.rounds = 0
      await other.api('POST', '/shop/login', token, {email, password: 'wrong'})
      rounds.push(hasher.rounds)
    }
    expect(rounds.slice(1)).to.deep.equal([2 ** 11, 2 ** 11, 2 ** 11])
    await other.close()
  })
})

describe('security · imported hashes', () => {
  let shop: Shop
  let admin: string
  before(async () => {
    shop = await openShop({settings: {passwordCost: 5, lockout: false}})
    admin = await shop.token('ADM')
  })
  after(() => shop.close())

  let counter = 0
  async function imported(passwordHash: string): Promise<Body> {
    counter += 1
    const draft = {email: `imported-${counter}@example.com`, passwordHash}
    return (await shop.api('POST', '/shop/customers', admin, draft)).body.customer
  }
  const login = async ({email}: Body, password: string) =>
    (await shop.api('POST', '/shop/login', admin, {email, password})).status
  const credentialOf = ({id}: Body) => shop.runtime.state.get<Credential>('shop', 'credential', id)
  const messages = async () => (await shop.api('GET', '/shop/messages?limit=0', admin)).body.total

  it('give way to one of the server’s cost at the first good sign-in, and the customer stays as it is', async () => {
    for (const cost of [4, 6]) {
      const customer = await imported(bcrypt.hashSync('right horse', cost))
      const [before, stored] = [await credentialOf(customer), await messages()]
      expect(await login(customer, 'wrong')).to.equal(400)
      expect((await credentialOf(customer))?.passwordHash).to.equal(before?.passwordHash)
      expect(await login(customer, 'right horse')).to.equal(200)
      const after = await credentialOf(customer)
      expect(costOf(after?.passwordHash ?? '')).to.equal(5)
      expect(after).to.not.have.property('imported')
      expect(after).to.include({sessionEpoch: 0, passwordTokenEpoch: 0, emailTokenEpoch: 0})
      expect((await shop.api('GET', `/shop/customers/${customer.id}`, admin)).body).to.deep.equal(customer)
      expect(await messages()).to.equal(stored)
      expect(await login(customer, 'right horse')).to.equal(200)
      expect((await credentialOf(customer))?.version).to.equal(after?.version)
    }
  })

  it('fit the first 72 bytes that the former shop read; from then on the whole password counts', async () => {
    const full = `${'ä'.repeat(36)}tail`
    const customer = await imported(bcrypt.hashSync(full, 4))
    expect(await login(customer, 'ä'.repeat(35))).to.equal(400)
    expect(await login(customer, full)).to.equal(200)
    expect(await login(customer, full)).to.equal(200)
    for (const cut of ['ä'.repeat(36), `${full}x`]) expect(await login(customer, cut)).to.equal(400)
  })

  it('keep sessions alive, and lose to a password that is changed meanwhile', async () => {
    const customer = await imported(bcrypt.hashSync('right horse', 4))
    const session = await shop.session(customer.email, 'right horse')
    expect((await shop.api('GET', '/shop/me', session.access_token)).status).to.equal(200)
    const raced = await imported(bcrypt.hashSync('right horse', 4))
    const body = {id: raced.id, version: 1, currentPassword: 'right horse', newPassword: 'new horse'}
    const answers = await Promise.all([
      login(raced, 'right horse'),
      shop.api('POST', '/shop/customers/password', admin, body).then(({status}) => status),
      login(raced, 'right horse'),
    ])
    expect(answers[1]).to.equal(200)
    expect([await login(raced, 'right horse'), await login(raced, 'new horse')]).to.deep.equal([400, 200])
  })

  it('lose to a reset that comes between the comparison and the new hash', async () => {
    const customer = await imported(bcrypt.hashSync('right horse', 4))
    const {body} = await shop.api('POST', '/shop/customers/password-token', admin, {email: customer.email})
    const passwords = shop.runtime.passwords as {hash: Shop['runtime']['passwords']['hash']}
    const {hash} = passwords
    passwords.hash = async (...given) => {
      passwords.hash = hash
      const made = await hash(...given)
      const reset = {tokenValue: body.value, newPassword: 'reset horse'}
      expect((await shop.api('POST', '/shop/customers/password/reset', admin, reset)).status).to.equal(200)
      return made
    }
    expect(await login(customer, 'right horse')).to.equal(200)
    expect([await login(customer, 'right horse'), await login(customer, 'reset horse')]).to.deep.equal([400, 200])
  })
})
