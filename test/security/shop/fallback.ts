import {expect} from 'chai'
import type {FallbackOptions} from '../../../src/server/fallback/target.js'
import {openShop, type Shop} from './shop.js'
import {echo, type Received, startUpstream, type Upstream} from './upstream.js'
import {type Answer, send} from './wire.js'

/** One upstream, and one shop that hands paths on to it, for all tests of a block; none of them leaves a fault. */
export function shopWithFallback(fallbackOf: (url: string) => FallbackOptions) {
  const at = {} as {upstream: Upstream; shop: Shop; admin: string}
  before(async () => {
    at.upstream = await startUpstream()
    at.shop = await openShop({fallback: fallbackOf(at.upstream.url)})
    at.admin = await at.shop.token('ADM')
  })
  after(async () => {
    await at.shop.close()
    await at.upstream.close()
  })
  beforeEach(() => {
    at.upstream.answer = echo
  })
  afterEach(() => expect(at.shop.faults).to.deep.equal([]))

  return Object.assign(at, {
    ask: (path: string, {method = 'GET', token = at.admin, headers = {}, body = ''} = {}): Promise<Answer> =>
      send(at.shop.origin, {
        method,
        path,
        headers: {...(token === '' ? {} : {authorization: `Bearer ${token}`}), ...headers},
        ...(body === '' ? {} : {body}),
      }),
    /** What the upstream is asked while `work` runs. */
    received: async (work: () => Promise<unknown>): Promise<readonly Received[]> => {
      const before = at.upstream.asked.length
      await work()
      return at.upstream.asked.slice(before)
    },
  })
}

/** Upstreams and shops that a test makes for itself; they are closed after it. */
export function ownFallbacks() {
  const opened: {close(): Promise<unknown>}[] = []
  const kept = <T extends {close(): Promise<unknown>}>(thing: T): T => {
    opened.push(thing)
    return thing
  }
  const closeAll = async (): Promise<void> => {
    for (const thing of opened.splice(0).reverse()) await thing.close()
  }
  afterEach(closeAll)
  return {
    closeAll,
    kept,
    upstreamOf: async (answer: Upstream['answer'] = echo, buffers = true): Promise<Upstream> => {
      const upstream = kept(await startUpstream({buffers}))
      upstream.answer = answer
      return upstream
    },
    shopAt: async (url: string, answerTimeoutMs?: number): Promise<{shop: Shop; token: string}> => {
      const shop = kept(await openShop({fallback: {url, ...(answerTimeoutMs === undefined ? {} : {answerTimeoutMs})}}))
      return {shop, token: await shop.token('ADM')}
    },
  }
}

export const bearer = (token: string) => ({authorization: `Bearer ${token}`})

export const refusal = ({status, body}: Answer) => [status, body.statusCode, body.errors[0].code]
