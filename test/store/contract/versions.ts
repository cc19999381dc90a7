import {expect} from 'chai'
import type {Change} from '../../../src/store/store.js'
import {rejection} from '../directory.js'
import {counted, ends, everything, latch, put, type Subject, times} from './subject.js'

/** Optimistic versions, and all or nothing. */
export function versionsContract(subject: Subject): void {
  describe('versions', () => {
    it('refuses a creation of what exists and a change of what does not', async () => {
      await subject.commit(put('ada', 1))
      expect(await rejection(subject.commit(put('ada', 1)))).to.include({
        name: 'VersionConflict',
        expected: 0,
        current: 1,
      })
      expect(await rejection(subject.commit(put('eve', 2)))).to.include({
        name: 'VersionConflict',
        expected: 1,
        current: 0,
      })
      const removal: Change = {kind: 'people', expect: 4, remove: 'ada'}
      expect(await rejection(subject.commit(removal))).to.include({name: 'VersionConflict', expected: 4, current: 1})
    })

    it('writes all of a commit or nothing', async () => {
      await subject.commit(put('ada', 1))
      expect(await ends([subject.commit(put('new', 1), put('ada', 3), put('other', 1))])).to.deep.equal(['version'])
      expect(await subject.ids(everything)).to.deep.equal(['ada'])
    })

    it('lets one of 32 updates of the same version win', async () => {
      await subject.commit(put('ada', 1, {}, ['email:ada']))
      const updates = times(32, (index) => subject.commit(put('ada', 2, {name: `n${index}`}, ['email:ada'])))
      expect(counted(await ends(updates))).to.deep.equal({done: 1, version: 31})
      expect((await subject.store.get('shop', 'people', 'ada'))?.version).to.equal(2)
    })

    it('checks versions again when the commit was completed', async () => {
      await subject.commit(put('ada', 1))
      const hash = latch<readonly Change[]>()
      const slow = subject.store.commit('shop', [put('ada', 2, {name: 'slow'})], () => hash.promise)
      await subject.commit(put('ada', 2, {name: 'fast'}))
      hash.open([put('credential', 1)])
      expect(await rejection(slow)).to.include({name: 'VersionConflict', current: 2})
      expect(await subject.ids(everything)).to.deep.equal(['ada'])
    })
  })
}
