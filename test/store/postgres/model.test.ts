import {expect} from 'chai'
import fc from 'fast-check'
import {openStore} from '../../../src/store/open.js'
import type {OpenedStore} from '../../../src/store/opened-store.js'
import {type Change, type Put, UniqueConflict, type UniqueKey, VersionConflict} from '../../../src/store/store.js'
import {rounds} from '../../rounds.js'
import {facets} from '../contract.js'
import {type Cluster, emptied, queried} from './cluster.js'
import {engineCluster, testedEngines} from './engines.js'

interface Step {
  readonly id: string
  readonly remove: boolean
  /** Usually the version that is stored; sometimes another. */
  readonly off: 0 | 1
  readonly uniqueKeys: readonly UniqueKey[]
}

const ids = fc.constantFrom('a', 'b', 'c', 'd')
const uniqueKey: fc.Arbitrary<UniqueKey> = fc
  .record({key: fc.constantFrom('k', 'l', 'm'), shared: fc.boolean()})
  .map(({key, shared}) => (shared ? {key, shared} : {key}))
const step: fc.Arbitrary<Step> = fc.record({
  id: ids,
  remove: fc.boolean(),
  off: fc.oneof({weight: 9, arbitrary: fc.constant(0 as const)}, {weight: 1, arbitrary: fc.constant(1 as const)}),
  uniqueKeys: fc.uniqueArray(uniqueKey, {maxLength: 2, selector: ({key}) => key}),
})
const commits = fc.array(fc.uniqueArray(step, {minLength: 1, maxLength: 3, selector: ({id}) => id}), {maxLength: 14})

async function changesOf(store: OpenedStore, steps: readonly Step[]): Promise<Change[]> {
  return Promise.all(
    steps.map(async ({id, remove, off, uniqueKeys}): Promise<Change> => {
      const expect = ((await store.get('shop', 'people', id))?.version ?? 0) + off
      if (remove && expect > 0) return {kind: 'people', expect, remove: id}
      return {kind: 'people', expect, doc: {id, version: expect + 1}, uniqueKeys}
    }),
  )
}

async function outcome(commit: Promise<void>): Promise<string> {
  try {
    await commit
    return 'done'
  } catch (error) {
    if (error instanceof UniqueConflict) return `unique key ${error.state}`
    if (error instanceof VersionConflict) return `version ${error.current}`
    throw error
  }
}

async function content(store: OpenedStore): Promise<string[]> {
  const found: string[] = []
  for await (const {kind, doc, uniqueKeys} of store.documents('shop')) {
    const keys = uniqueKeys.map(({key, shared}) => (shared ? `~${key}` : key)).sort()
    found.push(`${kind} ${doc.id} ${doc.version} ${keys.join()}`)
  }
  return found
}

/** What the tables of unique keys and counts must hold, from the documents themselves. */
async function derived(store: OpenedStore) {
  const [exclusive, shared]: string[][] = [[], []]
  let documents = 0
  for await (const {doc, uniqueKeys} of store.documents('shop')) {
    documents += 1
    for (const {key, shared: mode} of uniqueKeys) (mode ? shared : exclusive)?.push(`${key} ${doc.id}`)
  }
  const anchors = new Set(shared?.map((entry) => `${entry.split(' ')[0]} null`))
  return {documents, uniqueKey: [...(exclusive ?? []), ...anchors].sort(), share: shared?.sort()}
}

async function tables(url: string) {
  const rows = async (text: string) => (await queried<{row: string}>(url, text)).map(({row}) => row).sort()
  const uniqueKey = await rows("SELECT key || ' ' || coalesce(holder, 'null') AS row FROM frontdesk.unique_key")
  const share = await rows("SELECT key || ' ' || holder AS row FROM frontdesk.share")
  const [documents] = await rows('SELECT coalesce(sum(documents), 0) AS row FROM frontdesk.tally')
  return {documents: Number(documents), uniqueKey, share}
}

for (const engine of testedEngines) {
  describe(`store · PostgreSQL (${engine}) against the model`, () => {
    let cluster: Pick<Cluster, 'stop'> | undefined
    let url = ''
    let store: OpenedStore
    let second: OpenedStore

    before(async function () {
      const made = await engineCluster(engine)
      if (!made) return this.skip()
      cluster = made
      url = await made.database('model')
      const open = () => openStore({dir: ':memory:', url, facets, writer: 'server'})
      ;[store, second] = await Promise.all([open(), open()])
    })

    after(async () => {
      await store?.close()
      await second?.close()
      await cluster?.stop()
    })

    it('answers every commit as lowdb does, and keeps its tables in step', async () => {
      await fc.assert(
        fc.asyncProperty(commits, async (all) => {
          await emptied(url)
          const model = await openStore({dir: ':memory:', facets, writer: 'server'})
          for (const steps of all) {
            const changes = await changesOf(model, steps)
            const expected = await outcome(model.commit('shop', changes))
            expect(await outcome(store.commit('shop', changes)), JSON.stringify(changes)).to.equal(expected)
          }
          expect(await content(store)).to.deep.equal(await content(model))
          expect(await tables(url)).to.deep.equal(await derived(store))
          await model.close()
        }),
        {numRuns: engine === 'postgres' ? rounds(8, 100) : rounds(4, 40)},
      )
    })

    it('keeps unique keys apart when two servers commit at once', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, {minLength: 12, maxLength: 24}), async (steps) => {
          await emptied(url)
          const ends = await Promise.all(
            steps.map(async (one, at) => {
              const server = at % 2 === 0 ? store : second
              const changes = await changesOf(server, [one])
              // A third of them hold their unique keys for a while.
              const complete = at % 3 === 0 ? () => Promise.resolve([]) : undefined
              return outcome(server.commit('shop', changes, complete))
            }),
          )
          expect(ends).to.include('done')
          const kept = await tables(url)
          const expected = await derived(store)
          const inUse = new Set(expected.uniqueKey)
          // A row without sharers may stay behind until the next compaction; it is in nobody's way.
          expect(kept.uniqueKey.filter((row) => inUse.has(row) || !row.endsWith(' null'))).to.deep.equal(
            expected.uniqueKey,
          )
          expect([kept.share, kept.documents]).to.deep.equal([expected.share, expected.documents])
          const held = new Map<string, string[]>()
          for await (const {doc, uniqueKeys} of second.documents('shop')) {
            for (const {key, shared} of uniqueKeys) held.set(key, [...(held.get(key) ?? []), shared ? '~' : doc.id])
          }
          for (const [key, modes] of held)
            expect(modes.length === 1 || modes.every((mode) => mode === '~'), key).to.equal(true)
        }),
        {numRuns: engine === 'postgres' ? rounds(8, 100) : rounds(4, 40)},
      )
    })

    it('leaves nothing of shared unique keys behind when it compacts', async () => {
      await emptied(url)
      await store.commit('shop', [
        {kind: 'people', expect: 0, doc: {id: 'a', version: 1}, uniqueKeys: [{key: 'k', shared: true}]},
      ])
      await queried(
        url,
        "INSERT INTO frontdesk.unique_key (project, kind, key) VALUES ('shop', 'people', 'gone@example.com')",
      )
      await store.compact()
      expect((await tables(url)).uniqueKey).to.deep.equal(['k null'])
    })

    it('lets exactly one of many creations have an email', async () => {
      const emails = rounds(25, 100)
      await emptied(url)
      const creation = (at: number): Put => ({
        kind: 'people',
        expect: 0,
        doc: {id: `p${at}`, version: 1},
        uniqueKeys: [{key: `email:${at % emails}`}],
      })
      const ends = await Promise.all(
        Array.from({length: emails * 10}, (_, at) => outcome((at % 2 ? store : second).commit('shop', [creation(at)]))),
      )
      expect(ends.filter((end) => end === 'done')).to.have.length(emails)
      expect(new Set(ends)).to.satisfy((words: Set<string>) =>
        [...words].every((word) => word === 'done' || word.startsWith('unique key')),
      )
      expect(await content(store)).to.have.length(emails)
      expect(await tables(url)).to.deep.equal(await derived(store))
    })
  })
}
