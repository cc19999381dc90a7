import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {diagnose} from '../../../../src/store/lowdb/care/doctor.js'
import {repair} from '../../../../src/store/lowdb/care/repair.js'
import type {Put} from '../../../../src/store/store.js'
import {equals} from '../../contract/subject.js'
import {facets, put} from '../../contract.js'
import {loseManifests, newDirectory, removeDirectories} from '../../directory.js'
import {idsIn, withStore} from '../../one-shot.js'

const fewPeople = ['a', 'b', 'c', 'd']
const person = (id: string, version: number) =>
  put(id, version, {name: `n${id}`, text: `${id} of ${version}`}, [`k:${id}`])
const others = ['bags', 'carts', 'groups', 'things', 'types', 'zones']
const other = (kind: string): Put => ({kind, expect: 0, doc: {id: 'x', version: 1}, uniqueKeys: [{key: 'k:x'}]})

const names = (dir: string): string[] => readdirSync(join(dir, 'shop'))
const files = (dir: string): string[] => names(dir).filter((name) => /ndjson|jsonl/.test(name))
const content = (dir: string): string =>
  names(dir)
    .map((name) => readFileSync(join(dir, 'shop', name), 'latin1'))
    .join()

/** A state of many kinds after a merge, with changes of the same holder since. */
async function merged(): Promise<string> {
  const dir = newDirectory()
  await withStore(dir, async (store) => {
    await store.commit(
      'shop',
      fewPeople.map((id) => person(id, 1)),
    )
    await store.commit('shop', others.map(other))
    await store.commit('shop', [person('a', 2), {kind: 'people', expect: 1, remove: 'b'}])
    await store.compact()
    await store.commit('shop', [person('c', 2), {kind: 'people', expect: 1, remove: 'd'}, person('e', 1)])
  })
  expect(files(dir)).to.have.length(2)
  return dir
}

describe('store · a project of many kinds with few documents', () => {
  after(removeDirectories)

  it('has one file of them after a merge, in which all is found, and takes changes', async () => {
    const dir = await merged()
    expect(await idsIn(dir)).to.deep.equal(['a2', 'c2', 'e1'])
    await withStore(dir, async (store) => {
      for (const kind of others) expect((await store.find('shop', kind, 'k:x'))?.id, kind).to.equal('x')
      expect(await store.find('shop', 'people', 'k:b')).to.equal(undefined)
      const page = {where: equals('name', 'nc'), limit: 2, offset: 0, count: {cap: 10}}
      expect(await store.query('shop', 'people', page)).to.deep.include({total: 1})
      expect((await store.query('shop', 'people', {limit: 0, offset: 0, count: {cap: 10}})).total).to.equal(3)
    })
    expect((await diagnose(dir, facets)).findings).to.deep.equal([])
  })

  it('keeps nothing of what was replaced or removed, merge after merge', async () => {
    const dir = await merged()
    for (const round of [3, 4]) {
      await withStore(dir, async (store) => {
        await store.commit('shop', [person('a', round)])
        await store.compact()
        await store.commit('shop', [person('c', round)])
      })
      expect(content(dir), `round ${round}`).to.not.match(new RegExp(`"id":"[bd]"|"a of ${round - 1}"`))
      expect(await idsIn(dir)).to.deep.equal([`a${round}`, `c${round}`, 'e1'])
    }
  })

  it('gives a kind files of its own once it has many documents, and only that', async () => {
    const dir = await merged()
    const many = Array.from({length: 300}, (_, at) => put(`p${at}`, 1))
    await withStore(dir, async (store) => {
      await store.commit('shop', many)
      await store.compact()
    })
    expect(
      files(dir)
        .map((name) => name.replace(/\d+/, 'n'))
        .sort(),
    ).to.deep.equal(['journal.n.jsonl', 'people.n.ndjson'])
    await withStore(dir, async (store) => {
      expect((await store.query('shop', 'people', {limit: 0, offset: 0, count: {cap: 1_000}})).total).to.equal(303)
      expect((await store.find('shop', 'zones', 'k:x'))?.id).to.equal('x')
    })
  })

  it('is repaired in its newest versions where no manifest tells the order of its files', async () => {
    const dir = await merged()
    loseManifests(dir)
    await repair(dir, facets, new Date('2026-11-20T12:00:00Z'))
    expect(await idsIn(dir)).to.deep.equal(['a2', 'c2', 'e1'])
  })
})
