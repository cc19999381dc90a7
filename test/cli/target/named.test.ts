import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · naming a profile', () => {
  const desk = new Desk()
  before(() =>
    desk.run([
      ...['login', 'shop', '--project-key', 'shop', '--api-url', 'https://api.example', '--client-id', 'abc'],
      ...['--auth-url', 'https://auth.example', '--secret-from', 'env:SHOP_SECRET', '--protected', '--no-check'],
    ]),
  )
  after(() => desk.remove())

  it('is an argument of profiles show, or a flag, and not both', async () => {
    expect((await desk.run(['profiles', 'show', 'shop', '--json'])).json).to.deep.include({
      apiUrl: 'https://api.example',
      secret: {from: 'env:SHOP_SECRET'},
    })
    expect((await desk.run(['profiles', 'show', 'nobody'])).code).to.equal(2)
    expect((await desk.run(['profiles', 'show', 'local', '-P', 'shop'])).code).to.equal(2)
  })

  it('tells where each value comes from, and the secret by its source only', async () => {
    const {json, stdout} = await desk.run(['whoami', '-P', 'shop', '--origins', '--json'])
    const origin = {by: 'profile', name: 'shop'}
    expect(json).to.deep.include({
      profile: {value: 'shop', origin: {by: 'flag', name: 'profile'}},
      clientId: {value: 'abc', origin},
      secret: {value: 'env:SHOP_SECRET', origin},
      protected: {value: 'true', origin},
    })
    expect(stdout).to.not.include('"undefined"')
    const text = (await desk.run(['whoami', '--origins'], {env: {FRONTDESK_PROFILE: 'shop'}})).stdout
    expect(text).to.include('profile  shop  (FRONTDESK_PROFILE)\n').and.include('clientId  abc  (profile shop)\n')
    expect((await desk.run(['whoami', '--origins'])).stdout).to.include('profile  local  (built-in)\n')
  })
})
