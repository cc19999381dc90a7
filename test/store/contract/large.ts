import {expect} from 'chai'
import type {Candidate} from '../../../src/store/searchable.js'
import type {Document} from '../../../src/store/store.js'
import {texts} from './search.js'
import {everything, type Person, put, type Subject, times} from './subject.js'

const long = 200_000

/** Documents that are too long to be read by the page. */
export function largeContract(subject: Subject): void {
  describe('long documents', () => {
    const names = times(6, (at) => (at % 2 ? `long ${at} ${'x'.repeat(long)}` : `short ${at}`))
    beforeEach(() => subject.commit(...names.map((name, at) => put(`p${at}`, 1, {name, age: at}))))

    it('stand in pages in their order, of which those end early that are full', async () => {
      const {results} = await subject.store.query<Person>('shop', 'people', everything)
      expect(results.map(({name}) => name)).to.deep.equal(names)
      let left = 1.5 * long
      const take = (bytes: number) => {
        left -= bytes
        return left >= 0
      }
      const page = await subject.store.query('shop', 'people', {...everything, take})
      expect([page.results.map(({id}) => id), page.isCut]).to.deep.equal([['p0', 'p1', 'p2'], true])
      const first = await subject.store.query('shop', 'people', {limit: 5, offset: 1, take: () => false})
      expect([first.results.map(({id}) => id), first.isCut]).to.deep.equal([['p1'], true])
    })

    it('are searched, by their texts and by themselves', async () => {
      const found = async (contains: string): Promise<string[]> => {
        const relevance = (candidate: Candidate) => (candidate.text().includes(contains) ? 1 : -1)
        const {results} = await subject.store.search('shop', 'people', texts(contains, {relevance}))
        return results.map(({id}) => id)
      }
      expect(await found('xxx')).to.deep.equal(['p1', 'p3', 'p5'])
      expect(await found('long 3')).to.deep.equal(['p3'])
      const relevance = (candidate: Candidate) => {
        const document = candidate.document() as Person | undefined
        return document && Number(document.age) - 2
      }
      for (const search of [texts('xxx', {relevance}), {relevance, order: [], ...everything}]) {
        const {results} = await subject.store.search('shop', 'people', search)
        expect(results.filter(({id}) => !/[24]/.test(id))).to.deep.equal([
          {id: 'p3', relevance: 1},
          {id: 'p5', relevance: 3},
        ])
      }
    })

    it('are passed by walks', async () => {
      const found: Document[] = []
      for await (const {doc} of subject.store.documents('shop')) found.push(doc)
      expect(found.map((one) => (one as Person).name)).to.deep.equal(names)
    })
  })
}
