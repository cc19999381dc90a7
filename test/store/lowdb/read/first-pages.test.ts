import {expect} from 'chai'
import type {Predicate} from '../../../../src/query/ast.js'
import {openDirectory} from '../../../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../../../src/store/lowdb/low-store.js'
import type {Put} from '../../../../src/store/store.js'
import {SimDisk} from '../../../crash/sim-disk.js'

const count = 8_000
/** One in so many matches: too few for a whole project in the order of ids, and enough for a page. */
const each = 125

describe('store · a page in the order of ids', () => {
  it('is filled by its first matches, and looks at all documents where it counts them', async () => {
    let looks = 0
    const group = (document: object) => {
      looks += 1
      return Number(Reflect.get(document, 'at')) % each === 0 ? 'z' : 'a'
    }
    const facets = {people: {group}}
    const options = {dir: '/data', facets, writer: 'server', files: new SimDisk().files} as const
    const store = new LowStore(await openDirectory({...options, liveness: () => 'dead'}), facets)
    const idOf = (at: number) => `p${`${at}`.padStart(5, '0')}`
    for (let from = 0; from < count; from += 1_000) {
      const puts = Array.from({length: 1_000}, (_, n): Put => {
        const at = from + n
        return {kind: 'people', expect: 0, doc: {id: idOf(at), version: 1, at} as Put['doc']}
      })
      await store.commit('shop', puts)
    }
    const field = {path: ['group'], type: 'string', facet: 'group'} as const
    const where: Predicate = {op: 'compare', field, comparison: '>', value: 'm'}
    const ids = Array.from({length: 10}, (_, n) => idOf(n * each))
    for (const [counted, most, least] of [
      [{}, 9 * each + 2, 9 * each],
      [{count: {cap: 10_000}}, count + each, count],
    ] as const) {
      looks = 0
      const found = await store.query('shop', 'people', {where, limit: 10, offset: 0, ...counted})
      expect(found.results.map(({id}) => id)).to.deep.equal(ids)
      expect(looks).to.be.within(least, most)
    }
    await store.close()
  })
})
