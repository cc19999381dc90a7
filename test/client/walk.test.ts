import {expect} from 'chai'
import {allInIdOrder, inIdOrder, OrderBroken, type WalkedPage} from '../../src/client/walk.js'
import {rejection} from '../store/directory.js'

interface Row {
  readonly id: string
}
type Server = (after: string | undefined, rows: readonly Row[]) => WalkedPage<Row>

const rowsOf = (total: number): Row[] => Array.from({length: total}, (_, at) => ({id: String(at).padStart(5, '0')}))
const behind = (after: string | undefined, rows: readonly Row[]): readonly Row[] =>
  rows.filter(({id}) => after === undefined || id > after)
/** In an order of its own: even rows, then odd ones. */
const disordered = (rows: readonly Row[]): Row[] => [
  ...rows.filter(({id}) => Number(id) % 2 === 0),
  ...rows.filter(({id}) => Number(id) % 2 === 1),
]

async function read(server: Server, total: number, ahead: boolean): Promise<string[]> {
  const rows = rowsOf(total)
  const ids: string[] = []
  let asked = 0
  const ask = async (after: string | undefined) => {
    asked += 1
    if (asked > total + 2) throw new Error('the walk does not end')
    return server(after, rows)
  }
  for await (const page of inIdOrder(ask, {ahead})) ids.push(...page.map(({id}) => id))
  return ids
}

const honest: Record<string, Server> = {
  'as it was asked': (after, rows) => ({results: behind(after, rows).slice(0, 500)}),
  'in pages that it cuts': (after, rows) => ({results: behind(after, rows).slice(0, 100)}),
  'in pages of changing lengths': (after, rows) => ({
    results: behind(after, rows).slice(0, 1 + (Number(after ?? 7) % 9) * 60),
  }),
  'without regard to the limit': (after, rows) => ({results: behind(after, rows)}),
  'at once, in an order of its own, and says that this is all': (_, rows) => ({
    results: disordered(rows),
    total: rows.length,
  }),
}

const dishonest: Record<string, Server> = {
  'in an order of its own': (after, rows) => ({results: behind(after, disordered(rows)).slice(0, 500)}),
  'the same page again': (_, rows) => ({results: rows.slice(0, 500)}),
  'from the place on that was asked for, with its row': (after, rows) => ({
    results: rows.filter(({id}) => after === undefined || id >= after).slice(0, 500),
  }),
  backwards: (after, rows) => ({results: behind(after, rows).toReversed().slice(0, 500)}),
  'a row twice': (_, rows) => ({results: [...rows.slice(0, 3), ...rows.slice(2, 4)], total: 5}),
}

describe('client · a walk in the order of ids', () => {
  for (const [how, server] of Object.entries(honest)) {
    it(`reads everything once where the server answers ${how}`, async () => {
      for (const ahead of [false, true]) {
        for (const total of [0, 1, 2, 99, 500, 501, 1300]) {
          const ids = await read(server, total, ahead)
          expect(ids.length, String(total)).to.equal(total)
          expect(new Set(ids).size).to.equal(total)
        }
      }
    })
  }

  for (const [how, server] of Object.entries(dishonest)) {
    it(`ends with an error where it answers ${how}`, async () => {
      for (const ahead of [false, true]) {
        const error = (await rejection(read(server, 1300, ahead))) as Error
        expect(error).to.be.instanceOf(OrderBroken)
        expect(error.message).to.match(/row \d+, \d+, came (after \d+|twice)\./)
      }
    })
  }
})

describe('client · all results of a lookup', () => {
  const found = async (total: number, cut: number | undefined): Promise<{count: number; asked: number}> => {
    const rows = rowsOf(total)
    let asked = 0
    const all = await allInIdOrder(async (after) => {
      asked += 1
      const results = behind(after, rows).slice(0, cut ?? 10)
      return {results, limit: cut !== undefined && results.length === cut ? cut : 10}
    }, 10)
    return {count: new Set(all.map(({id}) => id)).size, asked}
  }

  it('takes one request if they fit into a page', async () => {
    expect(await found(9, undefined)).to.deep.equal({count: 9, asked: 1})
    expect(await found(0, undefined)).to.deep.equal({count: 0, asked: 1})
  })

  it('S-306 goes on behind a full page, and behind one that ended early', async () => {
    expect((await found(25, undefined)).count).to.equal(25)
    expect((await found(9, 3)).count).to.equal(9)
  })
})
