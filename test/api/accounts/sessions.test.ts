import {expect} from 'chai'
import {type Body, type Desk, draft, openDesk, signedUp} from '../harness.js'

describe('customers · sessions', () => {
  let desk: Desk
  let customer: Body
  let token: string
  beforeEach(async () => {
    desk = await openDesk()
    customer = await signedUp(desk, {email: 'ada@example.com'})
    token = await desk.token('manage_my_profile', {customerId: customer.id})
  })
  const path = () => `/_frontdesk/customers/${customer.id}/sessions`
  const me = async () => (await desk.ask('GET', '/me', {token})).status

  it('are counted, with the one-time tokens that are open', async () => {
    await desk.ask('POST', '/customers/password-token', {body: {email: 'ada@example.com', ttlMinutes: 10}})
    const {body} = await desk.ask('GET', path())
    expect(body.sessions).to.equal(1)
    expect(body.openTokens.map(({purpose}: Body) => purpose)).to.deep.equal(['password'])
    expect(body).to.not.have.property('lockedUntil')
    expect(body.failedSignIns).to.deep.equal([])
    expect(JSON.stringify(body)).to.not.include('value')
    desk.clock.now += 11 * 60_000
    expect((await desk.ask('GET', path())).body.openTokens).to.deep.equal([])
  })

  it('tell until when wrong passwords lock the customer out', async () => {
    const body = {email: 'ada@example.com', password: 'wrong'}
    for (let at = 0; at < 10; at += 1) await desk.ask('POST', '/login', {body})
    const {lockedUntil, failedSignIns} = (await desk.ask('GET', path())).body
    expect(failedSignIns).to.deep.equal(Array.from({length: 10}, () => new Date(desk.clock.now).toISOString()))
    expect(Date.parse(lockedUntil) - desk.clock.now).to.be.within(1, 15 * 60_000)
  })

  it('end all at once, and nobody else’s', async () => {
    const other = await signedUp(desk, draft())
    const others = await desk.token('manage_my_profile', {customerId: other.id})
    expect(await me()).to.equal(200)
    expect((await desk.ask('DELETE', path())).body).to.deep.equal({ended: 1})
    expect(await me()).to.equal(401)
    expect((await desk.ask('GET', '/me', {token: others})).status).to.equal(200)
    expect((await desk.ask('GET', path())).body.sessions).to.equal(0)
    expect((await desk.ask('DELETE', path())).body).to.deep.equal({ended: 0})
    expect((await desk.ask('GET', `/customers/${customer.id}`)).body.version, 'the customer stays').to.equal(1)
    const signIn = {email: 'ada@example.com', password: 'correct horse'}
    expect((await desk.ask('POST', '/login', {body: signIn})).status, 'and so does the password').to.equal(200)
  })

  it('are not there for a customer that is not', async () => {
    const nobody = '/_frontdesk/customers/00000000-0000-4000-8000-000000000000/sessions'
    expect((await desk.ask('GET', nobody)).status).to.equal(404)
    expect((await desk.ask('DELETE', nobody)).status).to.equal(404)
  })
})
