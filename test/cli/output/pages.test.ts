import {expect} from 'chai'
import {queryCustomers} from '../../../src/api/customers/operations.js'
import {allPages, pageOf, type QueryFlags, whereOf} from '../../../src/cli/input/query-options.js'
import type {Failure} from '../../../src/cli/process/failure.js'
import type {CallOptions, Client} from '../../../src/client/client.js'
import {rejection} from '../../store/directory.js'

type Asked = NonNullable<CallOptions<unknown>['query']>

/** A client over so many customers, whose ids are numbers of five digits, that knows `id > …`, limit and offset. */
function clientOf(total: number): {client: Client; asked: Asked[]} {
  const ids = Array.from({length: total}, (_, index) => String(index).padStart(5, '0'))
  const asked: Asked[] = []
  const call = async (_: unknown, __: unknown, {query = {}}: CallOptions<unknown> = {}) => {
    asked.push(query)
    const after = query['var.afterId']
    const rest = after === undefined ? ids : ids.filter((id) => id > String(after))
    const offset = Number(query['offset'] ?? 0)
    const results = rest.slice(offset, offset + Number(query['limit'])).map((id) => ({id}))
    return {limit: 500, offset, count: results.length, results}
  }
  return {client: {call} as unknown as Client, asked}
}

async function idsOf(total: number, flags: QueryFlags): Promise<{ids: string[]; asked: Asked[]}> {
  const {client, asked} = clientOf(total)
  const ids: string[] = []
  for await (const page of allPages(client, queryCustomers, flags)) ids.push(...page.map(({id}) => id))
  return {ids, asked}
}

describe('cli · all pages', () => {
  it('reads everything once, also past the largest offset', async () => {
    for (const total of [0, 1, 499, 500, 501, 12_000]) {
      const {ids} = await idsOf(total, {})
      expect(ids.length, String(total)).to.equal(total)
      expect(new Set(ids).size).to.equal(total)
    }
  })

  it('keeps the predicates of the question beside its own', async () => {
    const {asked} = await idsOf(501, {where: ['key is defined', 'a = :x'], var: ['x=1']})
    expect(asked[0]).to.deep.include({where: ['key is defined', 'a = :x'], 'var.x': '1', sort: ['id asc']})
    expect(asked[1]).to.deep.include({where: ['key is defined', 'a = :x', 'id > :afterId'], 'var.afterId': '00499'})
  })

  it('goes by offset in an order of its own, and says where that ends', async () => {
    const {ids, asked} = await idsOf(1_200, {sort: ['email asc']})
    expect(ids).to.have.length(1_200)
    expect(asked.map(({offset}) => offset)).to.deep.equal([0, 500, 1000])
    const failure = await idsOf(12_000, {sort: ['email asc']}).catch((error: Failure) => error)
    expect(failure).to.include({ending: 'invalid'})
  })
})

/** Results by offset, as a server tells them that ignores what it does not know. */
async function sortedFrom(pages: readonly (readonly string[])[], total?: number, isCut = false): Promise<string[]> {
  const left = [...pages]
  const call = async () => {
    const results = (left.shift() ?? []).map((id) => ({id}))
    const limit = isCut && left.length > 0 ? results.length : 500
    return {limit, offset: 0, count: results.length, results, ...(total === undefined ? {} : {total})}
  }
  const ids: string[] = []
  const read = allPages({call} as unknown as Client, queryCustomers, {sort: ['email asc']})
  for await (const page of read) ids.push(...page.map(({id}) => id))
  return ids
}

describe('cli · all pages in an order of their own', () => {
  it('asks for an order among equals', async () => {
    const {asked} = await idsOf(3, {sort: ['lastName asc']})
    expect(asked[0]).to.deep.include({sort: ['lastName asc', 'id asc']})
    const {asked: byId} = await idsOf(3, {sort: ['id desc']})
    expect(byId[0]).to.deep.include({sort: ['id desc']})
  })

  it('reads on after a page that the server cut', async () => {
    expect(await sortedFrom([['a', 'b'], ['c'], ['d']], 4)).to.deep.equal(['a', 'b', 'c', 'd'])
    expect(await sortedFrom([['a', 'b'], ['c'], ['d']], undefined, true)).to.deep.equal(['a', 'b', 'c', 'd'])
  })

  it('ends with an error where some come twice or are missing', async () => {
    expect(await rejection(sortedFrom([['a', 'b'], ['b']], 4))).to.include({name: 'OrderBroken'})
    expect(await rejection(sortedFrom([['a', 'b'], []], 4))).to.include({name: 'ResultsMissing'})
    expect(await sortedFrom([['a'], []], 10_000), 'a total is counted to ten thousand').to.deep.equal(['a'])
  })
})

describe('cli · parameters of queries', () => {
  it('passes on what was given, and nothing else', () => {
    expect(pageOf({})).to.deep.equal({})
    expect(pageOf({limit: 0, offset: 5, sort: ['a'], expand: ['b'], 'with-total': false})).to.deep.equal({
      limit: 0,
      offset: 5,
      sort: ['a'],
      expand: ['b'],
      withTotal: false,
    })
  })

  it('takes values of variables whole', () => {
    expect(whereOf({where: ['a = :v'], var: ['v=x=y"\n']})).to.deep.equal({where: ['a = :v'], 'var.v': 'x=y"\n'})
    for (const text of ['v', '=x', 'a b=x']) expect(() => whereOf({var: [text]}), text).to.throw('is not a variable')
  })
})
