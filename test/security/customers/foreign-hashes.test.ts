import {expect} from 'chai'
import type {Credential} from '../../../src/domain/credentials/credential.js'
import {passwordsOf} from '../../../src/secrets/passwords.js'
import {foreignHashes, foreignPassword, magentoHashes} from '../../fixtures/foreign-hashes.js'
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
    (await shop.platform.state.get<Credential>('shop', 'credential', id)) as Credential

  for (const [form, hashes] of Object.entries(foreignHashes)) {
    it(`${form}: fit their password, and give way to a hash of ours at the first good sign-in`, async () => {
      for (const hash of hashes) {
        const customer = await imported(hash)
        for (const wrong of ['wrong', `${foreignPassword} `.repeat(2), hash]) {
          expect(await login(customer, wrong), hash).to.equal(400)
        }
        expect(await credentialOf(customer)).to.include({passwordHash: hash, imported: true, version: 1})
        expect(await login(customer, foreignPassword), hash).to.equal(200)
        const renewed = await credentialOf(customer)
        expect(renewed.passwordHash).to.match(/^\$2b\$04\$/)
        expect(renewed).to.not.have.property('imported')
        expect(await login(customer, foreignPassword)).to.equal(200)
        expect(await login(customer, 'wrong')).to.equal(400)
        expect((await shop.api('GET', `/shop/customers/${customer.id}`, admin)).body).to.deep.equal(customer)
      }
    })
  }

  it('magento2: fit their password at the strength that Magento is set up with', async () => {
    const passwords = passwordsOf(4)
    const fits = (hash: string, password: string) => passwords.verify('shop', password, {hash, imported: true})
    for (const hash of magentoHashes) expect(await fits(hash, foreignPassword), hash).to.equal(true)
    expect(await fits(magentoHashes[0] ?? '', 'wrong')).to.equal(false)
  })

  it('fit passwords beyond ASCII as the shop read them, byte by byte', async () => {
    const hash = '131b2159456f5b52ec99f9fc0c1eacf6df98cd1646a1814497b6028f9a87e7d3:8qnyO4H1OYIfGCUb7hTzKq2mVpLx4WcD:1'
    const customer = await imported(hash)
    expect(await login(customer, 'Grüße 日本'.normalize('NFD'))).to.equal(400)
    expect(await login(customer, 'Grüße 日本')).to.equal(200)
  })

  it('of WordPress fit the password with blanks around it, which WordPress takes off', async () => {
    for (const hash of [...(foreignHashes['wordpress'] ?? []), ...(foreignHashes['phpass'] ?? [])]) {
      expect(await login(await imported(hash), ` ${foreignPassword}\n`), hash).to.equal(200)
    }
    expect(await login(await imported(foreignHashes['argon2']?.[0] ?? ''), ` ${foreignPassword}`)).to.equal(400)
  })

  it('are refused beyond the bounds and in unknown forms, without being quoted', async () => {
    const expensive = `$argon2id$v=19$m=4194304,t=99,p=1$c29tZXNhbHQ$${'A'.repeat(43)}`
    for (const [hash, reason] of [
      [expensive, 'MiB of memory'],
      ['$1$abc$0123456789012345678901', 'one of the forms'],
      ['5f4dcc3b5aa765d61d8327deb882cf99', 'written md5:'],
    ] as const) {
      const {message, errors} = await imported(hash, 400)
      expect(message).to.include(reason).and.not.include(hash)
      expect(errors[0]).to.include({code: 'InvalidField', field: 'passwordHash'})
    }
  })

  it('come from callers with manage_project alone', async () => {
    const token = await shop.token('RW')
    const draft = {email: 'few@example.com', passwordHash: foreignHashes['phpass']?.[0]}
    expect((await shop.api('POST', '/shop/customers', token, draft)).status).to.equal(400)
  })

  it('give way once where two sign in at once, and both get in', async () => {
    const customer = await imported(foreignHashes['argon2']?.[1] ?? '')
    expect(await Promise.all([1, 2, 3].map(() => login(customer, foreignPassword)))).to.deep.equal([200, 200, 200])
    expect((await credentialOf(customer)).version).to.equal(2)
    expect(await login(customer, foreignPassword)).to.equal(200)
  })

  it('are proof of the current password when it is changed, and end with a reset', async () => {
    const [first, second] = [
      await imported(foreignHashes['scrypt']?.[0] ?? ''),
      await imported(foreignHashes['salted']?.[0] ?? ''),
    ]
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
