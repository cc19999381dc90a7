import {expect} from 'chai'
import type {SortKey} from '../../../../src/query/ast.js'
import {compareKeys, readersOf} from '../../../../src/query/sort.js'
import {compareText} from '../../../../src/query/text-order.js'
import {openDirectory} from '../../../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../../../src/store/lowdb/low-store.js'
import type {Document, Put} from '../../../../src/store/store.js'
import {SimDisk} from '../../../crash/sim-disk.js'

/** More than a page gathers before it is sorted for the first time. */
const count = 2_000

/** Values that a key is told from without parsing, and ones that it is not told from. */
const odd: readonly unknown[] = [
  undefined,
  null,
  7,
  {at: '2020-01-01T00:00:00.000Z'},
  'Jürgen',
  'a "b"',
  '2026-02-31T00:00:00.000Z',
  '2026-11-27T13:00:00+01:00',
]

function documentOf(at: number): Document {
  const spread = (at * 7919) % count
  const moment = new Date(Date.UTC(2026, 0, 1) + spread * 60_000).toISOString()
  const isOdd = at % 17 === 0
  return {
    id: `p${`${at}`.padStart(5, '0')}`,
    version: 1,
    // Neither is the document's own.
    inner: {at: '2030-01-01T00:00:00.000Z', name: 'zz'},
    day: at % 5 === 0 ? '2026-11-26' : '2026-11-27',
    at: isOdd ? odd[(at / 17) % odd.length] : moment,
    name: isOdd ? odd[(at / 17) % odd.length] : `n${spread % 300}`,
  } as Document
}

const keyOf = (name: string, type: SortKey['field']['type'], direction: SortKey['direction']): SortKey => ({
  field: {path: [name], type},
  direction,
})

describe('store · pages of many documents in an order', () => {
  const facets = {
    people: {day: Object.assign((document: object) => String(Reflect.get(document, 'day')), {isCommon: true as const})},
  }

  async function opened(disk: SimDisk): Promise<LowStore> {
    const options = {dir: '/data', facets, writer: 'server', files: disk.files, compactBytes: 60_000} as const
    return new LowStore(await openDirectory({...options, liveness: () => 'dead'}), facets)
  }

  it('are those of all documents sorted, whatever their values are', async () => {
    const disk = new SimDisk()
    const store = await opened(disk)
    const documents = Array.from({length: count}, (_, at) => documentOf(at))
    for (let at = 0; at < count; at += 100) {
      const puts = documents.slice(at, at + 100).map((doc): Put => ({kind: 'people', expect: 0, doc}))
      await store.commit('shop', puts)
    }
    await store.close()
    const sorts = (['at', 'name'] as const).flatMap((name) =>
      (['datetime', 'string'] as const).flatMap((type) =>
        (['asc', 'desc'] as const).map((direction) => [keyOf(name, type, direction)]),
      ),
    )
    const isOfDay = {
      op: 'compare',
      field: {path: ['day'], type: 'string'},
      comparison: '=',
      value: '2026-11-27',
    } as const
    for (const sort of sorts) {
      const readers = readersOf<object>(sort, {})
      const order = (one: Document, other: Document): number => {
        const [reader] = readers
        const keys = compareKeys(reader?.read(one), reader?.read(other)) * (reader?.sign ?? 1)
        return keys === 0 ? compareText(one.id, other.id) : keys
      }
      const sorted = documents.toSorted(order)
      const all = sorted.map(({id}) => id)
      const ofDay = sorted.filter((one) => Reflect.get(one, 'day') === '2026-11-27').map(({id}) => id)
      // Beyond those without a key, which come first in one direction.
      for (const [where, offset] of [
        [undefined, 10],
        [isOfDay, 150],
        [undefined, 150],
      ] as const) {
        const page = {sort, limit: 20, offset, count: {cap: 10_000}, ...(where && {where})}
        // Nothing was parsed yet.
        const reopened = await opened(disk)
        const {results, total} = await reopened.query('shop', 'people', page)
        await reopened.close()
        const ids = results.map(({id}) => id)
        const wanted = where ? ofDay : all
        expect(ids, JSON.stringify({sort, where, offset})).to.deep.equal(wanted.slice(offset, offset + 20))
        expect(total).to.equal(wanted.length)
      }
    }
  })
})
