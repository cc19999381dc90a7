import {expect} from 'chai'
import {openDirectory} from '../../../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../../../src/store/lowdb/low-store.js'
import {merge} from '../../../../src/store/lowdb/merge/merge.js'
import {SimDisk} from '../../../crash/sim-disk.js'
import {texts} from '../../contract/search.js'
import {equals} from '../../contract/subject.js'
import {facets, put, searchTexts} from '../../contract.js'

const filler = 'x'.repeat(500)
const nameOf = (at: number): string => `p${String(at).padStart(3, '0')}`

/** A store that merges whenever four kilobytes have come. */
async function layered() {
  const disk = new SimDisk()
  const options = {dir: '/data', facets, writer: 'server', files: disk.files, compactBytes: 4000} as const
  let kinds: readonly string[] = []
  const backing = await openDirectory({
    ...options,
    liveness: () => 'dead',
    merge: (job) => {
      const written = merge(disk.files, job, facets)
      kinds = [...kinds, ...written.map(({countDelta, lines}) => (countDelta === lines ? 'only adds' : 'changes'))]
      return written
    },
  })
  const store = new LowStore(backing, facets, undefined, searchTexts)
  return {
    store,
    kinds: () => kinds,
    add: async (from: number, to: number) => {
      for (let at = from; at < to; at += 1)
        await store.commit('shop', [put(nameOf(at), 1, {name: `${nameOf(at)} old ${filler}`}, [`key-${at}`])])
    },
    named: async (name: string) => {
      const page = {where: equals('name', name, 'lowercaseName'), limit: 9, offset: 0}
      return (await store.query('shop', 'people', page)).results.map(({id, version}) => `${id} v${version}`)
    },
    found: async (text: string) => (await store.search('shop', 'people', texts(text))).results.map(({id}) => id),
  }
}

describe('store · layers', () => {
  it('that only add hide nothing, and those that change or remove hide what is below', async () => {
    const {store, kinds, add, found, named} = await layered()
    await add(0, 60)
    await store.commit('shop', [put('p060-anon', 1, {name: 'nobody'})])
    await store.compact()
    expect(kinds()).to.include('only adds')
    await store.commit('shop', [put('p005', 2, {name: 'p005 new'}, ['other'])])
    await store.commit('shop', [{kind: 'people', expect: 1, remove: 'p007'}])
    await store.commit('shop', [{kind: 'people', expect: 1, remove: 'p009'}])
    await store.commit('shop', [put('p009', 1, {name: 'p009 anew'}, ['key-9'])])
    const changed = async () => {
      expect(await found('p005 old')).to.deep.equal([])
      expect(await found('p005 new')).to.deep.equal(['p005'])
      expect(await found('p007')).to.deep.equal([])
      expect(await found('p009')).to.deep.equal(['p009'])
      expect(await named(`p005 old ${filler}`)).to.deep.equal([])
      expect(await named(`p007 old ${filler}`)).to.deep.equal([])
      expect(await named('p005 new')).to.deep.equal(['p005 v2'])
      expect(await named('p009 anew')).to.deep.equal(['p009 v1'])
      expect(await store.find('shop', 'people', 'key-5')).to.equal(undefined)
      expect(await store.find('shop', 'people', 'key-7')).to.equal(undefined)
      expect(await store.find('shop', 'people', 'key-9')).to.include({name: 'p009 anew'})
    }
    await changed()
    expect(kinds()).not.to.include('changes')
    await add(61, 75)
    expect(kinds()).to.include('changes')
    await changed()
    expect(await found(' old ')).to.have.length(71)
    // It stands in an id alone.
    expect(await found('anon')).to.deep.equal([])
    await store.close()
  })
})
