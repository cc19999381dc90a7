import {expect} from 'chai'
import {Unreachable} from '../../src/client/client.js'
import {refusalOf, retryAfterSeconds} from '../../src/client/transports/refusal.js'
import {ApiError} from '../../src/domain/errors.js'
import {Limiter, type Pressure} from '../../src/transfer/send/limiter.js'
import {classifyFailure, Sender, sendingOf, UnexpectedResponse} from '../../src/transfer/send/sender.js'
import {quickRuntime} from './desk.js'
import {failureOf} from './scratch.js'

const tooMany = (retryAfterSeconds: number): ApiError => ApiError.of('TooManyRequests', {retryAfterSeconds})
const busy = ApiError.of('OverCapacity', {message: 'busy'})
const refused = ApiError.of('InvalidInput', {message: 'no'})

describe('transfer · limiter', () => {
  it('never lets more in than its limit', async () => {
    const limiter = new Limiter({concurrency: 3}, quickRuntime())
    let [active, most] = [0, 0]
    const task = async (): Promise<void> => {
      const permit = await limiter.enter()
      active += 1
      most = Math.max(most, active)
      await new Promise((resolve) => setImmediate(resolve))
      active -= 1
      permit.done()
    }
    await Promise.all(Array.from({length: 50}, task))
    expect(most).to.equal(3)
  })

  it('halves once for a wave of refusals, and grows by one with each success', async () => {
    const limiter = new Limiter({concurrency: 16}, quickRuntime())
    const wave = await Promise.all(Array.from({length: 16}, () => limiter.enter()))
    for (const permit of wave.slice(0, 10)) permit.congested()
    expect(limiter.pressure.limit).to.equal(8)
    for (const permit of wave.slice(10, 13)) permit.done()
    expect(limiter.pressure.limit).to.equal(11)
    for (const permit of wave.slice(13)) permit.done()
    const next = await limiter.enter()
    next.congested()
    expect(limiter.pressure.limit).to.equal(7)
    for (let step = 0; step < 20; step += 1) (await limiter.enter()).done()
    expect(limiter.pressure.limit).to.equal(16)
    for (let step = 0; step < 9; step += 1) (await limiter.enter()).congested()
    expect(limiter.pressure.limit).to.equal(1)
  })

  it('leaves the server alone for as long as it asked', async () => {
    const runtime = quickRuntime()
    const limiter = new Limiter({concurrency: 4}, runtime)
    const started = runtime.now()
    ;(await limiter.enter()).congested(5000)
    ;(await limiter.enter()).done()
    expect(runtime.now() - started).to.equal(5000)
  })

  it('tells each time how much it is held back, and counts overlapping pauses once', async () => {
    const runtime = quickRuntime()
    const told: object[] = []
    const onThrottle = ({answers, pausedMs, limit, most}: Pressure) => told.push({answers, pausedMs, limit, most})
    const limiter = new Limiter({concurrency: 8, onThrottle}, runtime)
    const [one, two, three] = await Promise.all([limiter.enter(), limiter.enter(), limiter.enter()])
    one.congested(5000)
    two.congested(7000)
    three.congested(1000)
    ;(await limiter.enter()).congested()
    expect(told).to.deep.equal([
      {answers: 1, pausedMs: 5000, limit: 4, most: 8},
      {answers: 2, pausedMs: 7000, limit: 4, most: 8},
      {answers: 3, pausedMs: 7000, limit: 4, most: 8},
      {answers: 4, pausedMs: 7000, limit: 2, most: 8},
    ])
  })

  it('keeps to the rate', async () => {
    const runtime = quickRuntime()
    const limiter = new Limiter({concurrency: 4, ratePerSecond: 10}, runtime)
    const started = runtime.now()
    for (let step = 0; step < 21; step += 1) (await limiter.enter()).done()
    expect(runtime.now() - started).to.equal(2000)
  })

  it('lets nobody in once the run is aborted, and loses no place', async () => {
    const controller = new AbortController()
    const limiter = new Limiter({concurrency: 1}, quickRuntime())
    ;(await limiter.enter()).congested(1000)
    controller.abort()
    expect(await failureOf(limiter.enter(controller.signal))).to.have.property('name', 'AbortError')
    ;(await limiter.enter()).done()
  })
})

describe('transfer · sender', () => {
  const sending = (retries = 3) => {
    const runtime = quickRuntime()
    return {runtime, sender: new Sender(sendingOf({concurrency: 2, runtime, retries}))}
  }
  const failing = (...errors: Error[]) => {
    let calls = 0
    const request = async (): Promise<string> => {
      const error = errors[calls]
      calls += 1
      if (error) throw error
      return 'done'
    }
    return {request, calls: () => calls}
  }

  it('repeats what may pass, and nothing else', async () => {
    const {sender} = sending()
    const passing = failing(tooMany(1), busy, new Unreachable('gone', false, 'c'))
    expect(await sender.send(passing.request)).to.equal('done')
    expect(passing.calls()).to.equal(4)
    const final = failing(refused)
    expect(await failureOf(sender.send(final.request))).to.equal(refused)
    expect(final.calls()).to.equal(1)
    const endless = failing(busy, busy, busy, busy, busy)
    expect(await failureOf(sender.send(endless.request))).to.equal(busy)
    expect(endless.calls()).to.equal(4)
  })

  it('sends no write once the server took none for a minute, and reads on', async () => {
    const full = ApiError.of('OverCapacity', {message: 'The state cannot be written: ENOSPC.', retryAfterSeconds: 5})
    const look = async () => undefined
    const {sender, runtime} = sending(1_000)
    const started = runtime.now()
    expect(await failureOf(sender.send(failing(...Array(100).fill(full)).request, look))).to.equal(full)
    expect(runtime.now() - started).to.be.within(60_000, 90_000)
    const next = failing()
    expect(await failureOf(sender.send(next.request, look))).to.equal(full)
    expect(next.calls()).to.equal(0)
    expect(await sender.send(failing(full, full, full).request)).to.equal('done')
  })

  it('is patient with a server that takes a write now and then', async () => {
    const {sender, runtime} = sending(1_000)
    const slow = ApiError.of('OverCapacity', {message: 'busy', retryAfterSeconds: 20})
    const started = runtime.now()
    for (let write = 0; write < 5; write += 1) {
      expect(await sender.send(failing(slow, slow).request, async () => undefined)).to.equal('done')
    }
    expect(runtime.now() - started).to.be.greaterThan(120_000)
  })

  it('waits at least as long as the server asked, and longer each time otherwise', async () => {
    const {sender, runtime} = sending()
    await sender.send(failing(tooMany(7)).request)
    expect(Math.max(...runtime.waited)).to.be.at.least(7000)
  })

  it('reads how long the server asked as seconds or as a date', () => {
    const now = Date.parse('2026-11-20T10:00:00.500Z')
    const asked = (text?: string): number | undefined => retryAfterSeconds(text, now)
    expect([asked('0'), asked(' 7 '), asked('Fri, 20 Nov 2026 10:00:30 GMT')]).to.deep.equal([0, 7, 30])
    expect(asked('Fri, 20 Nov 2026 09:00:00 GMT')).to.equal(0)
    for (const text of [undefined, '', '-5', 'soon', '1e9', 'Infinity', 'no date GMT']) {
      expect(asked(text), text).to.equal(undefined)
    }
    const date = 'Fri, 20 Nov 2099 10:00:00 GMT'
    expect(classifyFailure(refusalOf({status: 503, headers: {'retry-after': date}, body: {}}, 'request-1'))).to.include(
      {
        repeat: false,
        congested: true,
      },
    )
  })

  it('looks before it sends again when the effect is open', async () => {
    const {sender} = sending()
    const lost = failing(new Unreachable('reset', true, 'c'))
    expect(await sender.send(lost.request, async () => 'found')).to.equal('found')
    expect(lost.calls()).to.equal(1)
    const notThere = failing(new Unreachable('reset', true, 'c'))
    expect(await sender.send(notThere.request, async () => undefined)).to.equal('done')
    const neverSent = failing(new Unreachable('refused', false, 'c'))
    const settle = (): Promise<string> => Promise.reject(new Error('must not look'))
    expect(await sender.send(neverSent.request, settle)).to.equal('done')
  })

  it('repeats once after an answer that is not of the API, and a write only after it looked', async () => {
    const page = new Unreachable('a page of a firewall', true, 'c', {trouble: 'foreign'})
    for (const foreign of [new UnexpectedResponse('null'), page]) {
      const {sender} = sending()
      const read = failing(foreign, foreign, foreign)
      expect(await failureOf(sender.send(read.request))).to.equal(foreign)
      expect(read.calls()).to.equal(2)
      const once = failing(foreign)
      expect(await sender.send(once.request)).to.equal('done')
      const looks: number[] = []
      const other = sending().sender
      const write = failing(foreign, foreign, foreign)
      const look = async () => {
        looks.push(write.calls())
        return undefined
      }
      expect(await failureOf(other.send(write.request, look))).to.equal(foreign)
      expect([write.calls(), looks]).to.deep.equal([2, [1, 2]])
      const seen = failing(foreign)
      expect(await sender.send(seen.request, async () => 'found')).to.equal('found')
      expect(seen.calls()).to.equal(1)
    }
  })

  it('is more patient with answers that are not of the API once the API has answered another, within a bound', async () => {
    const damaged = new UnexpectedResponse('half a body')
    const {sender} = sending(50)
    const besides = (answers: readonly Error[]) => {
      const row = failing(...answers)
      return {...row, request: async () => (await sender.send(async () => 'another row')) && row.request()}
    }
    expect(await sender.send(besides(Array(6).fill(damaged)).request)).to.equal('done')
    const hopeless = besides(Array(50).fill(damaged))
    expect(await failureOf(sender.send(hopeless.request))).to.equal(damaged)
    expect(hopeless.calls()).to.equal(7)
  })

  it('tells refusals, congestion and open effects apart', () => {
    const shape = (error: unknown): string => {
      const {repeat, congested, mayHaveBeenApplied} = classifyFailure(error)
      return `${repeat ? 'repeat ' : ''}${congested ? 'congested ' : ''}${mayHaveBeenApplied ? 'mayHaveBeenApplied' : ''}`.trim()
    }
    expect(shape(refused)).to.equal('')
    expect(shape(new TypeError('bug'))).to.equal('')
    expect(shape(tooMany(1))).to.equal('repeat congested')
    expect(shape(tooMany(86_400))).to.equal('congested')
    expect(shape(busy)).to.equal('repeat congested mayHaveBeenApplied')
    expect(shape(ApiError.of('BadGateway', {message: 'x'}))).to.equal('repeat mayHaveBeenApplied')
    expect(shape(ApiError.of('LockedField', {field: 'email'}))).to.equal('repeat')
    expect(shape(new UnexpectedResponse('half a body'))).to.equal('repeat mayHaveBeenApplied')
  })
})
