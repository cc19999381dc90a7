import {expect} from 'chai'
import type {Document} from '../../../src/store/store.js'
import {rejection} from '../directory.js'
import {equals, everything, type Person, put, type Subject} from './subject.js'

/** What goes in comes out. */
export function documentsContract(subject: Subject): void {
  describe('documents', () => {
    it('finds nothing in a project that was never written', async () => {
      expect(await subject.store.get('shop', 'people', 'ada')).to.equal(undefined)
      expect(await subject.store.find('shop', 'people', 'email:ada')).to.equal(undefined)
      expect(await subject.store.query('shop', 'people', {...everything, count: {cap: 10}})).to.deep.equal({
        results: [],
        total: 0,
      })
      expect(await subject.store.projects()).to.deep.equal([])
    })

    it('returns what was committed, frozen to its leaves', async () => {
      await subject.commit(put('ada', 1, {name: 'Ada', addresses: [{city: 'London'}]}))
      const ada = await subject.store.get<Person & {addresses: {city: string}[]}>('shop', 'people', 'ada')
      expect(ada).to.deep.equal({id: 'ada', version: 1, name: 'Ada', addresses: [{city: 'London'}]})
      expect(Object.isFrozen(ada) && Object.isFrozen(ada?.addresses[0])).to.equal(true)
    })

    it('keeps what it has when the caller changes its object later', async () => {
      const doc = {id: 'ada', version: 1, name: 'Ada'}
      await subject.commit({kind: 'people', expect: 0, doc})
      doc.name = 'Eve'
      expect((await subject.store.get<Person>('shop', 'people', 'ada'))?.name).to.equal('Ada')
    })

    it('keeps what it has when the caller changes what it wrote over something else', async () => {
      await subject.commit(put('ada', 1))
      const doc = {id: 'ada', version: 2, name: 'Ada', tags: ['a']}
      await subject.commit({kind: 'people', expect: 1, doc})
      Reflect.set(doc, 'name', 'Eve')
      Reflect.set(doc.tags, 0, 'b')
      expect(await subject.store.get('shop', 'people', 'ada')).to.deep.equal({...doc, name: 'Ada', tags: ['a']})
    })

    for (const member of [{gone: undefined}, {zero: -0}, {none: Number.NaN}, Array(2), new Date(0), {of: new Map()}]) {
      it(`hands out after a change what another process would read: ${JSON.stringify(member)}`, async () => {
        await subject.commit(put('ada', 1))
        const doc = {id: 'ada', version: 2, list: [member]}
        await subject.commit({kind: 'people', expect: 1, doc})
        expect(await subject.store.get('shop', 'people', 'ada')).to.deep.equal(JSON.parse(JSON.stringify(doc)))
      })
    }

    it('keeps projects and kinds apart', async () => {
      await subject.commit(put('ada', 1))
      await subject.store.commit('_', [{kind: 'clients', expect: 0, doc: {id: 'ada', version: 1}}])
      expect(await subject.store.get('other', 'people', 'ada')).to.equal(undefined)
      expect(await subject.store.get('shop', 'clients', 'ada')).to.equal(undefined)
      expect(await subject.store.get('_', 'clients', 'ada')).to.deep.equal({id: 'ada', version: 1})
      expect(await subject.store.projects()).to.deep.equal(['_', 'shop'])
    })

    it('removes a document and frees its unique keys', async () => {
      await subject.commit(put('ada', 1, {name: 'Ada'}, ['email:ada']))
      await subject.commit({kind: 'people', expect: 1, remove: 'ada'})
      expect(await subject.store.get('shop', 'people', 'ada')).to.equal(undefined)
      expect(await subject.ids({...everything, where: equals('name', 'ada', 'lowercaseName')})).to.deep.equal([])
      await subject.commit(put('eve', 1, {}, ['email:ada']))
      expect((await subject.store.find('shop', 'people', 'email:ada'))?.id).to.equal('eve')
    })

    for (const word of ['__proto__', 'constructor', 'toString']) {
      it(`takes ${word} for an id, a kind, a unique key and a member`, async () => {
        const doc = JSON.parse(`{"id":"${word}","version":1,"${word}":{"name":1}}`) as Document
        await subject.store.commit('shop', [{kind: word, expect: 0, doc, uniqueKeys: [{key: word}]}])
        const text = JSON.stringify(doc)
        expect(JSON.stringify(await subject.store.get('shop', word, word))).to.equal(text)
        expect(JSON.stringify(await subject.store.find('shop', word, word))).to.equal(text)
        expect(await subject.store.get('shop', 'people', word)).to.equal(undefined)
        expect((await subject.store.query('shop', word, everything)).results).to.have.length(1)
      })
    }

    it('is not led out of its place by the name of a project', async () => {
      expect(await subject.store.get('../shop', 'people', 'ada')).to.equal(undefined)
      expect(await rejection(subject.store.commit('../shop', [put('ada', 1)]))).to.be.an('error')
    })
  })
}
