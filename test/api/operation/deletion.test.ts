import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {type Answer, type Body, type Desk, openDesk, signedUp} from '../harness.js'

/** Every file below a folder with its bytes. */
function filesBelow(folder: string): {path: string; bytes: Buffer}[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesBelow(path) : [{path, bytes: readFileSync(path)}]
  })
}

describe('api · deletion', () => {
  describe('of a customer', () => {
    let desk: Desk
    let customer: Body
    beforeEach(async () => {
      desk = await openDesk({seed: true})
      customer = await signedUp(desk, {key: 'to-delete'})
    })
    const remove = (query: string): Promise<Answer> => desk.ask('DELETE', `/customers/${customer.id}${query}`)

    it('needs the version and shows what was deleted', async () => {
      expect((await remove('')).status).to.equal(400)
      expect((await remove('?version=x')).status).to.equal(400)
      expect((await remove('?version=1&version=2')).status).to.equal(400)
      expect((await remove('?version=1&dataErasure=maybe')).status).to.equal(400)
      expect((await remove('?version=2')).status).to.equal(409)
      expect((await remove('?version=1')).body).to.deep.equal(customer)
      expect((await remove('?version=1')).status).to.equal(404)
    })

    it('frees the email and the key, and says so in a message', async () => {
      await desk.ask('DELETE', '/customers/key=to-delete?version=1')
      const again = await signedUp(desk, {email: customer.email, key: 'to-delete'})
      expect(again.id).to.not.equal(customer.id)
      const where = encodeURIComponent(`resource(id = "${customer.id}") and type = "CustomerDeleted"`)
      const {body} = await desk.ask('GET', `/messages?where=${where}`)
      expect(body.results).to.have.length(1)
      expect(body.results[0]).to.include({email: customer.email, sequenceNumber: 2})
    })

    it('leaves the carts, which belong to nobody then', async () => {
      const draft = {currency: 'EUR', customerId: customer.id, shippingAddress: {country: 'DE', city: 'Bonn'}}
      const {body: cart} = await desk.ask('POST', '/carts', {body: draft})
      expect(cart).to.include({customerId: customer.id, customerEmail: customer.email})
      await remove('?version=1')
      const {body: left} = await desk.ask('GET', `/carts/${cart.id}`)
      expect(left).to.include({version: cart.version + 1})
      expect(left).to.not.have.any.keys('customerId', 'customerEmail')
      expect(left.shippingAddress).to.deep.equal(cart.shippingAddress)
      expect((await desk.ask('GET', `/carts/customer-id=${customer.id}`)).status).to.equal(404)
    })

    it('ends sessions and one-time tokens', async () => {
      const session = await desk.token('manage_my_profile', {customerId: customer.id})
      const made = await desk.ask('POST', '/customers/password-token', {body: {email: customer.email}})
      await remove('?version=1')
      expect((await desk.ask('GET', '/me', {token: session})).status).to.equal(401)
      const reset = {tokenValue: made.body.value, newPassword: 'x'}
      expect((await desk.ask('POST', '/customers/password/reset', {body: reset})).status).to.equal(404)
    })
  })

  it('S-90 with dataErasure leaves no trace of the person in any file', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-erasure-'))
    let server: RunningServer | undefined
    try {
      server = await startServer({dataDir, projectKey: 'demo', seedDir: 'fixtures/demo', settings: {passwordCost: 4}})
      const {apiUrl, client} = server
      const basic = Buffer.from(`${client?.clientId}:${client?.clientSecret}`).toString('base64')
      const granted = await fetch(`${apiUrl}/oauth/token`, {
        method: 'POST',
        headers: {authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded'},
        body: 'grant_type=client_credentials',
      })
      const {access_token: token} = (await granted.json()) as Body
      const call = async (method: string, path: string, body?: object): Promise<Body> => {
        const headers = {authorization: `Bearer ${token}`, ...(body ? {'content-type': 'application/json'} : {})}
        const answer = await fetch(`${apiUrl}/demo${path}`, {
          method,
          headers,
          ...(body ? {body: JSON.stringify(body)} : {}),
        })
        return answer.json()
      }
      const canary = (name: string): string => `canary-${name}-7391`
      const email = `${canary('mail')}@example.com`
      const {customer} = await call('POST', '/customers', {
        email,
        password: canary('password'),
        key: canary('key'),
        firstName: canary('first'),
        externalId: canary('external'),
        addresses: [{country: 'DE', city: canary('city'), phone: canary('phone')}],
      })
      const made = await call('POST', '/customers/password-token', {email, ttlMinutes: 10})
      const next = await call('POST', `/customers/${customer.id}`, {
        version: 1,
        actions: [{action: 'setLastName', lastName: canary('last')}],
      })
      await call('DELETE', `/customers/${customer.id}?version=${next.version}&dataErasure=true`)
      const messages = await call('GET', `/messages?where=${encodeURIComponent(`resource(id = "${customer.id}")`)}`)
      expect(messages.results.map(({type}: Body) => type)).to.have.members([
        'CustomerCreated',
        'CustomerLastNameSet',
        'CustomerDeleted',
      ])
      await server.stop()
      server = undefined
      for (const {path, bytes} of filesBelow(dataDir)) {
        const text = bytes.toString('latin1').toLowerCase()
        for (const trace of [
          'canary-',
          Buffer.from(email).toString('base64').toLowerCase(),
          made.value.toLowerCase(),
        ]) {
          expect(text.includes(trace), `${trace} in ${path}`).to.equal(false)
        }
      }
    } finally {
      await server?.stop()
      rmSync(dataDir, {recursive: true, force: true})
    }
  })
})
