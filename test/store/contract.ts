import {expect} from 'chai'
import type {Predicate} from '../../src/query/ast.js'
import type {OpenedStore} from '../../src/store/open.js'
import {type Change, ClaimTaken, type Document, type Facets, type Page, VersionMoved} from '../../src/store/store.js'

export interface Person extends Document {
  readonly name?: string
  readonly email?: string
  readonly age?: number
}

export const facets: Facets = {
  people: {lowercaseName: (document) => (document as Person).name?.toLowerCase()},
}

export const put = (id: string, version: number, members: object = {}, claims: readonly string[] = []): Change => ({
  kind: 'people',
  expect: version - 1,
  doc: {id, version, ...members},
  claims: claims.map((key) => ({key})),
})

const shared = (id: string, key: string): Change => ({
  kind: 'people',
  expect: 0,
  doc: {id, version: 1},
  claims: [{key, shared: true}],
})

const equals = (name: string, value: string | number, facet?: string): Predicate => ({
  op: 'compare',
  comparison: '=',
  value,
  field: {path: [name], type: typeof value === 'number' ? 'number' : 'string', ...(facet ? {facet} : {})},
})

const everything: Page = {limit: 500, offset: 0}

/** How each promise ended: the names of the errors, `done` for success. */
export async function ends(promises: readonly Promise<unknown>[]): Promise<string[]> {
  const results = await Promise.allSettled(promises)
  return results.map((result) => {
    if (result.status === 'fulfilled') return 'done'
    if (result.reason instanceof ClaimTaken) return `claim ${result.reason.state}`
    if (result.reason instanceof VersionMoved) return 'version'
    return String(result.reason)
  })
}

const counted = (words: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(words)].map((word) => [word, words.filter((other) => other === word).length]))

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({length: count}, (_, index) => make(index))

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a rejection')
}

/** A promise and its levers. */
function latch<T>(): {promise: Promise<T>; open: (value: T) => void; fail: (error: Error) => void} {
  let open = (_: T): void => {}
  let fail = (_: Error): void => {}
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return {promise, open, fail}
}

/** What every adapter of the port promises. `reopen` gives a new store over the same state, if the adapter keeps any. */
export function storeContract(
  name: string,
  open: () => Promise<OpenedStore>,
  reopen?: (store: OpenedStore) => Promise<OpenedStore>,
): void {
  describe(`store · ${name}`, () => {
    let store: OpenedStore
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const commit = (...changes: readonly Change[]): Promise<void> => store.commit('shop', changes)
    const ids = async (page: Page): Promise<string[]> =>
      (await store.query('shop', 'people', page)).results.map(({id}) => id)

    describe('documents', () => {
      it('finds nothing in a project that was never written', async () => {
        expect(await store.get('shop', 'people', 'ada')).to.equal(undefined)
        expect(await store.find('shop', 'people', 'email:ada')).to.equal(undefined)
        expect(await store.query('shop', 'people', {...everything, count: {cap: 10}})).to.deep.equal({
          results: [],
          total: 0,
        })
        expect(await store.projects()).to.deep.equal([])
      })

      it('returns what was committed, frozen to its leaves', async () => {
        await commit(put('ada', 1, {name: 'Ada', addresses: [{city: 'London'}]}))
        const ada = await store.get<Person & {addresses: {city: string}[]}>('shop', 'people', 'ada')
        expect(ada).to.deep.equal({id: 'ada', version: 1, name: 'Ada', addresses: [{city: 'London'}]})
        expect(Object.isFrozen(ada) && Object.isFrozen(ada?.addresses[0])).to.equal(true)
      })

      it('keeps what it has when the caller changes its object later', async () => {
        const doc = {id: 'ada', version: 1, name: 'Ada'}
        await commit({kind: 'people', expect: 0, doc})
        doc.name = 'Eve'
        expect((await store.get<Person>('shop', 'people', 'ada'))?.name).to.equal('Ada')
      })

      it('keeps projects and kinds apart', async () => {
        await commit(put('ada', 1))
        await store.commit('_', [{kind: 'clients', expect: 0, doc: {id: 'ada', version: 1}}])
        expect(await store.get('other', 'people', 'ada')).to.equal(undefined)
        expect(await store.get('shop', 'clients', 'ada')).to.equal(undefined)
        expect(await store.get('_', 'clients', 'ada')).to.deep.equal({id: 'ada', version: 1})
        expect(await store.projects()).to.deep.equal(['_', 'shop'])
      })

      it('removes a document and frees its claims', async () => {
        await commit(put('ada', 1, {name: 'Ada'}, ['email:ada']))
        await commit({kind: 'people', expect: 1, remove: 'ada'})
        expect(await store.get('shop', 'people', 'ada')).to.equal(undefined)
        expect(await ids({...everything, where: equals('name', 'ada', 'lowercaseName')})).to.deep.equal([])
        await commit(put('eve', 1, {}, ['email:ada']))
        expect((await store.find('shop', 'people', 'email:ada'))?.id).to.equal('eve')
      })

      for (const word of ['__proto__', 'constructor', 'toString']) {
        it(`takes ${word} for an id, a kind, a claim and a member`, async () => {
          const doc = JSON.parse(`{"id":"${word}","version":1,"${word}":{"name":1}}`) as Document
          await store.commit('shop', [{kind: word, expect: 0, doc, claims: [{key: word}]}])
          const text = JSON.stringify(doc)
          expect(JSON.stringify(await store.get('shop', word, word))).to.equal(text)
          expect(JSON.stringify(await store.find('shop', word, word))).to.equal(text)
          expect(await store.get('shop', 'people', word)).to.equal(undefined)
          expect((await store.query('shop', word, everything)).results).to.have.length(1)
        })
      }

      it('is not led out of its place by the name of a project', async () => {
        expect(await store.get('../shop', 'people', 'ada')).to.equal(undefined)
        expect(await rejection(store.commit('../shop', [put('ada', 1)]))).to.be.an('error')
      })
    })

    describe('versions', () => {
      it('refuses a creation of what exists and a change of what does not', async () => {
        await commit(put('ada', 1))
        expect(await rejection(commit(put('ada', 1)))).to.include({name: 'VersionMoved', expected: 0, current: 1})
        expect(await rejection(commit(put('eve', 2)))).to.include({name: 'VersionMoved', expected: 1, current: 0})
        const removal: Change = {kind: 'people', expect: 4, remove: 'ada'}
        expect(await rejection(commit(removal))).to.include({name: 'VersionMoved', expected: 4, current: 1})
      })

      it('writes all of a commit or nothing', async () => {
        await commit(put('ada', 1))
        expect(await ends([commit(put('new', 1), put('ada', 3), put('other', 1))])).to.deep.equal(['version'])
        expect(await ids(everything)).to.deep.equal(['ada'])
      })

      it('lets one of 32 updates of the same version win', async () => {
        await commit(put('ada', 1, {}, ['email:ada']))
        const updates = times(32, (index) => commit(put('ada', 2, {name: `n${index}`}, ['email:ada'])))
        expect(counted(await ends(updates))).to.deep.equal({done: 1, version: 31})
        expect((await store.get('shop', 'people', 'ada'))?.version).to.equal(2)
      })

      it('checks versions again when the commit was completed', async () => {
        await commit(put('ada', 1))
        const hash = latch<readonly Change[]>()
        const slow = store.commit('shop', [put('ada', 2, {name: 'slow'})], () => hash.promise)
        await commit(put('ada', 2, {name: 'fast'}))
        hash.open([put('credential', 1)])
        expect(await rejection(slow)).to.include({name: 'VersionMoved', current: 2})
        expect(await ids(everything)).to.deep.equal(['ada'])
      })
    })

    describe('claims', () => {
      it('lets one of 32 commits of a claim win', async () => {
        const creations = times(32, (index) => commit(put(`p${index}`, 1, {}, ['email:ada'])))
        const result = counted(await ends(creations))
        expect(result['done']).to.equal(1)
        expect((result['claim held'] ?? 0) + (result['claim pending'] ?? 0)).to.equal(31)
        expect(await ids(everything)).to.have.length(1)
      })

      it('says pending while the other commit is completed, at once, and held afterwards', async () => {
        const hash = latch<readonly Change[]>()
        const slow = store.commit('shop', [put('ada', 1, {}, ['email:ada'])], () => hash.promise)
        expect(await ends([commit(put('eve', 1, {}, ['email:ada']))])).to.deep.equal(['claim pending'])
        hash.open([put('credential', 1)])
        await slow
        expect(await ends([commit(put('eve', 1, {}, ['email:ada']))])).to.deep.equal(['claim held'])
        expect(await ids(everything)).to.deep.equal(['ada', 'credential'])
      })

      it('frees the claims of a commit that failed to complete', async () => {
        const hash = latch<readonly Change[]>()
        const slow = store.commit('shop', [put('ada', 1, {}, ['email:ada'])], () => hash.promise)
        hash.fail(new Error('no worker left'))
        expect(await rejection(slow)).to.include({message: 'no worker left'})
        expect(await store.get('shop', 'people', 'ada')).to.equal(undefined)
        await commit(put('eve', 1, {}, ['email:ada']))
      })

      it('adds the claims of the completion', async () => {
        await commit(put('eve', 1, {}, ['number:1']))
        const late = store.commit('shop', [put('ada', 1)], async () => [put('bob', 1, {}, ['number:1'])])
        expect(await ends([late])).to.deep.equal(['claim held'])
        expect(await ids(everything)).to.deep.equal(['eve'])
      })

      it('replaces claims with each version', async () => {
        await commit(put('ada', 1, {}, ['email:old', 'key:ada']))
        await commit(put('ada', 2, {}, ['email:new', 'key:ada']))
        expect(await store.find('shop', 'people', 'email:old')).to.equal(undefined)
        expect((await store.find('shop', 'people', 'email:new'))?.version).to.equal(2)
        await commit(put('eve', 1, {}, ['email:old']))
      })

      it('passes a claim from one document to another in one commit', async () => {
        await commit(put('ada', 1, {}, ['key:a']))
        await commit(put('ada', 2, {}, ['key:b']), put('eve', 1, {}, ['key:a']))
        await commit({kind: 'people', expect: 1, remove: 'eve'}, put('bob', 1, {}, ['key:a']))
        expect((await store.find('shop', 'people', 'key:a'))?.id).to.equal('bob')
        expect((await store.find('shop', 'people', 'key:b'))?.id).to.equal('ada')
      })

      it('refuses one claim for two documents of a commit', async () => {
        expect(await ends([commit(put('ada', 1, {}, ['k']), put('eve', 1, {}, ['k']))])).to.deep.equal(['claim held'])
        expect(await ids(everything)).to.deep.equal([])
      })

      it('lets shared claims share, and exclusive ones exclude them', async () => {
        await commit(shared('ada', 'email:x'))
        await commit(shared('eve', 'email:x'))
        expect(await ends([commit(put('bob', 1, {}, ['email:x']))])).to.deep.equal(['claim held'])
        expect(await store.find('shop', 'people', 'email:x')).to.equal(undefined)
        await commit({kind: 'people', expect: 1, remove: 'ada'}, {kind: 'people', expect: 1, remove: 'eve'})
        await commit(put('bob', 1, {}, ['email:x']))
        expect(await ends([commit(shared('ada', 'email:x'))])).to.deep.equal(['claim held'])
      })

      it('lets shared claims share while they are pending', async () => {
        const hash = latch<readonly Change[]>()
        const slow = store.commit('shop', [shared('ada', 'email:x')], () => hash.promise)
        await commit(shared('eve', 'email:x'))
        expect(await ends([commit(put('bob', 1, {}, ['email:y']), put('dan', 1, {}, ['email:x']))])).to.deep.equal([
          'claim held',
        ])
        expect(await ends([commit(put('bob', 1, {}, ['email:y']))])).to.deep.equal(['done'])
        hash.open([])
        await slow
      })

      it('keeps the same claim of two kinds apart', async () => {
        await commit(put('ada', 1, {}, ['key:a']))
        await store.commit('shop', [{kind: 'things', expect: 0, doc: {id: 't', version: 1}, claims: [{key: 'key:a'}]}])
        expect((await store.find('shop', 'things', 'key:a'))?.id).to.equal('t')
      })
    })

    describe('queries', () => {
      beforeEach(async () => {
        const names = ['Cleo', 'ada', 'Bob', 'Ada', undefined]
        await commit(...names.map((name, at) => put(`p${at}`, 1, {...(name ? {name} : {}), age: at % 2})))
      })

      it('pages in the order of ids', async () => {
        expect(await ids({limit: 2, offset: 0})).to.deep.equal(['p0', 'p1'])
        expect(await ids({limit: 2, offset: 3})).to.deep.equal(['p3', 'p4'])
        expect(await ids({limit: 2, offset: 5})).to.deep.equal([])
      })

      it('filters and counts, up to the cap', async () => {
        const where = equals('age', 0)
        expect(await ids({...everything, where})).to.deep.equal(['p0', 'p2', 'p4'])
        const page = (limit: number, cap: number): Page => ({where, limit, offset: 0, count: {cap}})
        expect((await store.query('shop', 'people', page(1, 10))).total).to.equal(3)
        expect((await store.query('shop', 'people', page(1, 2))).total).to.equal(2)
        expect((await store.query('shop', 'people', {limit: 0, offset: 0, count: {cap: 10}})).total).to.equal(5)
        expect(await store.query('shop', 'people', {limit: 1, offset: 0})).not.to.have.property('total')
      })

      it('sorts, absent values last when ascending and first when descending, ids last of all', async () => {
        const by = (direction: 'asc' | 'desc'): Page => ({
          ...everything,
          sort: [{field: {path: ['name'], type: 'string'}, direction}],
        })
        expect(await ids(by('asc'))).to.deep.equal(['p3', 'p2', 'p0', 'p1', 'p4'])
        expect(await ids(by('desc'))).to.deep.equal(['p4', 'p1', 'p0', 'p2', 'p3'])
        expect(await ids({...by('asc'), limit: 2, offset: 1})).to.deep.equal(['p2', 'p0'])
        const byAge: Page = {...everything, sort: [{field: {path: ['age'], type: 'number'}, direction: 'desc'}]}
        expect(await ids(byAge)).to.deep.equal(['p1', 'p3', 'p0', 'p2', 'p4'])
      })

      it('finds by facet, by id and from an id on', async () => {
        expect(await ids({...everything, where: equals('name', 'ada', 'lowercaseName')})).to.deep.equal(['p1', 'p3'])
        expect(await ids({...everything, where: equals('id', 'p2')})).to.deep.equal(['p2'])
        const after: Predicate = {...equals('id', 'p2'), comparison: '>'} as Predicate
        expect(await ids({limit: 1, offset: 0, where: after})).to.deep.equal(['p3'])
        const from: Predicate = {...equals('id', 'p2'), comparison: '>='} as Predicate
        expect(await ids({limit: 1, offset: 0, where: from})).to.deep.equal(['p2'])
      })

      it('pages over more documents than it looks at in one go', async () => {
        const many = times(1500, (at) => put(`q${String(at).padStart(5, '0')}`, 1, {age: at}))
        await commit(...many)
        const page = await store.query('shop', 'people', {limit: 3, offset: 1200, count: {cap: 10_000}})
        expect(page.results.map(({id}) => id)).to.deep.equal(['q01195', 'q01196', 'q01197'])
        expect(page.total).to.equal(1505)
        const oldest: Page = {limit: 2, offset: 1, sort: [{field: {path: ['age'], type: 'number'}, direction: 'desc'}]}
        expect(await ids(oldest)).to.deep.equal(['q01498', 'q01497'])
      })
    })

    if (reopen) {
      it('finds everything again after it was closed', async () => {
        await commit(put('ada', 1, {name: 'Ada'}, ['email:ada']), shared('eve', 'email:x'))
        await commit(put('ada', 2, {name: 'Ada\u2028 "L."'}, ['email:lovelace']), put('bob', 1))
        await commit({kind: 'people', expect: 1, remove: 'bob'})
        store = await reopen(store)
        expect(await store.get('shop', 'people', 'ada')).to.deep.equal({id: 'ada', version: 2, name: 'Ada\u2028 "L."'})
        expect((await store.find('shop', 'people', 'email:lovelace'))?.id).to.equal('ada')
        expect(await store.find('shop', 'people', 'email:ada')).to.equal(undefined)
        expect(await ids(everything)).to.deep.equal(['ada', 'eve'])
        expect(await ends([commit(put('dan', 1, {}, ['email:x']))])).to.deep.equal(['claim held'])
        await commit(put('ada', 3))
        expect(await store.projects()).to.deep.equal(['shop'])
      })
    }

    it('refuses commits once it is closed', async () => {
      await store.close()
      expect(await rejection(commit(put('ada', 1)))).to.include({message: 'the store is closed'})
    })
  })
}
