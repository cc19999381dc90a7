import {expect} from 'chai'
import {creationOf} from '../../../src/transfer/write/creation.js'

describe('transfer · the body that creates a customer', () => {
  const draft = {
    email: 'ada@example.com',
    key: null,
    authenticationMode: 'Password',
    passwordHash: '$2b$10$',
    addresses: [{id: 'of-the-source', key: 'home', country: 'DE', city: null}],
  } as const
  const noPassword = () => expect.fail('asked for a password')

  it('has no nulls and no ids of another project', async () => {
    const {addresses, ...others} = await creationOf(draft, 'column', noPassword)
    expect(addresses).to.deep.equal([{key: 'home', country: 'DE'}])
    expect(others).to.deep.equal({email: 'ada@example.com', authenticationMode: 'Password', passwordHash: '$2b$10$'})
  })

  it('has no password where customers are made without', async () => {
    const body = await creationOf({...draft, password: 'geheim-123'}, 'external-auth', noPassword)
    expect(body).to.include({authenticationMode: 'ExternalAuth'}).and.not.have.any.keys('password', 'passwordHash')
  })
})
