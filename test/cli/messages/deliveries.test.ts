import {expect} from 'chai'
import {type Attempt, Deliveries, pauseMs} from '../../../src/cli/messages/deliveries.js'
import type {SeenMessage} from '../../../src/cli/messages/follow.js'

const message = (resource: string, sequenceNumber: number): SeenMessage => ({
  id: `${resource}-${sequenceNumber}`,
  type: 'CustomerFirstNameSet',
  createdAt: new Date(sequenceNumber).toISOString(),
  sequenceNumber,
  resource: {typeId: 'customer', id: resource},
})

/** Lets everything happen that waits for nothing from outside. */
const settled = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))

type Answer = number | 'nobody'

interface Pause {
  readonly ms: number
  readonly end: () => void
}

/** Deliveries whose answers and pauses the test gives. */
function deliveriesTo(answer: (message: SeenMessage) => Answer | Promise<Answer>) {
  const sent: string[] = []
  const pauses: Pause[] = []
  const ending = new AbortController()
  let [active, most] = [0, 0]
  const deliveries = new Deliveries({
    signal: ending.signal,
    post: async (one): Promise<Attempt> => {
      sent.push(one.id)
      active += 1
      most = Math.max(most, active)
      const status = await answer(one)
      active -= 1
      return status === 'nobody' ? {problem: 'nobody', isUnreachable: true, durationMs: 1} : {status, durationMs: 1}
    },
    attempted: () => Promise.resolve(),
    wait: (ms) => new Promise<void>((end) => pauses.push({ms, end})),
  })
  return {deliveries, sent, pauses, ending, most: () => most}
}

describe('cli · deliveries of messages', () => {
  it('repeats a refused message after growing pauses, and holds up its resource alone', async () => {
    const {deliveries, sent, pauses} = deliveriesTo(({id}) => (id === 'a-1' && pauses.length < 7 ? 500 : 204))
    for (const [resource, sequence] of [
      ['a', 1],
      ['a', 2],
      ['b', 1],
      ['b', 2],
    ] as const) {
      await deliveries.add(message(resource, sequence))
    }
    await settled()
    expect(sent).to.deep.equal(['a-1', 'b-1', 'b-2'])
    expect(deliveries.oldest).to.equal(new Date(1).toISOString())
    for (let at = 0; at < 7; at += 1) {
      pauses[at]?.end()
      await settled()
    }
    await deliveries.idle()
    expect(pauses.map(({ms}) => ms)).to.deep.equal([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
    expect(sent.slice(3)).to.deep.equal([...Array.from({length: 7}, () => 'a-1'), 'a-2'])
    expect(pauseMs(40)).to.equal(10_000)
  })

  it('sends eight at once, holds two thousand, and takes the next when one is delivered', async () => {
    const answers: ((status: number) => void)[] = []
    const {deliveries, most} = deliveriesTo(() => new Promise((resolve) => answers.push(resolve)))
    for (let at = 0; at < 2_000; at += 1) await deliveries.add(message(`r${at}`, 1))
    let isTaken = false
    const next = deliveries.add(message('next', 1)).then(() => {
      isTaken = true
    })
    await settled()
    expect([answers.length, most(), deliveries.held, isTaken]).to.deep.equal([8, 8, 2_000, false])
    answers[0]?.(200)
    await next
    expect(deliveries.held).to.equal(2_000)
  })

  it('asks a receiver that is not there with one message at a time, and with all when it is back', async () => {
    let isThere = false
    const {deliveries, sent, pauses} = deliveriesTo(
      () => new Promise((resolve) => setImmediate(resolve, isThere ? 200 : 'nobody')),
    )
    for (let at = 0; at < 50; at += 1) await deliveries.add(message(`r${at}`, 1))
    await settled()
    await settled()
    expect(sent).to.have.length(8)
    expect(pauses.map(({ms}) => ms)).to.deep.equal([500])
    pauses[0]?.end()
    await settled()
    await settled()
    expect(sent).to.have.length(9)
    expect(pauses.map(({ms}) => ms)).to.deep.equal([500, 1_000])
    isThere = true
    pauses[1]?.end()
    await deliveries.idle()
    expect(new Set(sent).size).to.equal(50)
    expect(pauses).to.have.length(2)
  })

  it('delivers by sequence number what comes later, behind what was tried', async () => {
    const {deliveries, sent, pauses} = deliveriesTo(() => (pauses.length === 0 ? 500 : 200))
    for (const sequence of [3, 5, 4, 2]) await deliveries.add(message('a', sequence))
    await settled()
    pauses[0]?.end()
    await deliveries.idle()
    expect(sent).to.deep.equal(['a-3', 'a-3', 'a-2', 'a-4', 'a-5'])
  })

  it('begins nothing after the signal, and ends when what is on its way has ended', async () => {
    let answer: (status: number) => void = () => undefined
    const {deliveries, sent, ending} = deliveriesTo(() => new Promise((resolve) => (answer = resolve)))
    await deliveries.add(message('a', 1))
    await deliveries.add(message('a', 2))
    ending.abort()
    let hasEnded = false
    const ended = deliveries.ended().then(() => {
      hasEnded = true
    })
    await settled()
    expect(hasEnded).to.equal(false)
    answer(200)
    await ended
    expect(sent).to.deep.equal(['a-1'])
    expect(deliveries.held).to.equal(1)
  })
})
