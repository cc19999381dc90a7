import {expect} from 'chai'
import {operations} from '../../../src/api/index.js'
import {type Answer, type Desk, signedUp} from '../harness.js'
import {administrative, cases} from './read-cases.js'
import {answerOf} from './reference-check.js'

/** Every reading operation that the reference has. */
export const reading = operations.filter(
  (one) => (one.method === 'GET' || one.method === 'HEAD') && one.permission.kind === 'bearer' && answerOf(one),
)

const store = 'berlin'

/** Asks the operations that read, of a desk in which there is something to read. */
export class Reader {
  readonly #desk: Desk
  readonly #customer: {readonly id: string; readonly email: string}
  readonly #own: string

  private constructor(desk: Desk, customer: {id: string; email: string}, own: string) {
    this.#desk = desk
    this.#customer = customer
    this.#own = own
  }

  /** Makes ready what can be made by requests. */
  static async of(desk: Desk): Promise<Reader> {
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
    return new Reader(desk, customer, own)
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

/** A request of every desk. */
interface Step {
  readonly id: string
  /** The demo has none of what it reads. */
  readonly isAbsent?: boolean
  readonly ask: (desk: Desk) => Promise<Answer | object>
}

const predicates = [
  'addresses(custom(fields(doorbell = "x")) or not(country in ("DE", "AT")))',
  'custom(fields(lastVisit > "2026-10-30" and calls contains all ("2026-10-30", "2026-10-31")))',
  'custom(fields(budget(centAmount > 5) or credits(currencyCode = "EUR")))',
  'stores(key in ("berlin")) and customerGroup(id != "x") and shippingAddressIds is not empty',
  'version > 1 and createdAt < "2026-10-30" and lowercaseEmail = "x" and id > "a"',
  'custom(fields(place within circle(1, 2, 3)))',
]
const queries = [
  ...predicates.map(
    (where) =>
      `/customers?where=${encodeURIComponent(where)}&sort=${encodeURIComponent('custom.fields.lastVisit desc')}`,
  ),
  `/business-units?where=${encodeURIComponent('associates(customer(id = "x") and associateRoleAssignments is defined)')}`,
  `/carts?where=${encodeURIComponent('lineItems(custom(fields(wrap = true)) and quantity > 1)')}&offset=1`,
  `/quotes?expand=customer&limit=0`,
  '/messages?sort=createdAt%20desc&where=resource(typeId%20%3D%20%22customer%22)',
]

/** Queries, an erasure, a search and a sweep: what the store is asked in more ways than by an operation. */
export const beside: readonly Step[] = [
  {
    id: 'erasure',
    ask: async (desk) => {
      const {id, version} = await signedUp(desk, {email: 'erased@example.com'})
      return desk.ask('DELETE', `/customers/${id}?version=${version}&dataErasure=true`)
    },
  },
  ...queries.map((path) => ({id: path, ask: (desk: Desk) => desk.ask('GET', path, {incomplete: true})})),
  {
    id: 'search',
    ask: (desk) => {
      const query = {
        and: [{fullText: {field: 'all', value: 'hazel'}}, {exact: {field: 'stores.key', value: 'berlin'}}],
      }
      return desk.ask('POST', '/customers/search', {body: {query}})
    },
  },
  {
    id: 'sweep',
    ask: async (desk) => {
      desk.clock.now += 400 * 86_400_000
      await desk.runtime.sweeper.refreshTokenAdded(desk.clock.now)
      return desk.runtime.state.query(desk.projectKey, 'message', {limit: 500, offset: 0})
    },
  },
]

/** Every operation of the registry and of the administration, in the demo. */
export const everyOperation: readonly Step[] = [
  ...Object.entries({...cases, ...administrative}).flatMap(([id, requests]) =>
    requests.map((one) => ({id, ask: async (desk: Desk) => (await one(desk))()})),
  ),
  ...reading.map(({id, method, path}) => ({
    id,
    isAbsent: /^(getState|state)/.test(id),
    ask: async (desk: Desk) => {
      const reader = readers.get(desk) ?? Reader.of(desk)
      readers.set(desk, reader)
      return (await reader).ask(method, path)
    },
  })),
]
const readers = new WeakMap<Desk, Promise<Reader>>()

/** The answer to a step; what was thrown in its place is no answer. */
const answered = ({ask}: Step, desk: Desk): Promise<Partial<Answer>> =>
  ask(desk).catch((error: unknown) => ({status: 0, body: String(error)}))

/**
 * Takes the desks through the steps, side by side, and hands each step's answers to `see`. `open` makes new desks where what
 * another step has changed stands in the way of one.
 */
export async function walk(
  open: () => Promise<readonly Desk[]>,
  steps: readonly Step[],
  see: (id: string, answers: readonly Partial<Answer>[]) => void = () => {},
): Promise<void> {
  let desks = await open()
  for (const step of steps) {
    const asked = () => Promise.all(desks.map((desk) => answered(step, desk)))
    let answers = await asked()
    const isRefused = ({status = 200}: Partial<Answer>): boolean =>
      status === 0 || (status >= 300 && !(step.isAbsent && status === 404))
    if (answers.some(isRefused)) {
      see(step.id, answers)
      desks = await open()
      answers = await asked()
    }
    for (const answer of answers) expect(isRefused(answer), `${step.id}: ${JSON.stringify(answer)}`).to.equal(false)
    see(step.id, answers)
  }
}
