import {expect} from 'chai'
import type {JsonText} from '../../../src/domain/json-text.js'
import type {Page, Texts} from '../../../src/store/store.js'
import {equals, everything, put, type Subject, shared, times} from './subject.js'

const names = ['Ada', 'Grüße', '東京 😀', '\ud83d', '\u2028"\\', 'ada']

const documentOf = (text: JsonText | undefined): unknown => text && JSON.parse(text.text)

/** Documents as texts: the same documents. */
export function textsContract(subject: Subject): void {
  describe('texts', () => {
    let texts: Texts

    beforeEach(async () => {
      texts = subject.store.texts as Texts
      await subject.commit(...names.map((name, at) => put(`p${at}`, 1, {name, age: at % 2}, [`name:${at}`])))
      await subject.commit(put('p1', 2, {name: 'Grüße, neu', age: 1}, ['name:new']), shared('eve', 'name:x'))
      await subject.commit({kind: 'people', expect: 1, remove: 'p3'})
    })

    it('are of what `get` and `find` give, at once or later, and of nothing else', async () => {
      for (const id of [...times(names.length, (at) => `p${at}`), 'eve', 'nobody']) {
        // Twice: what was read before is read again.
        for (const _ of [1, 2]) {
          const found = await texts.get('shop', 'people', id)
          expect(documentOf(found)).to.deep.equal(await subject.store.get('shop', 'people', id))
        }
      }
      for (const key of [...times(names.length, (at) => `name:${at}`), 'name:new', 'name:x']) {
        const found = await texts.find('shop', 'people', key)
        expect(documentOf(found)).to.deep.equal(await subject.store.find('shop', 'people', key))
      }
      expect(await texts.get('elsewhere', 'people', 'p0')).to.equal(undefined)
      expect(await texts.get('no project', 'people', 'p0')).to.equal(undefined)
      expect(await texts.get('shop', 'things', 'p0')).to.equal(undefined)
    })

    it('have a character for each byte', async () => {
      const found = await texts.get('shop', 'people', 'p2')
      const utf8 = Buffer.from(JSON.stringify({id: 'p2', version: 1, name: names[2], age: 0}))
      expect(Buffer.from(found?.bytes ?? '', 'latin1').toString('hex')).to.equal(utf8.toString('hex'))
    })

    it('stand on the same pages', async () => {
      const sort = [{field: {path: ['name'], type: 'string'}, direction: 'desc'}] as const
      const pages: Page[] = [
        everything,
        {...everything, count: {cap: 3}},
        {...everything, where: equals('age', 1), count: {cap: 10}},
        {...everything, where: equals('lowercaseName', 'ada', 'lowercaseName'), count: {cap: 10}},
        {limit: 2, offset: 1, sort},
      ]
      for (const page of pages) {
        const {results, total} = await texts.query('shop', 'people', page)
        const found = await subject.store.query('shop', 'people', page)
        expect(results.map(documentOf)).to.deep.equal(found.results)
        expect(total).to.equal(found.total)
      }
      const none = {...everything, count: {cap: 1}}
      expect(await texts.query('no project', 'people', none)).to.deep.equal({results: [], total: 0})
      expect(await texts.query('shop', 'things', none)).to.deep.equal({results: [], total: 0})
    })

    it('are those of one document each, in whatever order they are read', async () => {
      const where = equals('lowercaseName', 'ada', 'lowercaseName')
      const {results} = await texts.query('shop', 'people', {where, limit: 1, offset: 1})
      expect(documentOf(results[0])).to.include({id: 'p5'})
      expect(documentOf(await texts.get('shop', 'people', 'p0'))).to.include({id: 'p0', name: 'Ada'})
      expect(await subject.store.get('shop', 'people', 'p5')).to.include({id: 'p5', name: 'ada'})
    })
  })
}
