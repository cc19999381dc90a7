import {expect} from 'chai'
import {type Cluster, startCluster} from '../../store/postgres/cluster.js'
import {type Body, type Desk, openDesk} from '../harness.js'

const field = (name: string, type: object) => ({name, type, label: {en: name}, required: false})
const definitions = [
  field('until', {name: 'DateTime'}),
  field('opens', {name: 'Time'}),
  field('worth', {name: 'Money'}),
  field('days', {name: 'Set', elementType: {name: 'Date'}}),
]
const early = {
  until: '2026-10-30T10:05:00.000Z',
  opens: '09:00:00.000',
  worth: {currencyCode: 'EUR', centAmount: 900},
  days: ['2026-10-30'],
}
const late = {
  until: '2026-10-30T13:00:00+02:00',
  opens: '10:30:00',
  worth: {currencyCode: 'EUR', centAmount: 1000},
  days: ['2026-10-31', '2026-11-01'],
}

/** Conditions, and which of both they find. */
const conditions: readonly (readonly [string, readonly ('early' | 'late')[]])[] = [
  ['until = "2026-10-30T12:05:00+02:00"', ['early']],
  ['until < "2026-10-30T11:00:00+02:00"', []],
  ['until in ("2026-10-30T11:00:00Z", "2026-10-30T10:05Z")', ['early', 'late']],
  ['until != "2026-10-30T13:00:00.0+02:00"', ['early']],
  ['opens = "10:30:00.000"', ['late']],
  ['opens < "10:30:00"', ['early']],
  ['worth(centAmount > 900.0 and currencyCode = "EUR")', ['late']],
  ['worth is defined', ['early', 'late']],
  ['days contains any ("2026-11-01", "2026-10-30")', ['early', 'late']],
  ['days contains all ("2026-10-31", "2026-11-01")', ['late']],
  ['days is empty', []],
]
const orders = ['until', 'opens', 'worth.centAmount']

interface Kind {
  /** What its types are for. */
  readonly of: string
  /** A draft that is told from the other by its name. */
  readonly draft: (name: string, custom: object) => object
  /** The member in whose elements the custom fields are; a list has no place in an order. */
  readonly within?: string
}

const kinds: Readonly<Record<string, Kind>> = {
  'customer-groups': {of: 'customer-group', draft: (key, custom) => ({key, groupName: key, custom})},
  stores: {of: 'store', draft: (key, custom) => ({key, name: {en: key}, custom})},
  carts: {of: 'order', draft: (key, custom) => ({key, currency: 'EUR', custom})},
  customers: {
    of: 'address',
    draft: (key, custom) => ({
      email: `${key}@example.com`,
      authenticationMode: 'ExternalAuth',
      addresses: [{country: 'AT'}, {country: 'DE', custom}],
    }),
    within: 'addresses',
  },
}

describe('api · custom values of other resources', () => {
  let cluster: Cluster | undefined
  const desks = new Map<string, Desk>()
  before(async () => {
    cluster = await startCluster()
    desks.set('lowdb', await openDesk({seed: true}))
    if (cluster) desks.set('postgres', await openDesk({seed: true, storeUrl: await cluster.database('elsewhere')}))
  })
  after(async () => {
    for (const desk of desks.values()) await desk.runtime.state.close()
    await cluster?.stop()
  })

  const made = async (desk: Desk, path: string, body: object): Promise<Body> => {
    const answer = await desk.ask('POST', path, {body})
    expect(answer.status, JSON.stringify(answer.body)).to.be.oneOf([200, 201])
    return answer.body
  }
  const type = (desk: Desk, key: string, kind: string, fieldDefinitions: readonly object[]) =>
    made(desk, '/types', {key, name: {en: key}, resourceTypeIds: [kind], fieldDefinitions})

  for (const [path, {of, draft, within}] of Object.entries(kinds)) {
    it(`are compared and ordered as their type on every store: ${path}`, async () => {
      for (const [name, desk] of desks) {
        await type(desk, `of-${of}`, of, definitions)
        const custom = (fields: object) => ({type: {typeId: 'type', key: `of-${of}`}, fields})
        const ids = new Map<string, string>()
        for (const [key, fields] of Object.entries({late, early})) {
          const {customer, ...other} = await made(desk, `/${path}`, draft(key, custom(fields)))
          ids.set((customer ?? other).id, key)
        }
        const conditionOn = (condition: string) =>
          within ? `${within}(custom(fields(${condition})))` : `custom(fields(${condition}))`
        const found = async (parameters: Record<string, string>) => {
          const {status, body} = await desk.ask('GET', `/${path}?${new URLSearchParams({limit: '500', ...parameters})}`)
          expect(status, JSON.stringify(body)).to.equal(200)
          return body.results.flatMap(({id}: Body) => ids.get(id) ?? [])
        }
        for (const [condition, expected] of conditions) {
          const where = conditionOn(condition)
          expect((await found({where})).sort(), `${name}: ${condition}`).to.deep.equal([...expected])
        }
        for (const order of within ? [] : orders) {
          const sort = `custom.fields.${order}`
          expect(await found({sort: `${sort} asc`}), `${name}: ${order}`).to.deep.equal(['early', 'late'])
          expect(await found({sort: `${sort} desc`}), `${name}: ${order}`).to.deep.equal(['late', 'early'])
        }
        const where = conditionOn('until = "soon"')
        expect((await desk.ask('GET', `/${path}?${new URLSearchParams({where})}`)).status).to.equal(400)
      }
    })
  }

  it('of a quote are those of its type', async () => {
    for (const desk of desks.values()) {
      const ask = async (condition: string) =>
        desk.ask('GET', `/quotes?${new URLSearchParams({where: `custom(fields(deliverBy ${condition}))`})}`)
      expect((await ask('= "2026-12-18"')).body.count).to.equal(1)
      expect((await ask('> "2027-01-15"')).body.count).to.equal(0)
      expect((await ask('= "2026-12-18T00:00:00Z"')).body.message).to.include('Date such as')
    }
  })

  it('are read again with the types as they have become while they were read', async () => {
    const desk = desks.get('lowdb') as Desk
    const changing = (name: string) => [field('changing', {name})]
    const {id, version} = await type(desk, 'changing-1', 'store', changing('String'))
    const custom = {type: {typeId: 'type', key: 'changing-2'}, fields: {changing: '2026-10-30T10:05:00Z'}}
    const {query} = desk.runtime.state
    let queries = 0
    desk.runtime.state.query = async (...asked) => {
      if (asked[1] === 'store') {
        queries += 1
        if (queries === 1) {
          expect((await desk.ask('DELETE', `/types/${id}?version=${version}`)).status).to.equal(200)
          await type(desk, 'changing-2', 'store', changing('DateTime'))
          await made(desk, '/stores', {key: 'changed', name: {en: 'Changed'}, custom})
          // These changes have looked at stores, too.
          queries = 1
        }
      }
      return query.apply(desk.runtime.state, asked) as never
    }
    // As a text it is not this one, as a moment it is.
    const where = 'custom(fields(changing = "2026-10-30T12:05:00+02:00"))'
    // What is expanded is read as documents.
    const {body} = await desk.ask('GET', `/stores?${new URLSearchParams({where, expand: 'custom.type'})}`)
    desk.runtime.state.query = query
    expect(queries).to.equal(2)
    expect(body.results).to.have.length(1)
  })
})
