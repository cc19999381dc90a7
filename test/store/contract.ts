import {expect} from 'chai'
import type {OpenedStore} from '../../src/store/opened-store.js'
import {documentsContract} from './contract/documents.js'
import {largeContract} from './contract/large.js'
import {momentsContract} from './contract/moments.js'
import {queriesContract} from './contract/queries.js'
import {requirementsContract} from './contract/requirements.js'
import {searchContract} from './contract/search.js'
import {ends, everything, put, Subject, shared} from './contract/subject.js'
import {textsContract} from './contract/texts.js'
import {uniqueKeysContract} from './contract/unique-keys.js'
import {versionsContract} from './contract/versions.js'
import {walkContract} from './contract/walk.js'
import {rejection} from './directory.js'

export {facets, type Person, put, searchTexts} from './contract/subject.js'

/** What an adapter has beside what each of them has. */
interface Beside {
  /** A new store over the same state, of an adapter that keeps any. */
  readonly reopen?: (store: OpenedStore) => Promise<OpenedStore>
  /** It hands out documents as texts. */
  readonly texts?: true
}

/** What every adapter of the port promises. */
export function storeContract(name: string, open: () => Promise<OpenedStore>, {reopen, texts}: Beside): void {
  describe(`store · ${name}`, () => {
    const subject = new Subject()
    beforeEach(async () => {
      subject.store = await open()
    })
    afterEach(() => subject.store.close())

    documentsContract(subject)
    versionsContract(subject)
    uniqueKeysContract(subject)
    requirementsContract(subject)
    queriesContract(subject)
    momentsContract(subject)
    searchContract(subject)
    largeContract(subject)
    if (texts) textsContract(subject)
    walkContract(subject)

    if (reopen) {
      it('finds everything again after it was closed', async () => {
        await subject.commit(put('ada', 1, {name: 'Ada'}, ['email:ada']), shared('eve', 'email:x'))
        await subject.commit(put('ada', 2, {name: 'Ada\u2028 "L."'}, ['email:lovelace']), put('bob', 1))
        await subject.commit({kind: 'people', expect: 1, remove: 'bob'})
        subject.store = await reopen(subject.store)
        expect(await subject.store.get('shop', 'people', 'ada')).to.deep.equal({
          id: 'ada',
          version: 2,
          name: 'Ada\u2028 "L."',
        })
        expect((await subject.store.find('shop', 'people', 'email:lovelace'))?.id).to.equal('ada')
        expect(await subject.store.find('shop', 'people', 'email:ada')).to.equal(undefined)
        expect(await subject.ids(everything)).to.deep.equal(['ada', 'eve'])
        expect(await ends([subject.commit(put('dan', 1, {}, ['email:x']))])).to.deep.equal(['unique key held'])
        await subject.commit(put('ada', 3))
        expect(await subject.store.projects()).to.deep.equal(['shop'])
      })
    }

    it('refuses commits once it is closed', async () => {
      await subject.store.close()
      expect(await rejection(subject.commit(put('ada', 1)))).to.include({message: 'the store is closed'})
    })
  })
}
