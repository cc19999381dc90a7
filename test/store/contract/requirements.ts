import {expect} from 'chai'
import {type Change, Missing, type Requirement} from '../../../src/store/store.js'
import {rejection} from '../directory.js'
import {ends, everything, latch, put, type Subject, times} from './subject.js'

/** Documents that have to be there: what refers to them, and what removes them. */
export function requirementsContract(subject: Subject): void {
  const requires = (id: string): Requirement => ({kind: 'things', require: id})
  const thing = (id: string): Change => ({kind: 'things', expect: 0, doc: {id, version: 1}})
  const removal = (id: string): Change => ({kind: 'things', expect: 1, remove: id})
  const commit = (...given: readonly (Change | Requirement)[]) => subject.store.commit('shop', given)
  const isThere = async (id: string) => (await subject.store.get('shop', 'things', id)) !== undefined

  describe('requirements', () => {
    it('commits while the document is there, and leaves it alone', async () => {
      await commit(thing('group'))
      await commit(put('ada', 1), requires('group'))
      await Promise.all(times(8, (index) => commit(put(`p${index}`, 1), requires('group'))))
      expect(await subject.ids(everything)).to.have.length(9)
      expect((await subject.store.get('shop', 'things', 'group'))?.version).to.equal(1)
    })

    it('writes nothing when it is not there, or no more', async () => {
      const refused = await rejection(commit(put('ada', 1), requires('group')))
      expect(refused).to.be.instanceOf(Missing).and.to.include({kind: 'things', id: 'group'})
      await commit(thing('group'))
      await commit(removal('group'))
      expect(await rejection(commit(put('ada', 1), requires('group')))).to.be.instanceOf(Missing)
      expect(await subject.ids(everything)).to.deep.equal([])
    })

    it('lets the document change meanwhile', async () => {
      await commit(thing('group'))
      const hash = latch<readonly Change[]>()
      const slow = subject.store.commit('shop', [put('ada', 1), requires('group')], () => hash.promise)
      await commit({kind: 'things', expect: 1, doc: {id: 'group', version: 2}})
      hash.open([put('credential', 1)])
      await slow
      expect(await subject.ids(everything)).to.deep.equal(['ada', 'credential'])
    })

    it('cannot be fulfilled while the document is being removed', async () => {
      await commit(thing('group'))
      const search = latch<readonly Change[]>()
      const started = latch<void>()
      const removing = subject.store.commit('shop', [removal('group')], () => {
        started.open()
        return search.promise
      })
      await started.promise
      expect(await ends([commit(put('ada', 1), requires('group'))])).to.deep.equal(['unique key pending'])
      search.fail(new Error('something refers to it'))
      expect(await rejection(removing)).to.include({message: 'something refers to it'})
      await commit(put('ada', 1), requires('group'))
      expect(await isThere('group')).to.equal(true)
    })

    it('lets one of several remove the document, whatever they wait for', async () => {
      await commit(thing('group'))
      const work = latch<readonly Change[]>()
      const removing = times(3, () => subject.store.commit('shop', [removal('group')], () => work.promise))
      work.open([])
      expect((await ends(removing)).sort()).to.deep.equal(['done', 'version', 'version'])
    })

    it('keeps the document from being removed before the commit has ended', async () => {
      await commit(thing('group'))
      const hash = latch<readonly Change[]>()
      const started = latch<void>()
      const slow = subject.store.commit('shop', [put('ada', 1), requires('group')], () => {
        started.open()
        return hash.promise
      })
      await started.promise
      let seen: readonly string[] | undefined
      const removing = subject.store.commit('shop', [removal('group')], async () => {
        seen = await subject.ids(everything)
        return []
      })
      const ended = ends([removing])
      hash.open([])
      await slow
      // It waited, and saw what refers to it, or it was sent away.
      if ((await ended)[0] === 'done') expect(seen).to.deep.equal(['ada'])
      else expect(await isThere('group')).to.equal(true)
    })

    it('never leaves what refers to nothing, whoever wins', async () => {
      for (const round of times(6, String)) {
        await commit(thing(round))
        const joining = times(6, (index) => commit(put(`${round}-${index}`, 1, {name: round}), requires(round)))
        const removing = subject.store.commit('shop', [removal(round)], async () => {
          const ids = await subject.ids(everything)
          if (ids.some((id) => id.startsWith(`${round}-`))) throw new Error('in use')
          return []
        })
        await Promise.allSettled([...joining, removing])
        const members = (await subject.ids(everything)).filter((id) => id.startsWith(`${round}-`))
        if (!(await isThere(round))) expect(members).to.deep.equal([])
      }
    })
  })
}
