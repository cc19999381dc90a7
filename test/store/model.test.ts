import {expect} from 'chai'
import fc from 'fast-check'
import type {Predicate, SortKey} from '../../src/query/ast.js'
import {openDirectory} from '../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../src/store/lowdb/low-store.js'
import type {Facets} from '../../src/store/store.js'
import {rounds} from '../rounds.js'
import {facets, type Person, put} from './contract.js'
import {newDirectory, removeDirectories} from './directory.js'

type Step =
  | {readonly step: 'put'; readonly id: string; readonly name: string; readonly age: number}
  | {readonly step: 'remove'; readonly id: string}
  | {readonly step: 'compact' | 'reopen' | 'reopenWithOtherFacets'}

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e"\\', 'é', '\u{1F600}', '\uFFFD')
const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        step: fc.constant('put' as const),
        id,
        name: fc.constantFrom('Ada', 'ADA', 'Bob'),
        age: fc.nat(3),
      }),
    },
    {weight: 3, arbitrary: fc.record({step: fc.constant('remove' as const), id})},
    {
      weight: 3,
      arbitrary: fc.record({
        step: fc.constantFrom('compact' as const, 'reopen' as const, 'reopenWithOtherFacets' as const),
      }),
    },
  ),
  {maxLength: 40},
)

const otherFacets: Facets = {people: {initial: (document) => (document as Person).name?.[0], ...facets['people']}}

const open = async (dir: string, compactBytes: number, own: Facets): Promise<LowStore> =>
  new LowStore(await openDirectory({dir, facets: own, writer: 'server', compactBytes}), own)

const byName: Predicate = {
  op: 'compare',
  comparison: '=',
  value: 'ada',
  field: {path: ['name'], type: 'string', facet: 'lowercaseName'},
}
const byAge: SortKey = {field: {path: ['age'], type: 'number'}, direction: 'desc'}
const inOrder = (a: Person, b: Person): number => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))

async function compare(store: LowStore, model: ReadonlyMap<string, Person>): Promise<void> {
  const all = [...model.values()].sort(inOrder)
  const page = {limit: 100, offset: 0, count: {cap: 100}}
  expect(await store.query('shop', 'people', page)).to.deep.equal({results: all, total: all.length})
  expect((await store.query('shop', 'people', {limit: 2, offset: 1})).results).to.deep.equal(all.slice(1, 3))
  const adas = all.filter(({name}) => name?.toLowerCase() === 'ada')
  const found = await store.query('shop', 'people', {...page, where: byName})
  expect(found).to.deep.equal({results: adas, total: adas.length})
  const sorted = [...all].sort((a, b) => (b.age ?? 0) - (a.age ?? 0) || inOrder(a, b))
  expect((await store.query('shop', 'people', {...page, sort: [byAge]})).results).to.deep.equal(sorted)
  for (const person of all) {
    expect(await store.get('shop', 'people', person.id)).to.deep.equal(person)
    expect(await store.find('shop', 'people', `${person.name} ${person.id}`)).to.deep.equal(person)
  }
  for (const name of ['Ada', 'ADA', 'Bob']) {
    const holder = [...model.values()].find((person) => person.name === name && person.id === 'a')
    expect(await store.find('shop', 'people', `${name} a`)).to.deep.equal(holder)
  }
}

describe('store · against a model', () => {
  after(removeDirectories)

  it('answers like a Map after any changes, compactions and restarts', () =>
    fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(1, 600, 1 << 20), async (script: readonly Step[], compactBytes) => {
        const dir = newDirectory()
        const model = new Map<string, Person>()
        let store = await open(dir, compactBytes, facets)
        for (const step of script) {
          if (step.step === 'compact') await store.compact()
          else if (step.step === 'put') {
            const version = (model.get(step.id)?.version ?? 0) + 1
            const person = {id: step.id, version, name: step.name, age: step.age}
            await store.commit('shop', [put(step.id, version, person, [`${step.name} ${step.id}`])])
            model.set(step.id, person)
          } else if (step.step === 'remove') {
            const version = model.get(step.id)?.version
            if (version === undefined) continue
            await store.commit('shop', [{kind: 'people', expect: version, remove: step.id}])
            model.delete(step.id)
          } else {
            await store.close()
            store = await open(dir, compactBytes, step.step === 'reopen' ? facets : otherFacets)
          }
        }
        await compare(store, model)
        await store.close()
        store = await open(dir, compactBytes, facets)
        await compare(store, model)
        await store.close()
      }),
      {numRuns: rounds(15, 1_000)},
    ))
})
