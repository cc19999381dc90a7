import {expect} from 'chai'
import {BoundedMap} from '../../src/work/bounded-map.js'

describe('bounded map', () => {
  it('lets the entry go that was set first, once there is one too many', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2)
    expect([...map]).to.deep.equal([
      ['a', 1],
      ['b', 2],
    ])
    expect([...map.set('c', 3)]).to.deep.equal([
      ['b', 2],
      ['c', 3],
    ])
  })

  it('counts an entry that is set again as the latest, and lets none go for it', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3)
    expect([...map]).to.deep.equal([
      ['b', 2],
      ['a', 3],
    ])
    expect([...map.set('c', 4).keys()]).to.deep.equal(['a', 'c'])
  })
})
