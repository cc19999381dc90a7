import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · naming a profile', () => {
  const desk = new Desk()
  before(() =>
    desk.run([
      ...['profiles', 'add', 'shop', '--project-key', 'shop', '--api-url', 'https://api.example', '--client-id', 'abc'],
      ...['--auth-url', 'https://auth.example', '--secret-from', 'env:SHOP_SECRET', '--protected'],
    ]),
  )
  after(() => desk.remove())

  it('is an argument of profiles test, or a flag, and not both', async () => {
    expect((await desk.run(['profiles', 'test', 'local'])).stdout).to.match(/^local works/)
    expect((await desk.run(['profiles', 'test', 'nobody'])).code).to.equal(2)
    expect((await desk.run(['profiles', 'test', 'local', '-P', 'shop'])).code).to.equal(2)
  })

  it('tells where each value comes from, and the secret by its source only', async () => {
    const {json} = await desk.run(['profiles', 'show', 'shop', '--origins', '--json'])
    expect(json).to.deep.include({
      clientId: {value: 'abc', origin: 'profile shop'},
      secret: {value: 'env:SHOP_SECRET', origin: 'profile shop'},
      protected: {value: 'true', origin: 'profile shop'},
    })
  })
})
