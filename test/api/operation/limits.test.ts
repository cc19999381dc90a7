import {expect} from 'chai'
import {limits} from '../../../src/work/limits.js'
import {type Answer, acted, type Body, type Desk, draft, errorOf, openDesk, signedUp} from '../harness.js'

/** Each limit of the table: a request at it, which passes it, and one above, which is refused. */

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({length: count}, (_, at) => make(at))

interface Case {
  /** A request with so many of what is counted. */
  readonly ask: (desk: Desk, count: number) => Promise<Answer>
  readonly status: number
  readonly code: string
  /** What the refusal says. */
  readonly says?: RegExp
}

const query = (desk: Desk, parameters: readonly (readonly [string, string])[]): Promise<Answer> =>
  desk.ask(
    'GET',
    `/customers?${new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]))}`,
  )

const form = (desk: Desk, text: string): Promise<Answer> =>
  desk.ask('POST', '//oauth/token', {
    raw: text,
    contentType: 'application/x-www-form-urlencoded',
    token: null,
    headers: {authorization: `Basic ${Buffer.from('test-client:test-secret').toString('base64')}`},
  })

const create = (desk: Desk, members: object): Promise<Answer> => desk.ask('POST', '/customers', {body: draft(members)})

const nested = (depth: number): Body => (depth === 0 ? 1 : [nested(depth - 1)])

const scopesOf = (count: number): string => times(count, (at) => `view_orders:shop:s${at}`).join(' ')

const invalidInput = {status: 400, code: 'InvalidInput'}
const invalidJson = {status: 400, code: 'InvalidJsonInput'}

const cases: Partial<Record<keyof typeof limits, Case>> = {
  formParameters: {
    ask: (desk, count) =>
      form(desk, ['grant_type=client_credentials', ...times(count - 1, (at) => `p${at}=1`)].join('&')),
    status: 400,
    code: 'invalid_request',
  },
  jsonDepth: {...invalidJson, ask: (desk, count) => create(desk, {unknown: nested(count - 1)})},
  jsonValues: {
    ...invalidJson,
    // The draft has an email, a password and the array itself.
    ask: (desk, count) => create(desk, {unknown: times(count - 3, () => 0)}),
    says: /more than 10000 members and elements/,
  },
  textCharacters: {...invalidJson, ask: (desk, count) => create(desk, {firstName: 'x'.repeat(count)})},
  actions: {
    ...invalidJson,
    ask: async (desk, count) => acted(desk, await signedUp(desk), ...times(count, () => ({action: 'setTitle'}))),
  },
  addresses: {...invalidJson, ask: (desk, count) => create(desk, {addresses: times(count, () => ({country: 'DE'}))})},
  stores: {
    ...invalidJson,
    ask: (desk, count) => create(desk, {stores: times(count, () => ({typeId: 'store', key: 'only'}))}),
  },
  scopes: {
    status: 400,
    code: 'InvalidField',
    ask: (desk, count) => desk.ask('POST', '/api-clients', {body: {name: 'many', scope: scopesOf(count)}}),
  },
  scopeCharacters: {
    status: 400,
    code: 'InvalidField',
    ask: (desk, count) =>
      desk.ask('POST', '/api-clients', {body: {name: 'long', scope: 'view_orders:shop'.padEnd(count)}}),
  },
  where: {
    ...invalidInput,
    ask: (desk, count) =>
      query(
        desk,
        times(count, () => ['where', 'version > 0']),
      ),
  },
  predicateCharacters: {
    ...invalidInput,
    ask: (desk, count) => query(desk, [['where', `version > 0`.padEnd(count)]]),
  },
  predicateDepth: {
    ...invalidInput,
    ask: (desk, count) => query(desk, [['where', `${'('.repeat(count)}version > 0${')'.repeat(count)}`]]),
  },
  conditions: {
    ...invalidInput,
    // Each predicate has its conditions and one `or` above them.
    ask: (desk, count) => {
      const halves = [100, count - 100]
      return query(
        desk,
        halves.map((half) => ['where', times(half - 1, () => 'version > 0').join(' or ')] as const),
      )
    },
    says: /more than 500 conditions/,
  },
  listValues: {
    ...invalidInput,
    ask: (desk, count) =>
      query(desk, [['where', 'email in :v'], ...times(count, (at) => ['var.v', `v${at}`] as const)]),
  },
  queryValues: {
    ...invalidInput,
    ask: (desk, count) => {
      const full = Math.floor(count / 1_000)
      const more = times(count % 1_000, (at) => `and id != "${at}"`).join(' ')
      return query(desk, [
        ['where', `${times(full, () => 'email in :v').join(' or ')} ${more}`],
        ...times(1_000, (at) => ['var.v', `v${at}`] as const),
      ])
    },
    says: /more than 5000 values/,
  },
  pageSize: {...invalidInput, ask: (desk, count) => query(desk, [['limit', String(count)]])},
  pageOffset: {...invalidInput, ask: (desk, count) => query(desk, [['offset', String(count)]])},
  sortKeys: {
    ...invalidInput,
    ask: (desk, count) =>
      query(
        desk,
        times(count, () => ['sort', 'email asc']),
      ),
  },
  expandPaths: {
    ...invalidInput,
    ask: (desk, count) =>
      query(
        desk,
        times(count, (at) => ['expand', `path${at}`]),
      ),
  },
  expandDepth: {
    ...invalidInput,
    ask: (desk, count) => query(desk, [['expand', times(count, () => 'member').join('.')]]),
  },
}

describe('api · limits', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    const key = 'only'
    const doc = {id: 'store-1', version: 1, key}
    await desk.runtime.state.commit('shop', [{kind: 'store', expect: 0, doc, uniqueKeys: [{key: `key:${key}`}]}])
  })

  for (const [name, {ask, status, code, says}] of Object.entries(cases)) {
    const most = limits[name as keyof typeof limits]
    it(`takes ${most} for ${name}, and one more is ${status} ${code}`, async () => {
      const taken = await ask(desk, most)
      expect(taken.status, JSON.stringify(taken.body).slice(0, 300)).to.be.oneOf([200, 201])
      const refused = await ask(desk, most + 1)
      expect(refused.status).to.equal(status)
      expect(errorOf(refused).code).to.equal(code)
      if (says) expect(JSON.stringify(refused.body)).to.match(says)
    })
  }

  it('counts the values of a body in any spelling', async () => {
    const spelled = (values: number) =>
      `{ "email":"spelled-${values}@example.com" , "password":"a,b[c{d" ,"empty": [ ] , "none":{ },"list":[${times(values, () => '"\\"," ').join(',')}]}`
    expect((await desk.ask('POST', '/customers', {raw: spelled(9_995)})).status).to.equal(201)
    expect((await desk.ask('POST', '/customers', {raw: spelled(9_996)})).status).to.equal(400)
  })

  it('refuses one address more than a customer can have, by any action', async () => {
    const customer = await signedUp(desk, {addresses: times(limits.addresses - 1, () => ({country: 'DE'}))})
    const add = {action: 'addAddress', address: {country: 'AT'}}
    const {status, body} = await acted(desk, customer, add)
    expect(status).to.equal(200)
    const refused = await acted(desk, body, add)
    expect(refused.status).to.equal(400)
    expect(errorOf(refused)).to.include({code: 'MaxResourceLimitExceeded', exceededResource: 'address'})
    const {id} = body.addresses[0]
    expect((await acted(desk, body, {action: 'removeAddress', addressId: id}, add)).status).to.equal(200)
  })

  it('lists twenty problems of a body', async () => {
    const {status, body} = await create(desk, {addresses: times(500, () => 1)})
    expect(status).to.equal(400)
    expect(body.errors).to.have.lengthOf(limits.listedIssues)
  })

  it('answers bombs of arrays and objects before it makes anything of them', async () => {
    const began = process.cpuUsage()
    for (const member of ['addresses', 'stores', 'actions', 'unknown']) {
      for (const value of ['1', '{}', '[]', '""']) {
        const raw = `{"version":1,"email":"a@b.io","password":"x","${member}":[${times(250_000, () => value).join(',')}]}`
        for (const path of ['/customers', '/customers/none', '/login']) {
          const {status, body} = await desk.ask('POST', path, {raw})
          expect(status).to.be.oneOf([400, 404])
          expect(body.errors).to.have.lengthOf(1)
        }
      }
    }
    const {user, system} = process.cpuUsage(began)
    // 48 of them took minutes when an error was made of each element.
    expect((user + system) / 1e6, 'seconds of CPU time').to.be.below(30)
  })
})
