import {expect} from 'chai'
import {type Change, Missing, type Requirement, VersionConflict} from '../../../src/store/store.js'
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

    it('hold at the version that was read, and at no other', async () => {
      const at = (version: number): Requirement => ({kind: 'things', require: 'group', version})
      const moved = {kind: 'things', id: 'group'}
      const absent = await rejection(commit(put('ada', 1), at(1)))
      expect(absent)
        .to.be.instanceOf(VersionConflict)
        .and.to.include({...moved, expected: 1, current: 0})
      await commit(thing('group'))
      await commit(put('ada', 1), at(1))
      await commit({kind: 'things', expect: 1, doc: {id: 'group', version: 2}})
      const late = await rejection(commit(put('eve', 1), requires('group'), at(1)))
      expect(late)
        .to.be.instanceOf(VersionConflict)
        .and.to.include({...moved, expected: 1, current: 2})
      expect(await subject.ids(everything)).to.deep.equal(['ada'])
      await Promise.all(times(8, (index) => commit(put(`p${index}`, 1), at(2))))
      expect((await subject.store.get('shop', 'things', 'group'))?.version).to.equal(2)
    })

    it('refuse nobody but those who come after a replacement', async () => {
      await commit(thing('group'))
      for (const version of times(6, (index) => index + 1)) {
        const replacing = commit({kind: 'things', expect: version, doc: {id: 'group', version: version + 1}})
        const joining = times(4, (index) =>
          commit(put(`${version}-${index}`, 1), {kind: 'things', require: 'group', version}),
        )
        const [replaced, ...joined] = await ends([replacing, ...joining])
        expect(replaced).to.equal('done')
        const members = (await subject.ids(everything)).filter((id) => id.startsWith(`${version}-`))
        expect(joined.filter((end) => end === 'done')).to.have.length(members.length)
        expect(joined.filter((end) => end === 'version')).to.have.length(4 - members.length)
        const late = commit(put(`late-${version}`, 1), {kind: 'things', require: 'group', version})
        expect(await ends([late])).to.deep.equal(['version'])
      }
    })

    it('are fulfilled for one of two that replace what the other requires', async () => {
      await commit(thing('a'), thing('b'))
      for (const version of times(6, (index) => index + 1)) {
        const one = {kind: 'things', expect: version, doc: {id: 'a', version: version + 1}}
        const other = {kind: 'things', expect: version, doc: {id: 'b', version: version + 1}}
        const ended = await ends([
          commit(one, {kind: 'things', require: 'b', version}),
          commit(other, {kind: 'things', require: 'a', version}),
        ])
        expect(ended.filter((end) => end === 'version').length, String(ended)).to.be.at.least(1)
        const [a = 0, b = 0] = await Promise.all(
          ['a', 'b'].map(async (id) => (await subject.store.get('shop', 'things', id))?.version),
        )
        for (const [id, found] of [['a', a] as const, ['b', b] as const]) {
          if (found === version) await commit({kind: 'things', expect: version, doc: {id, version: version + 1}})
        }
      }
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

    describe('of another project', () => {
      const elsewhere = (version?: number): Requirement => ({
        ...{kind: 'things', project: 'depot', require: 'group'},
        ...(version === undefined ? {} : {version}),
      })
      const replaced = (version: number, exclusive = false): Change => ({
        ...{kind: 'things', expect: version - 1, doc: {id: 'group', version}},
        ...(exclusive ? {exclusive: true as const} : {}),
      })
      const inDepot = (change: Change, complete?: () => Promise<Change[]>) =>
        subject.store.commit('depot', [change], complete)

      it('name that document, whatever the own project has under its id', async () => {
        await commit(thing('group'))
        expect(await rejection(commit(put('ada', 1), elsewhere()))).to.be.instanceOf(Missing)
        expect(await rejection(commit(put('ada', 1), elsewhere(1)))).to.be.instanceOf(VersionConflict)
        await inDepot(replaced(1))
        await inDepot(replaced(2))
        await commit(put('ada', 1), elsewhere(), elsewhere(2), {kind: 'things', require: 'group', version: 1})
        await commit(replaced(2), elsewhere(2))
        expect(await rejection(commit(put('eve', 1), elsewhere(1)))).to.include({expected: 1, current: 2})
        expect(await subject.ids(everything)).to.deep.equal(['ada'])
      })

      it('wait for who replaces it exclusively, or are sent away', async () => {
        await inDepot(replaced(1))
        const search = latch<Change[]>()
        const started = latch<void>()
        const replacing = inDepot(replaced(2, true), () => {
          started.open()
          return search.promise
        })
        await started.promise
        const joining = ends([commit(put('ada', 1), elsewhere(1)), commit(put('eve', 1), elsewhere())])
        search.open([])
        await replacing
        const [versioned, present] = await joining
        expect(versioned).to.be.oneOf(['version', 'unique key pending'])
        expect(present).to.be.oneOf(['done', 'unique key pending'])
      })

      it('never rest on what was replaced exclusively, whoever wins', async () => {
        await inDepot(replaced(1))
        for (const round of times(25, (index) => index + 1)) {
          const join = () => commit(put(`p${round}`, 1), elsewhere(round))
          const replace = () =>
            inDepot(replaced(round + 1, true), async () => {
              const ids = await subject.ids(everything)
              if (ids.includes(`p${round}`)) throw new Error('in use')
              return []
            })
          const ended = await ends((round % 2 === 0 ? [join, replace] : [replace, join]).map((one) => one()))
          expect(
            ended.filter((end) => end === 'done'),
            `round ${round}: ${ended}`,
          ).to.have.length(1)
          if ((await subject.store.get('depot', 'things', 'group'))?.version === round)
            await inDepot(replaced(round + 1))
        }
      })
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
