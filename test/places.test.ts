import {expect} from 'chai'
import {Places} from '../src/places.js'

describe('places', () => {
  it('go to who has waited longest', async () => {
    const places = new Places({atOnce: 1, waiting: 100, refusal: 'full'})
    expect(places.enter()).to.equal(undefined)
    const order: number[] = []
    const waiting = [0, 1, 2].map(async (at) => {
      await places.enter()
      order.push(at)
      places.leave()
    })
    expect(places.isWanted).to.equal(true)
    places.leave()
    await Promise.all(waiting)
    expect(order).to.deep.equal([0, 1, 2])
    expect([places.isWanted, places.enter()]).to.deep.equal([false, undefined])
  })

  it('are refused beyond those that may wait, but not to work that has begun', async () => {
    const places = new Places({atOnce: 1, waiting: 1, refusal: 'full'})
    expect(places.enter()).to.equal(undefined)
    const waiting = places.enter()
    expect(() => places.enter())
      .to.throw('full')
      .with.property('statusCode', 503)
    const again = places.enter(true)
    places.leave()
    await waiting
    places.leave()
    await again
  })
})
