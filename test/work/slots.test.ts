import {expect} from 'chai'
import {overCapacity} from '../../src/domain/errors.js'
import {Slots} from '../../src/work/slots.js'

describe('slots', () => {
  it('go to who has waited longest', async () => {
    const slots = new Slots({atOnce: 1, waiting: 100, refusal: () => overCapacity('full')})
    expect(slots.enter()).to.equal(undefined)
    const order: number[] = []
    const waiting = [0, 1, 2].map(async (at) => {
      await slots.enter()
      order.push(at)
      slots.leave()
    })
    slots.leave()
    await Promise.all(waiting)
    expect(order).to.deep.equal([0, 1, 2])
    expect(slots.enter()).to.equal(undefined)
  })

  it('are refused beyond those that may wait, but not to work that has begun', async () => {
    const slots = new Slots({atOnce: 1, waiting: 1, refusal: () => overCapacity('full')})
    expect(slots.enter()).to.equal(undefined)
    const waiting = slots.enter()
    expect(() => slots.enter())
      .to.throw('full')
      .with.property('statusCode', 503)
    const again = slots.enter(true)
    slots.leave()
    await waiting
    slots.leave()
    await again
  })
})
