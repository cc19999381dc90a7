import {expect} from 'chai'
import {type Caller, FairPlaces} from '../src/fair-places.js'

const caller = (project: string, client = 'c', isGone = () => false): Caller => ({project, client, isGone})

describe('fair places', () => {
  /** Takes the only place, lets the callers wait, and tells in which order they get it. */
  async function orderOf(callers: readonly (readonly [string, string])[]): Promise<string[]> {
    const places = new FairPlaces({atOnce: 1, waiting: 100, refusal: 'full'})
    expect(places.enter(caller('shop', 'a'))).to.equal(undefined)
    const order: string[] = []
    const waiting = callers.map(async ([project, client]) => {
      await places.enter(caller(project, client))
      order.push(`${project} ${client}`)
      places.leave()
    })
    places.leave()
    await Promise.all(waiting)
    return order
  }

  it('serve projects in turns, and within a project its clients', async () => {
    const greedy = Array.from({length: 4}, () => ['shop', 'a'] as const)
    expect(await orderOf([...greedy, ['shop', 'b'], ['shop', 'b'], ['other', 'c']])).to.deep.equal([
      'other c',
      'shop b',
      'shop a',
      'shop b',
      'shop a',
      'shop a',
      'shop a',
    ])
  })

  it('refuse one of those who want most, and one that has left before all', async () => {
    const places = new FairPlaces({atOnce: 0, waiting: 4, refusal: 'full'})
    const refused: string[] = []
    const wait = (name: string, one: Caller): void =>
      void Promise.resolve(places.enter(one)).catch((error: Error) => refused.push(`${name}: ${error.message}`))
    const settled = () => new Promise((resolve) => setImmediate(resolve))
    let hasLeft = false
    wait('a1', caller('shop', 'a'))
    wait('a2', caller('shop', 'a'))
    wait(
      'b1',
      caller('shop', 'b', () => hasLeft),
    )
    wait('a3', caller('shop', 'a'))
    wait('o1', caller('other'))
    await settled()
    expect(refused).to.deep.equal(['a3: full'])
    hasLeft = true
    wait('o2', caller('other'))
    await settled()
    expect(refused).to.deep.equal(['a3: full', 'b1: full'])
    wait('a4', caller('shop', 'a'))
    await settled()
    expect(refused.at(-1)).to.equal('a4: full')
  })

  it('do not refuse who has begun', async () => {
    const places = new FairPlaces({atOnce: 1, waiting: 2, refusal: 'full'})
    expect(places.enter(caller('shop'))).to.equal(undefined)
    // They want more than who comes late.
    const again = Promise.all([places.enter(caller('shop'), true), places.enter(caller('shop'), true)])
    const late = await Promise.resolve(places.enter(caller('other'))).catch((error: Error) => error)
    expect(late).to.have.property('message', 'full')
    places.leave()
    places.leave()
    await again
  })

  it('refuse who comes of the project that wants most, though no client of it does', async () => {
    const places = new FairPlaces({atOnce: 0, waiting: 4, refusal: 'full'})
    const refused: string[] = []
    for (const [project, client] of ['shop a', 'shop b', 'shop c', 'other o', 'other o'].map((one) => one.split(' '))) {
      const entered = Promise.resolve(places.enter(caller(project as string, client)))
      entered.catch(() => refused.push(`${project} ${client}`))
    }
    await new Promise((resolve) => setImmediate(resolve))
    expect(refused).to.deep.equal(['shop c'])
  })
})
