import {expect} from 'chai'
import {openStore} from '../../../src/store/open.js'
import {examine} from '../../../src/store/postgres/doctor.js'
import {facets, put, shared} from '../contract/subject.js'
import {rejection} from '../directory.js'
import {type Cluster, queried, startCluster} from './cluster.js'

describe('store · PostgreSQL · doctor', () => {
  let cluster: Cluster
  let url = ''

  before(async function () {
    const started = await startCluster()
    if (!started) return this.skip()
    cluster = started
    url = await cluster.database('doctor')
  })

  after(() => cluster?.stop())

  it('finds keys without holder and documents without key, and mends them', async () => {
    const store = await openStore({dir: ':memory:', url, facets, writer: 'server'})
    await store.commit('shop', [put('ada', 1, {}, ['email:ada', 'key:ada'])])
    await store.commit('shop', [put('bob', 1, {}, ['email:bob'])])
    await store.commit('shop', [shared('eve', 'email:x')])
    expect(await examine(url, false)).to.deep.equal({projects: [{name: 'shop', documents: 3}], disagreements: []})

    await queried(url, "DELETE FROM frontdesk.unique_key WHERE key = 'key:ada'")
    await queried(url, "DELETE FROM frontdesk.share WHERE holder = 'eve'")
    await queried(url, "INSERT INTO frontdesk.unique_key VALUES ('shop', 'people', 'email:old', 'bob')")
    await queried(url, "INSERT INTO frontdesk.unique_key VALUES ('shop', 'people', 'email:gone', 'nobody')")
    // A change that would give up what is not there is refused, and says why.
    const error = await rejection(store.commit('shop', [put('ada', 2, {}, ['email:ada'])]))
    expect(error).to.include({code: 'StateCorrupt'})

    const found = await examine(url, false)
    expect(found.disagreements.map(({key, problem}) => `${problem} ${key}`).sort()).to.deep.equal([
      ...['missing email:x', 'missing key:ada', 'orphan email:gone', 'orphan email:old'],
    ])
    const mended = await examine(url, true)
    expect(mended.disagreements.every((one) => one.mended)).to.equal(true)
    expect((await examine(url, false)).disagreements).to.deep.equal([])
    expect((await store.find('shop', 'people', 'key:ada'))?.id).to.equal('ada')
    await store.commit('shop', [put('dan', 1, {}, ['email:old', 'email:gone'])])
    await store.close()
  })

  it('leaves a key to the document that has taken it meanwhile', async () => {
    const store = await openStore({dir: ':memory:', url, facets, writer: 'server'})
    await store.commit('other', [put('ada', 1, {}, ['email:a'])])
    await store.commit('other', [shared('eve', 'email:b')])
    for (const table of ['unique_key', 'share']) {
      await queried(url, `DELETE FROM frontdesk.${table} WHERE project = 'other'`)
    }
    await store.commit('other', [put('bob', 1, {}, ['email:a', 'email:b'])])
    const {disagreements} = await examine(url, true)
    const missing = {project: 'other', kind: 'people', problem: 'missing', mended: false}
    expect(disagreements).to.deep.equal([
      {...missing, id: 'ada', key: 'email:a'},
      {...missing, id: 'eve', key: 'email:b'},
    ])
    await store.close()
  })
})
