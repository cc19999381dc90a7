import {expect} from 'chai'
import {customerActions} from '../../../src/domain/customers/actions/index.js'
import {desiredOf, irrevocable, revocable} from '../../../src/domain/customers/before-image.js'
import {customerPrivacy} from '../../../src/domain/customers/privacy.js'

describe('customers · before-images', () => {
  it('know of every member that an action changes whether it can be brought back', () => {
    const known = new Set<string>([...revocable, ...irrevocable])
    for (const {name, fields} of customerActions.values()) {
      for (const field of fields) expect(known.has(field), `${name}: ${field}`).to.equal(true)
    }
  })

  it('bring addresses back with their roles, by position, and take away a default that was none', () => {
    const addresses = ['a', 'b'].map((id) => ({id, country: 'DE'}))
    const before = {addresses, shippingAddressIds: ['b'], defaultShippingAddressId: 'b', billingAddressIds: ['gone']}
    expect(desiredOf(before)).to.deep.include({
      ...{addresses, shippingAddresses: [1], defaultShippingAddress: 1},
      ...{billingAddresses: [], defaultBillingAddress: null},
    })
  })

  it('name members that a customer has, each once', () => {
    const names = [...revocable, ...irrevocable]
    expect(new Set(names).size).to.equal(names.length)
    expect(Object.keys(customerPrivacy)).to.include.members(names)
  })
})
