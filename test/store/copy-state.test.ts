import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {startServer} from '../../src/index.js'
import {facets} from '../../src/server/local/facets.js'
import {canonical} from '../../src/store/adapter/checksum.js'
import {copyState, type Progress, type StatePlace} from '../../src/store/copy-state.js'
import {openStore} from '../../src/store/open.js'
import type {Put} from '../../src/store/store.js'
import {rejection} from './directory.js'
import {type Cluster, queried, startCluster} from './postgres/cluster.js'

describe('store · copies of a state', () => {
  let cluster: Cluster
  let folder = ''
  let demo = ''

  before(async function () {
    const started = await startCluster()
    if (!started) return this.skip()
    cluster = started
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-migration-'))
    demo = join(folder, 'demo')
    const options = {dataDir: demo, projectKey: 'demo', seedDir: 'fixtures/demo', settings: {passwordCost: 4}}
    await (await startServer(options)).stop()
  })

  after(async () => {
    await cluster?.stop()
    if (folder !== '') rmSync(folder, {recursive: true})
  })

  /** Everything in a state, as text. */
  const contents = async (place: StatePlace): Promise<string[]> => {
    const store = await openStore({dir: ':memory:', ...place, facets, writer: 'reader'})
    const found: string[] = []
    for (const project of await store.projects()) {
      for await (const kept of store.documents(project)) found.push(`${project} ${canonical(kept)}`)
    }
    await store.close()
    return found
  }

  const filled = async (name: string, count: number): Promise<string> => {
    const dir = join(folder, name)
    const store = await openStore({dir, facets, writer: 'server'})
    for (const project of ['one', 'two', '_']) {
      const puts = Array.from({length: count}, (_, at): Put => {
        const id = `p${(at * 7919) % count}`
        return {
          kind: at % 2 ? 'customer' : 'cart',
          expect: 0,
          doc: {id, version: (at % 5) + 1},
          uniqueKeys: [{key: `k${at}`}],
        }
      })
      await store.commit(project, puts)
    }
    await store.close()
    return dir
  }

  it('brings a state to PostgreSQL and back without a difference', async () => {
    const url = await cluster.database('there')
    const steps: Progress[] = []
    const there = await copyState({
      from: {dir: demo},
      to: {url},
      facets,
      onProgress: (step) => void steps.push(step),
    })
    expect(there).to.include({resumed: false})
    expect(there.projects['demo']?.documents).to.be.greaterThan(80)
    expect(Object.keys(there.projects)).to.deep.equal(['demo', '_'])
    expect(steps.some(({step, project}) => step === 'copy' && project === 'demo')).to.equal(true)
    const back = await copyState({from: {url}, to: {dir: join(folder, 'back')}, facets})
    expect(back.projects).to.deep.equal(there.projects)
    const original = await contents({dir: demo})
    expect(await contents({url})).to.deep.equal(original)
    expect(await contents({dir: join(folder, 'back')})).to.deep.equal(original)
    const storeUrl = url
    const server = await startServer({dataDir: join(folder, 'server'), storeUrl, projectKey: 'demo'})
    expect((await fetch(`${server.apiUrl}/health`)).status).to.equal(200)
    await server.stop()
  })

  it('goes on where it was cut off, wherever that was', async () => {
    const dir = await filled('large', 2600)
    const url = await cluster.database('resumed')
    const cut = (after: number) => {
      let count = 0
      return (): void => {
        count += 1
        if (count === after) throw new Error('cut off')
      }
    }
    for (const onProgress of [cut(1), cut(2), cut(3)]) {
      const error = await rejection(copyState({from: {dir}, to: {url}, facets, onProgress}))
      expect(error).to.include({message: 'cut off'})
      // Until the copy is whole, nobody takes it for a state.
      for (const writer of ['server', 'one-shot', 'reader'] as const) {
        const half = await rejection(openStore({dir: ':memory:', url, facets, writer}))
        expect(half, writer).to.include({code: 'StateCorrupt'})
        expect((half as Error).message).to.include('Only a part')
      }
    }
    // As if the last mark had been lost with a crash: what was copied after the mark before it is met again.
    await queried(
      url,
      `UPDATE frontdesk.document SET doc = doc - 'last' - 'kind' - 'project' WHERE project = '_' AND kind = 'store-migration'`,
    )
    const done = await copyState({from: {dir}, to: {url}, facets})
    expect(done.resumed).to.equal(true)
    expect(done.projects['two']?.documents).to.equal(2600)
    expect(await contents({url})).to.deep.equal(await contents({dir}))
    const again = await rejection(copyState({from: {dir}, to: {url}, facets}))
    expect(again).to.include({name: 'StateError', code: 'StateUnusable'})
  })

  it('notices that the copy differs', async () => {
    const dir = await filled('watched', 600)
    const url = await cluster.database('altered')
    const onProgress = async ({project, step}: Progress): Promise<void> => {
      if (project !== '_' || step !== 'copy') return
      await queried(url, `UPDATE frontdesk.document SET doc = doc || '{"x": 1}' WHERE project = 'two' AND id = 'p7'`)
    }
    const error = await rejection(copyState({from: {dir}, to: {url}, facets, onProgress}))
    expect(error).to.include({code: 'StateCorrupt'})
    expect((error as Error).message).to.include('The project two differs: 600 documents')
  })

  it('refuses what is no source and no target', async () => {
    const url = await cluster.database('refusing')
    const refusal = (from: StatePlace, to: StatePlace) => rejection(copyState({from, to, facets}))
    expect(await refusal({dir: join(folder, 'absent')}, {url})).to.include({code: 'StateUnusable'})
    expect(await refusal({url}, {dir: join(folder, 'new')}))
      .to.have.property('message')
      .that.includes('no state')
    expect(await refusal({url}, {url}))
      .to.have.property('message')
      .that.includes('both source and target')
    expect(await refusal({dir: await filled('small', 3)}, {dir: demo}))
      .to.have.property('message')
      .that.includes('demo')
  })
})
