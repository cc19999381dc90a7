import {expect} from 'chai'
import type {SearchWord} from '../../../src/domain/search/words.js'
import {equals, put, type Subject, times} from './subject.js'

const words = (...spellings: string[]): SearchWord[] => spellings.map((spelling) => ({spellings: [spelling]}))

/** Searches by words, over what is new, what was changed and what was written long ago. */
export function searchContract(subject: Subject): void {
  const found = async (searched: readonly SearchWord[]): Promise<string[]> =>
    subject.ids({words: searched, limit: 500, offset: 0})

  describe('a search', () => {
    it('finds documents whose text has every word, in the order of ids', async () => {
      await subject.commit(
        put('c', 1, {name: 'hazel brandvold'}),
        put('a', 1, {name: 'brandt hazel'}),
        put('b', 1, {name: 'noor van dijk'}),
        put('d', 1),
      )
      expect(await found(words('brand'))).to.deep.equal(['a', 'c'])
      expect(await found(words('azel', 'vold'))).to.deep.equal(['c'])
      expect(await found(words('hazel', 'dijk'))).to.deep.equal([])
      expect(await found([{spellings: ['zzz', 'van']}])).to.deep.equal(['b'])
    })

    it('finds an id by its start only', async () => {
      await subject.commit(put('1a6d-x', 1, {name: 'ada'}), put('1a6e-y', 1, {name: 'eve'}))
      expect(await found([{spellings: ['1a6d'], idStart: '1a6d'}])).to.deep.equal(['1a6d-x'])
      expect(await found([{spellings: ['1a6'], idStart: '1a6'}])).to.deep.equal(['1a6d-x', '1a6e-y'])
      expect(await found([{spellings: ['a6d'], idStart: 'a6d'}])).to.deep.equal([])
      expect(await found([{spellings: ['1a6'], idStart: '1a6'}, ...words('eve')])).to.deep.equal(['1a6e-y'])
    })

    it('takes what stands in a word literally', async () => {
      await subject.commit(put('a', 1, {name: '100%_\\ '}), put('b', 1, {name: 'other'}))
      for (const word of ['%', '_', '\\', '100%_\\']) expect(await found(words(word)), word).to.deep.equal(['a'])
      expect(await found(words("' or true --"))).to.deep.equal([])
    })

    it('sees changes and removals at once', async () => {
      await subject.commit(put('a', 1, {name: 'ada'}), put('b', 1, {name: 'bob'}))
      expect(await found(words('ada'))).to.deep.equal(['a'])
      await subject.commit(put('a', 2, {name: 'lovelace'}), put('b', 2, {name: 'bob', age: 3}))
      expect(await found(words('ada'))).to.deep.equal([])
      expect(await found(words('love'))).to.deep.equal(['a'])
      expect(await found(words('bob'))).to.deep.equal(['b'])
      await subject.commit({kind: 'people', expect: 2, remove: 'a'})
      expect(await found(words('love'))).to.deep.equal([])
      await subject.commit(put('a', 1, {name: 'ada again'}))
      expect(await found(words('again'))).to.deep.equal(['a'])
    })

    it('combines with a predicate, and counts', async () => {
      await subject.commit(...times(30, (at) => put(`p${10 + at}`, 1, {name: 'smith', age: at % 3})))
      const page = {words: words('smith'), where: equals('age', 1), limit: 4, offset: 2, count: {cap: 100}}
      const {results, total} = await subject.store.query('shop', 'people', page)
      expect(results.map(({id}) => id)).to.deep.equal(['p17', 'p20', 'p23', 'p26'])
      expect(total).to.equal(10)
      const capped = await subject.store.query('shop', 'people', {...page, count: {cap: 7}})
      expect(capped.total).to.equal(7)
      expect((await subject.store.query('nobody', 'people', page)).results).to.deep.equal([])
    })

    it('finds again what was written before it is asked first', async () => {
      await subject.commit(...times(300, (at) => put(`q${at}`, 1, {name: `person${at}x`})))
      await subject.commit(put('q7', 2, {name: 'moved'}), {kind: 'people', expect: 1, remove: 'q8'})
      await subject.store.compact()
      await subject.commit(put('q9', 2, {name: 'later'}))
      expect(await found(words('person77x'))).to.deep.equal(['q77'])
      expect(await found(words('person7x'))).to.deep.equal([])
      expect(await found(words('person8x'))).to.deep.equal([])
      expect(await found(words('person9x'))).to.deep.equal([])
      expect(await found(words('later'))).to.deep.equal(['q9'])
      expect(await found(words('moved'))).to.deep.equal(['q7'])
    })
  })
}
