import {expect} from 'chai'
import type {Change} from '../../../src/store/store.js'
import {rejection} from '../directory.js'
import {counted, ends, everything, latch, put, type Subject, shared, times} from './subject.js'

/** Uniqueness: exclusive and shared, held and pending. */
export function uniqueKeysContract(subject: Subject): void {
  describe('unique keys', () => {
    it('lets one of 32 commits of a unique key win', async () => {
      const creations = times(32, (index) => subject.commit(put(`p${index}`, 1, {}, ['email:ada'])))
      const result = counted(await ends(creations))
      expect(result['done']).to.equal(1)
      expect((result['unique key held'] ?? 0) + (result['unique key pending'] ?? 0)).to.equal(31)
      expect(await subject.ids(everything)).to.have.length(1)
    })

    it('says pending while the other commit is completed, at once, and held afterwards', async () => {
      const hash = latch<readonly Change[]>()
      const slow = subject.store.commit('shop', [put('ada', 1, {}, ['email:ada'])], () => hash.promise)
      expect(await ends([subject.commit(put('eve', 1, {}, ['email:ada']))])).to.deep.equal(['unique key pending'])
      hash.open([put('credential', 1)])
      await slow
      expect(await ends([subject.commit(put('eve', 1, {}, ['email:ada']))])).to.deep.equal(['unique key held'])
      expect(await subject.ids(everything)).to.deep.equal(['ada', 'credential'])
    })

    it('frees the unique keys of a commit that failed to complete', async () => {
      const hash = latch<readonly Change[]>()
      const slow = subject.store.commit('shop', [put('ada', 1, {}, ['email:ada'])], () => hash.promise)
      hash.fail(new Error('no worker left'))
      expect(await rejection(slow)).to.include({message: 'no worker left'})
      expect(await subject.store.get('shop', 'people', 'ada')).to.equal(undefined)
      await subject.commit(put('eve', 1, {}, ['email:ada']))
    })

    it('adds the unique keys of the completion', async () => {
      await subject.commit(put('eve', 1, {}, ['number:1']))
      const late = subject.store.commit('shop', [put('ada', 1)], async () => [put('bob', 1, {}, ['number:1'])])
      expect(await ends([late])).to.deep.equal(['unique key held'])
      expect(await subject.ids(everything)).to.deep.equal(['eve'])
    })

    it('replaces unique keys with each version', async () => {
      await subject.commit(put('ada', 1, {}, ['email:old', 'key:ada']))
      await subject.commit(put('ada', 2, {}, ['email:new', 'key:ada']))
      expect(await subject.store.find('shop', 'people', 'email:old')).to.equal(undefined)
      expect((await subject.store.find('shop', 'people', 'email:new'))?.version).to.equal(2)
      await subject.commit(put('eve', 1, {}, ['email:old']))
    })

    it('passes a unique key from one document to another in one commit', async () => {
      await subject.commit(put('ada', 1, {}, ['key:a']))
      await subject.commit(put('ada', 2, {}, ['key:b']), put('eve', 1, {}, ['key:a']))
      await subject.commit({kind: 'people', expect: 1, remove: 'eve'}, put('bob', 1, {}, ['key:a']))
      expect((await subject.store.find('shop', 'people', 'key:a'))?.id).to.equal('bob')
      expect((await subject.store.find('shop', 'people', 'key:b'))?.id).to.equal('ada')
    })

    it('refuses one unique key for two documents of a commit', async () => {
      expect(await ends([subject.commit(put('ada', 1, {}, ['k']), put('eve', 1, {}, ['k']))])).to.deep.equal([
        'unique key held',
      ])
      expect(await subject.ids(everything)).to.deep.equal([])
    })

    it('lets shared unique keys share, and exclusive ones exclude them', async () => {
      await subject.commit(shared('ada', 'email:x'))
      await subject.commit(shared('eve', 'email:x'))
      expect(await ends([subject.commit(put('bob', 1, {}, ['email:x']))])).to.deep.equal(['unique key held'])
      expect(await subject.store.find('shop', 'people', 'email:x')).to.equal(undefined)
      await subject.commit({kind: 'people', expect: 1, remove: 'ada'}, {kind: 'people', expect: 1, remove: 'eve'})
      await subject.commit(put('bob', 1, {}, ['email:x']))
      expect(await ends([subject.commit(shared('ada', 'email:x'))])).to.deep.equal(['unique key held'])
    })

    it('lets shared unique keys share while they are pending', async () => {
      const hash = latch<readonly Change[]>()
      const slow = subject.store.commit('shop', [shared('ada', 'email:x')], () => hash.promise)
      await subject.commit(shared('eve', 'email:x'))
      expect(
        await ends([subject.commit(put('bob', 1, {}, ['email:y']), put('dan', 1, {}, ['email:x']))]),
      ).to.deep.equal(['unique key held'])
      expect(await ends([subject.commit(put('bob', 1, {}, ['email:y']))])).to.deep.equal(['done'])
      hash.open([])
      await slow
    })

    it('keeps the same unique key of two kinds apart', async () => {
      await subject.commit(put('ada', 1, {}, ['key:a']))
      await subject.store.commit('shop', [
        {kind: 'things', expect: 0, doc: {id: 't', version: 1}, uniqueKeys: [{key: 'key:a'}]},
      ])
      expect((await subject.store.find('shop', 'things', 'key:a'))?.id).to.equal('t')
    })
  })
}
