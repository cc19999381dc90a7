import {expect} from 'chai'
import {type Incoming, type Outgoing, Unreachable} from '../../src/client/client.js'
import {withRetries} from '../../src/client/transports/retry.js'

const request = (method: string): Outgoing => ({method, path: '/', headers: {}, correlationId: 'retry-test'})
const answer = (status: number): Incoming => ({status, headers: {}, body: {}})

describe('client · repeats', () => {
  it('end when those of all requests have taken as long as they may together', async () => {
    const budget = {leftMs: 150}
    for (const method of ['GET', 'HEAD']) {
      let tries = 0
      const send = async () => {
        tries += 1
        return answer(503)
      }
      expect((await withRetries(request(method), 1_000, send, budget)).status).to.equal(503)
      expect(tries).to.be.within(1, 10)
    }
  })

  it('do not count the first try', async () => {
    const budget = {leftMs: -1}
    expect(await withRetries(request('GET'), 4, async () => answer(200), budget)).to.deep.equal(answer(200))
    expect(budget).to.deep.equal({leftMs: -1})
  })

  it('of a write say what an earlier try leaves open, in an answer and where none comes', async () => {
    const lost = new Unreachable('lost', false, 'retry-test', {trouble: 'proxy'})
    for (const [second, told] of [
      [async () => answer(200), {...answer(200), afterOpenTry: true}],
      [() => Promise.reject(lost), lost.withSent(true)],
    ] as const) {
      const send = (_: Outgoing, attempt: number): Promise<Incoming> =>
        attempt === 1 ? Promise.resolve(answer(503)) : second()
      const outcome: unknown = await withRetries(request('POST'), 1, send, {leftMs: 60_000}).catch(
        (error: unknown) => error,
      )
      if (told instanceof Unreachable) expect(outcome).to.include({message: 'lost', sent: true, trouble: 'proxy'})
      else expect(outcome).to.deep.equal(told)
    }
    expect(lost.withSent(false)).to.equal(lost)
  })
})
