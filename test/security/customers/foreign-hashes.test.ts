import bcrypt from 'bcryptjs'
import {expect} from 'chai'
import type {Credential} from '../../../src/domain/credentials/credential.js'
import {bareDigests, bcryptHash, foreignPassword, otherHashes} from '../../fixtures/foreign-hashes.js'
import {openShop, type Shop} from '../shop/shop.js'
import type {Body} from '../shop/wire.js'

describe('security · password hashes of other shops', () => {
  let shop: Shop
  let admin: string
  before(async () => {
    shop = await openShop({settings: {passwordCost: 4, lockout: false}})
    admin = await shop.token('ADM')
  })
  after(() => shop.close())

  let counter = 0
  async function imported(passwordHash: string, status = 201): Promise<Body> {
    counter += 1
    const answer = await shop.api('POST', '/shop/customers', admin, {
      email: `foreign-${counter}@example.com`,
      passwordHash,
    })
    expect(answer.status, answer.text).to.equal(status)
    return status === 201 ? answer.body.customer : answer.body
  }
  const login = async ({email}: Body, password: string) =>
    (await shop.api('POST', '/shop/login', admin, {email, password})).status
  const credentialOf = async ({id}: Body) =>
    (await shop.runtime.state.get<Credential>('shop', 'credential', id)) as Credential

  it('of bcrypt fit their password, and give way to a hash of ours at the first good sign-in', async () => {
    const customer = await imported(bcryptHash)
    for (const wrong of ['wrong', ` ${foreignPassword}`, bcryptHash]) expect(await login(customer, wrong)).to.equal(400)
    expect(await credentialOf(customer)).to.include({passwordHash: bcryptHash, imported: true, version: 1})
    expect(await login(customer, foreignPassword)).to.equal(200)
    const renewed = await credentialOf(customer)
    expect(renewed.passwordHash).to.match(/^\$2b\$04\$/)
    expect(renewed).to.not.have.property('imported')
    expect(await login(customer, foreignPassword)).to.equal(200)
    expect(await login(customer, 'wrong')).to.equal(400)
    expect((await shop.api('GET', `/shop/customers/${customer.id}`, admin)).body).to.deep.equal(customer)
  })

  it('of bcrypt fit passwords beyond ASCII as the shop read them, byte by byte', async () => {
    const customer = await imported(bcrypt.hashSync('Grüße 日本'.normalize('NFD'), 4))
    expect(await login(customer, 'Grüße 日本')).to.equal(400)
    expect(await login(customer, 'Grüße 日本'.normalize('NFD'))).to.equal(200)
  })

  it('of any other form are refused with the way, without being quoted', async () => {
    for (const hash of [...Object.values(otherHashes).flat(), ...bareDigests]) {
      const {message, errors} = await imported(hash, 400)
      expect(message).to.include('--password-mode reset-links').and.not.include(hash)
      expect(errors[0]).to.include({code: 'InvalidField', field: 'passwordHash'})
    }
    const {message} = await imported(bcryptHash.replace('$04$', '$15$'), 400)
    expect(message).to.include('cost 15')
  })

  it('become no password, at a sign-up, a change or a reset', async () => {
    const customer = await imported(bcryptHash)
    const {body} = await shop.api('POST', '/shop/customers/password-token', admin, {email: customer.email})
    for (const password of [bcryptHash, ...Object.values(otherHashes).flat()]) {
      const {id} = customer
      for (const [path, sent, field] of [
        ['/shop/customers', {email: 'no@example.com', password}, 'password'],
        [
          '/shop/customers/password',
          {id, version: 1, currentPassword: foreignPassword, newPassword: password},
          'newPassword',
        ],
        ['/shop/customers/password/reset', {tokenValue: body.value, newPassword: password}, 'newPassword'],
      ] as const) {
        const answer = await shop.api('POST', path, admin, sent)
        expect([answer.status, answer.body.errors?.[0].field], `${path} ${password}`).to.deep.equal([400, field])
        expect(answer.text).to.include('--password-mode reset-links').and.not.include(password)
      }
    }
    expect((await shop.api('GET', '/shop/customers?where=email%3D%22no%40example.com%22', admin)).body.count).to.equal(
      0,
    )
    expect((await credentialOf(customer)).passwordHash).to.equal(bcryptHash)
  })

  it('come from callers with manage_project alone', async () => {
    const token = await shop.token('RW')
    const draft = {email: 'few@example.com', passwordHash: bcryptHash}
    expect((await shop.api('POST', '/shop/customers', token, draft)).status).to.equal(400)
  })

  it('give way once where two sign in at once, and both get in', async () => {
    const customer = await imported(bcryptHash)
    expect(await Promise.all([1, 2, 3].map(() => login(customer, foreignPassword)))).to.deep.equal([200, 200, 200])
    expect((await credentialOf(customer)).version).to.equal(2)
    expect(await login(customer, foreignPassword)).to.equal(200)
  })

  it('are proof of the current password when it is changed, and end with a reset', async () => {
    const [first, second] = [await imported(bcryptHash), await imported(bcryptHash)]
    const change = (currentPassword: string) =>
      shop.api('POST', '/shop/customers/password', admin, {
        id: first.id,
        version: 1,
        currentPassword,
        newPassword: 'new horse',
      })
    expect((await change('wrong')).status).to.equal(400)
    expect((await change(foreignPassword)).status).to.equal(200)
    expect([await login(first, foreignPassword), await login(first, 'new horse')]).to.deep.equal([400, 200])
    const {body} = await shop.api('POST', '/shop/customers/password-token', admin, {email: second.email})
    await shop.api('POST', '/shop/customers/password/reset', admin, {tokenValue: body.value, newPassword: 'new horse'})
    expect([await login(second, foreignPassword), await login(second, 'new horse')]).to.deep.equal([400, 200])
    expect(await credentialOf(second)).to.not.have.property('imported')
  })
})
