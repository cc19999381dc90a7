import {expect} from 'chai'
import type {Contains, Search} from '../../../src/store/searchable.js'
import type {Document} from '../../../src/store/store.js'
import {equals, type Person, put, type Subject, times} from './subject.js'

const page = {limit: 500, offset: 0}

/** A search for texts that contain something, ascending by id. */
export const texts = (contains: Contains, more: Partial<Search> = {}): Search => ({
  contains,
  relevance: () => 1,
  order: [],
  ...page,
  ...more,
})

/** A search for what no text tells, by age downwards, which only documents know. */
const aged = (least: number, more: Partial<Search> = {}): Search => ({
  relevance: (candidate) => {
    const document = candidate.document() as Person | undefined
    if (!document) return undefined
    const {age = 0} = document
    return age >= least ? age : -1
  },
  order: [{read: ({relevance}) => relevance, sign: -1}],
  ...page,
  ...more,
})

/** Searches by texts, over what is new, what was changed and what was written long ago. */
export function searchContract(subject: Subject): void {
  const run = (search: Search) => subject.store.search('shop', 'people', search)
  const found = async (contains: Contains): Promise<string[]> => (await run(texts(contains))).results.map(({id}) => id)

  describe('a search', () => {
    it('finds documents whose text contains what is asked', async () => {
      await subject.commit(
        put('c', 1, {name: 'hazel brandvold'}),
        put('a', 1, {name: 'brandt hazel'}),
        put('b', 1, {name: 'noor van dijk'}),
        put('d', 1),
      )
      expect(await found('brand')).to.deep.equal(['a', 'c'])
      expect(await found({all: ['azel', 'vold']})).to.deep.equal(['c'])
      expect(await found({all: ['hazel', 'dijk']})).to.deep.equal([])
      expect(await found({any: ['zzz', 'van', {all: ['brandt', 'haz']}]})).to.deep.equal(['a', 'b'])
      expect(await found({any: []})).to.deep.equal([])
      expect(await found({all: []})).to.deep.equal(['a', 'b', 'c', 'd'])
    })

    it('takes what it looks for literally', async () => {
      await subject.commit(put('a', 1, {name: '100%_\\ '}), put('b', 1, {name: 'other'}))
      for (const word of ['%', '_', '\\', '100%_\\']) expect(await found(word), word).to.deep.equal(['a'])
      expect(await found("' or true --")).to.deep.equal([])
    })

    it('sees changes and removals at once', async () => {
      await subject.commit(put('a', 1, {name: 'ada'}), put('b', 1, {name: 'bob'}))
      expect(await found('ada')).to.deep.equal(['a'])
      await subject.commit(put('a', 2, {name: 'lovelace'}), put('b', 2, {name: 'bob', age: 3}))
      expect(await found('ada')).to.deep.equal([])
      expect(await found('love')).to.deep.equal(['a'])
      expect(await found('bob')).to.deep.equal(['b'])
      await subject.commit({kind: 'people', expect: 2, remove: 'a'})
      expect(await found('love')).to.deep.equal([])
      await subject.commit(put('a', 1, {name: 'ada again'}))
      expect(await found('again')).to.deep.equal(['a'])
    })

    it('orders and counts all matches, and hands out a page of them', async () => {
      await subject.commit(...times(1_200, (at) => put(`p${1000 + at}`, 1, {name: 'smith', age: at % 3})))
      const everybody = texts('smith', {limit: 2, offset: 1})
      expect(await run(everybody)).to.deep.equal({
        total: 1_200,
        results: [
          {id: 'p1001', relevance: 1},
          {id: 'p1002', relevance: 1},
        ],
      })
      const oldest = await run(aged(1, {limit: 3, offset: 399}))
      expect(oldest.total).to.equal(800)
      expect(oldest.results).to.deep.equal([
        {id: 'p2199', relevance: 2},
        {id: 'p1001', relevance: 1},
        {id: 'p1004', relevance: 1},
      ])
      const narrowed = await run(aged(1, {where: equals('age', 1)}))
      expect(narrowed.total).to.equal(400)
      expect(await subject.store.search('nobody', 'people', everybody)).to.deep.equal({total: 0, results: []})
    })

    it('shows the document of what a text does not decide', async () => {
      await subject.commit(put('a', 1, {name: 'ada', age: 3}), put('b', 1, {name: 'adam', age: 2}), put('c', 1))
      const {relevance, order} = aged(3)
      const {results} = await run(texts('ada', {relevance, order}))
      expect(results).to.deep.equal([{id: 'a', relevance: 3}])
      const seen: (Document | undefined)[] = []
      await run(texts('adam', {relevance: (candidate) => -seen.push(candidate.document())}))
      expect(seen.every((document) => document === undefined || document.id === 'b')).to.equal(true)
    })

    it('finds again what was written before it is asked first', async () => {
      await subject.commit(...times(300, (at) => put(`q${at}`, 1, {name: `person${at}x`})))
      await subject.commit(put('q7', 2, {name: 'moved'}), {kind: 'people', expect: 1, remove: 'q8'})
      await subject.store.compact()
      await subject.commit(put('q9', 2, {name: 'later'}))
      expect(await found('person77x')).to.deep.equal(['q77'])
      expect(await found('person7x')).to.deep.equal([])
      expect(await found('person8x')).to.deep.equal([])
      expect(await found('person9x')).to.deep.equal([])
      expect(await found('later')).to.deep.equal(['q9'])
      expect(await found('moved')).to.deep.equal(['q7'])
    })
  })
}
