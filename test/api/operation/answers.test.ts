import {expect} from 'chai'
import {operations} from '../../../src/api/index.js'
import {type Answer, type Desk, openDesk, signedUp} from '../harness.js'
import {answerOf} from './reference-check.js'

/** Every reading operation that the reference has is asked; the desk compares its answers, and read-cases those of writes. */
const reading = operations.filter(
  (one) => (one.method === 'GET' || one.method === 'HEAD') && one.permission.kind === 'bearer' && answerOf(one),
)

const store = 'berlin'

class Walk {
  readonly #desk: Desk
  readonly #customer: {readonly id: string; readonly email: string}
  readonly #own: string

  private constructor(desk: Desk, customer: {id: string; email: string}, own: string) {
    this.#desk = desk
    this.#customer = customer
    this.#own = own
  }

  /** Makes ready what can be made by requests. */
  static async of(desk: Desk): Promise<Walk> {
    const stored = await desk.ask('GET', '/customers/key=hazel-brandvold')
    const post = async (path: string, body: object) => {
      expect((await desk.ask('POST', path, {body})).status, path).to.be.oneOf([200, 201])
    }
    const field = {name: 'size', label: {en: 'Size'}, required: false, type: {name: 'Number'}}
    const type = {key: 'walked', name: {en: 'x'}, resourceTypeIds: ['address'], fieldDefinitions: [field]}
    if (stored.status === 404) {
      await post('/stores', {key: store, name: {en: 'Berlin'}})
      await post('/customer-groups', {key: 'walked', groupName: 'Walked'})
    }
    await post('/types', type)
    const customer =
      stored.status === 200
        ? stored.body
        : await signedUp(desk, {key: 'walker', stores: [{key: store}], addresses: [{country: 'DE'}]})
    const customerId = customer.id
    await post('/carts', {currency: 'EUR', customerId, key: 'walked'})
    await post(`/in-store/key=${store}/carts`, {currency: 'EUR', customerId, key: 'walked-in-store'})
    await post('/api-clients', {name: 'Walked', scope: `view_customers:${desk.projectKey}`})
    const own = await desk.token('manage_my_profile manage_my_quotes manage_my_orders', {customerId})
    return new Walk(desk, customer, own)
  }

  /** The answer to an operation, asked for a document of its list. */
  async ask(method: string, path: string): Promise<Answer> {
    const asked = path.slice('/{projectKey}'.length).replace('{storeKey}', store)
    const token = /\/me(\/|$)/.test(asked) ? {token: this.#own} : {}
    const [, list = '', part] = /^(.*)\/(?:\{(id)\}|key=\{key\})$/.exec(asked) ?? []
    const [one] =
      list === ''
        ? []
        : (await this.#desk.ask('GET', `${list}?where=${part ?? 'key'}%20is%20defined`, token)).body.results
    const given = asked
      .replace('{id}', one?.id ?? 'nobody')
      .replace('{key}', one?.key ?? 'nobody')
      .replace('{customerId}', this.#customer.id)
      .replace('{passwordToken}', asked.includes('passwordToken') ? await this.#token('password') : '')
      .replace('{emailToken}', asked.includes('emailToken') ? await this.#token('email') : '')
    return this.#desk.ask(method, given, token)
  }

  async #token(purpose: 'password' | 'email'): Promise<string> {
    const {id, email} = this.#customer
    const body = purpose === 'email' ? {id, ttlMinutes: 5} : {email}
    return (await this.#desk.ask('POST', `/customers/${purpose}-token`, {body})).body.value
  }
}

describe('api · answers beside the reference', () => {
  for (const [place, seed, lacking] of [
    ['the demo', true, /^(getState|state)/],
    [
      'a project that nobody configured',
      false,
      /^(get|query)?(state|(my|staged)?quote|businessUnit|associateRole|product|taxCategor|zone|shippingMethod)/i,
    ],
  ] as const) {
    it(`are its own of every operation that reads, in ${place}`, async () => {
      const walk = await Walk.of(await openDesk({seed}))
      for (const {id, method, path} of reading) {
        const {status, body} = await walk.ask(method, path)
        expect(status, id).to.be.oneOf(lacking.test(id) ? [200, 404] : [200])
        if (method === 'HEAD') expect(body, id).to.equal(undefined)
      }
    })
  }
})
