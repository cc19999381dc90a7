import {expect} from 'chai'
import type {Predicate} from '../../../src/query/ast.js'
import type {Page} from '../../../src/store/store.js'
import {equals, everything, put, type Subject, times} from './subject.js'

/** Pages, filters, sorting and counting. */
export function queriesContract(subject: Subject): void {
  describe('queries', () => {
    beforeEach(async () => {
      const names = ['Cleo', 'ada', 'Bob', 'Ada', undefined]
      await subject.commit(...names.map((name, at) => put(`p${at}`, 1, {...(name ? {name} : {}), age: at % 2})))
    })

    it('pages in the order of ids', async () => {
      expect(await subject.ids({limit: 2, offset: 0})).to.deep.equal(['p0', 'p1'])
      expect(await subject.ids({limit: 2, offset: 3})).to.deep.equal(['p3', 'p4'])
      expect(await subject.ids({limit: 2, offset: 5})).to.deep.equal([])
    })

    it('finds by an index what satisfies the other conditions too', async () => {
      const ada = equals('lowercaseName', 'ada', 'lowercaseName')
      expect(await subject.ids({...everything, where: ada})).to.deep.equal(['p1', 'p3'])
      const both = {op: 'and', terms: [ada, equals('name', 'Ada')]} as const
      expect(await subject.ids({...everything, where: both})).to.deep.equal(['p3'])
      const named = {op: 'nested', path: ['id'], term: equals('id', 'p1')} as const
      expect(await subject.ids({...everything, where: {op: 'and', terms: [ada, named]}})).to.deep.equal([])
    })

    it('filters and counts, up to the cap', async () => {
      const where = equals('age', 0)
      expect(await subject.ids({...everything, where})).to.deep.equal(['p0', 'p2', 'p4'])
      const page = (limit: number, cap: number): Page => ({where, limit, offset: 0, count: {cap}})
      expect((await subject.store.query('shop', 'people', page(1, 10))).total).to.equal(3)
      expect((await subject.store.query('shop', 'people', page(1, 2))).total).to.equal(2)
      expect((await subject.store.query('shop', 'people', {limit: 0, offset: 0, count: {cap: 10}})).total).to.equal(5)
      expect(await subject.store.query('shop', 'people', {limit: 1, offset: 0})).not.to.have.property('total')
    })

    it('compares and sorts every text by its code points, whatever the store has to write for it', async () => {
      // In ascending order: controls, characters, first halves of pairs before what begins with them, second halves.
      const order = [
        '',
        '\0',
        '\0\0',
        '\0a',
        '\u0001',
        '\u0001\0',
        '\u0002',
        "'",
        'a',
        'a\0',
        'a\u0001',
        'ab',
        '\ud7ff',
        '\ue000',
        '\ufdcf',
        '\ufdd0',
        '\ufdd00000',
        '\ufdd1',
        '\uffff',
        '\ud83d',
        '\ud83da',
        '🐀',
        '😀',
        '\ud83e',
        '\u{10ffff}',
        '\u{10ffff}a',
        '\udc00',
        '\udfff',
      ]
      const wanted = order.map((name, at) => ({id: `t${String(at).padStart(2, '0')}`, name}))
      await subject.commit(...[...wanted].reverse().map(({id, name}) => put(id, 1, {name, odd: 1})))
      const odd = equals('odd', 1)
      const field = {path: ['name'], type: 'string'} as const
      const ids = wanted.map(({id}) => id)
      const sorted: Page = {...everything, where: odd, sort: [{field, direction: 'asc'}]}
      expect(await subject.ids(sorted)).to.deep.equal(ids)
      for (const [at, value] of order.entries()) {
        const below: Predicate = {op: 'compare', field, comparison: '<', value}
        const where: Predicate = {op: 'and', terms: [odd, below]}
        expect(await subject.ids({...everything, where}), JSON.stringify(value)).to.deep.equal(ids.slice(0, at))
      }
    })

    it('sorts, absent values last when ascending and first when descending, ids last of all', async () => {
      const by = (direction: 'asc' | 'desc'): Page => ({
        ...everything,
        sort: [{field: {path: ['name'], type: 'string'}, direction}],
      })
      expect(await subject.ids(by('asc'))).to.deep.equal(['p3', 'p2', 'p0', 'p1', 'p4'])
      expect(await subject.ids(by('desc'))).to.deep.equal(['p4', 'p1', 'p0', 'p2', 'p3'])
      expect(await subject.ids({...by('asc'), limit: 2, offset: 1})).to.deep.equal(['p2', 'p0'])
      const byAge: Page = {...everything, sort: [{field: {path: ['age'], type: 'number'}, direction: 'desc'}]}
      expect(await subject.ids(byAge)).to.deep.equal(['p1', 'p3', 'p0', 'p2', 'p4'])
    })

    it('finds by facet, by id and from an id on', async () => {
      expect(await subject.ids({...everything, where: equals('name', 'ada', 'lowercaseName')})).to.deep.equal([
        'p1',
        'p3',
      ])
      expect(await subject.ids({...everything, where: equals('id', 'p2')})).to.deep.equal(['p2'])
      const after: Predicate = {...equals('id', 'p2'), comparison: '>'} as Predicate
      expect(await subject.ids({limit: 1, offset: 0, where: after})).to.deep.equal(['p3'])
      const from: Predicate = {...equals('id', 'p2'), comparison: '>='} as Predicate
      expect(await subject.ids({limit: 1, offset: 0, where: from})).to.deep.equal(['p2'])
    })

    it('counts, sorts and chooses among what follows an id', async () => {
      const after: Predicate = {...equals('id', 'p1'), comparison: '>'} as Predicate
      expect(await subject.ids({...everything, where: after})).to.deep.equal(['p2', 'p3', 'p4'])
      const backwards: Page = {
        ...everything,
        where: after,
        sort: [{field: {path: ['id'], type: 'string'}, direction: 'desc'}],
      }
      expect(await subject.ids(backwards)).to.deep.equal(['p4', 'p3', 'p2'])
      const named: Predicate = {op: 'and', terms: [after, equals('name', 'Ada')]}
      const adas = await subject.ids({...everything, where: equals('name', 'Ada')})
      expect(await subject.ids({...everything, where: named})).to.deep.equal(adas.filter((id) => id > 'p1'))
      const count = async (cap: number) =>
        (await subject.store.query('shop', 'people', {limit: 1, offset: 1, where: after, count: {cap}})).total
      expect([await count(10), await count(2)]).to.deep.equal([3, 2])
      await subject.commit({kind: 'people', expect: 1, remove: 'p2'})
      expect(await subject.ids({...everything, where: after})).to.deep.equal(['p3', 'p4'])
      expect(await count(10)).to.equal(2)
    })

    it('pages over more documents than it looks at in one go', async () => {
      const many = times(1500, (at) => put(`q${String(at).padStart(5, '0')}`, 1, {age: at}))
      await subject.commit(...many)
      const page = await subject.store.query('shop', 'people', {limit: 3, offset: 1200, count: {cap: 10_000}})
      expect(page.results.map(({id}) => id)).to.deep.equal(['q01195', 'q01196', 'q01197'])
      expect(page.total).to.equal(1505)
      const oldest: Page = {limit: 2, offset: 1, sort: [{field: {path: ['age'], type: 'number'}, direction: 'desc'}]}
      expect(await subject.ids(oldest)).to.deep.equal(['q01498', 'q01497'])
    })
  })
}
