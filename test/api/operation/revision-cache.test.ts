import {expect} from 'chai'
import {RevisionCache, revisionOf} from '../../../src/api/documents/revision-cache.js'
import type {Store} from '../../../src/store/store.js'

describe('pipeline · what is remembered', () => {
  const at = new Map<string, number>()
  const state = {revision: (project: string, kind: string) => at.get(`${project}/${kind}`)} as unknown as Store
  const of = (kind: string) => revisionOf(state, 'shop', kind)
  beforeEach(() => {
    at.clear()
    at.set('shop/token', 1)
    at.set('shop/client', 1)
  })

  it('is given back until one of the kinds that it was made from changes', () => {
    const names = new RevisionCache<string>(state, 10)
    names.set('a', 'Ada', [of('token'), of('client')])
    names.set('b', 'Bob', [of('token')])
    expect([names.get('a'), names.get('b'), names.get('c')]).to.deep.equal(['Ada', 'Bob', undefined])
    at.set('shop/client', 2)
    expect([names.get('a'), names.get('b')]).to.deep.equal([undefined, 'Bob'])
    at.set('shop/client', 1)
    expect(names.get('a')).to.equal(undefined)
  })

  it('counts a change while it is made', () => {
    const names = new RevisionCache<string>(state, 10)
    const before = of('token')
    at.set('shop/token', 2)
    names.set('a', 'Ada', [before])
    expect(names.get('a')).to.equal(undefined)
  })

  it('is nothing where the store cannot tell', () => {
    for (const silent of [{} as Store, state]) {
      const names = new RevisionCache<string>(silent, 10)
      names.set('a', 'Ada', [revisionOf(silent, 'shop', 'unheard-of')])
      expect(names.get('a')).to.equal(undefined)
    }
  })

  it('is bounded: what was made first goes first', () => {
    const names = new RevisionCache<number>(state, 3)
    for (let count = 0; count < 5; count += 1) names.set(String(count), count, [of('token')])
    expect(['0', '1', '2', '3', '4'].map((key) => names.get(key))).to.deep.equal([undefined, undefined, 2, 3, 4])
  })
})
