import {expect} from 'chai'
import type {Change} from '../../../src/store/store.js'
import {put, type Subject, shared} from './subject.js'

/** Everything of a project, as it is moved to another store. */
export function walkContract(subject: Subject): void {
  describe('walks', () => {
    const walked = async (after?: {kind: string; id: string}): Promise<string[]> => {
      const found: string[] = []
      for await (const {kind, doc, uniqueKeys} of subject.store.documents('shop', after)) {
        found.push(
          [`${kind} ${doc.id}`, ...uniqueKeys.map(({key, shared: mode}) => (mode ? `~${key}` : key))].join(' '),
        )
      }
      return found
    }

    it('passes everything in the order of kinds and ids, with its unique keys', async () => {
      const thing: Change = {kind: 'Things', expect: 0, doc: {id: 'z', version: 1}}
      await subject.commit(put('b', 1, {}, ['k', 'l']), put('B', 1), shared('a', 'm'), thing)
      await subject.store.commit('other', [put('elsewhere', 1)])
      expect(await walked()).to.deep.equal(['Things z', 'people B', 'people a ~m', 'people b k l'])
      expect(await walked({kind: 'people', id: 'B'})).to.deep.equal(['people a ~m', 'people b k l'])
      expect(await walked({kind: 'Z', id: ''})).to.have.length(3)
      expect(await walked({kind: 'people', id: 'b'})).to.deep.equal([])
    })

    it('passes more than it reads at once', async () => {
      await subject.commit(...Array.from({length: 1200}, (_, at) => put(`p${at}`, 1)))
      expect(new Set(await walked())).to.have.property('size', 1200)
    })
  })
}
