import {connect as connectTo} from 'node:net'
import {BroadcastChannel} from 'node:worker_threads'
import {expect} from 'chai'
import {passwordsOf} from '../../../src/secrets/passwords.js'
import {WorkerPool} from '../../../src/secrets/worker-pool.js'
import {openShop, type Shop} from '../shop/shop.js'
import {type Answer, basic, formType, requestBytes} from '../shop/wire.js'
import {lives, watch} from './survival.js'

describe('security · S survival of password workers', () => {
  watch()
  let shop: Shop
  before(async () => {
    const script = new URL('./survival-worker.mjs', import.meta.url)
    shop = await openShop({passwordWorkers: new WorkerPool(script, {threads: 2, heapMb: 16})})
  })
  after(() => shop.close())

  const endings = [
    'ends quietly',
    'ends with a code',
    'throws at once',
    'throws later',
    'answers somebody else',
    'runs out of memory',
  ]
  let counter = 0
  const signUp = async (password: string): Promise<Answer> => {
    counter += 1
    const draft = {email: `w${counter}@example.com`, password}
    return shop.api('POST', '/shop/customers', await shop.token('ADM'), draft)
  }

  for (const ending of endings) {
    it(`answers 503 for a worker that ${ending}, and hashes the next password`, async () => {
      const refused = await signUp(ending)
      expect(refused.status).to.equal(503)
      expect(refused.body.errors[0].code).to.equal('OverCapacity')
      expect(refused.headers.get('retry-after')).to.match(/^\d+$/)
      expect(refused.text).to.not.match(/worker|fault/)
      expect((await signUp('right horse')).status).to.equal(201)
      await lives(shop)
    })
  }

  it('loses nobody who waits while workers end', async () => {
    const passwords = Array.from({length: 20}, (_, at) => (at % 2 === 0 ? 'throws at once' : 'right horse'))
    const answers = await Promise.all(passwords.map(signUp))
    expect(answers.map(({status}) => status)).to.deep.equal(passwords.map((_, at) => (at % 2 === 0 ? 503 : 201)))
  })

  it('compares again after a comparison could not be made, with an account and without', async () => {
    const pool = new WorkerPool(new URL('./survival-worker.mjs', import.meta.url), {threads: 1})
    const run = pool.run.bind(pool)
    const {verify} = passwordsOf(4, pool)
    pool.run = () => Promise.reject(new Error('full'))
    const known = {hash: `$2b$04$${'a'.repeat(53)}`}
    for (const account of [known, undefined]) {
      expect(await verify('shop', 'right horse', account).catch((error: Error) => error.message)).to.equal('full')
    }
    pool.run = run
    expect(await verify('shop', 'right horse', known)).to.equal(true)
    expect(await verify('shop', 'right horse', undefined)).to.equal(false)
  })
})

describe('security · S the share of a project in the password workers', () => {
  /** Answers when a test says so. */
  const script = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import {parentPort, workerData} from 'node:worker_threads'
      parentPort.on('message', ({id, text}) => {
        const gate = new BroadcastChannel('open')
        const answer = () => { gate.close(); parentPort.postMessage({id, hash: text}) }
        if (text !== 'slow') return answer()
        gate.onmessage = answer
        parentPort.postMessage({id: -1})
      })`)}`,
  )
  const pool = () => new WorkerPool(script, {threads: 2})
  let gate: BroadcastChannel
  beforeEach(() => {
    gate = new BroadcastChannel('open')
  })
  afterEach(() => gate.close())

  it('S-88 lets a project pass before the waiting passwords of another', async () => {
    const workers = pool()
    const busy = Array.from({length: 40}, () => workers.run({text: 'slow', cost: 4}, 'busy'))
    const ended: string[] = []
    for (const one of busy) void one.then(() => ended.push('busy'))
    const first = workers.run({text: 'quick', cost: 4}, 'calm').then(() => ended.push('calm'))
    const opening = setInterval(() => gate.postMessage('open'), 5)
    await first
    expect(ended.length, `${ended}`).to.be.at.most(4)
    await Promise.all(busy)
    clearInterval(opening)
  })

  it('S-88 drops a password of the project that fills the queue, and none of another', async () => {
    const workers = pool()
    const busy = Array.from({length: 66}, () => workers.run({text: 'slow', cost: 4}, 'busy'))
    const settled = Promise.allSettled(busy)
    const calm = Array.from({length: 20}, () => workers.run({text: 'quick', cost: 4}, 'calm'))
    const opening = setInterval(() => gate.postMessage('open'), 5)
    expect((await Promise.all(calm)).map(({hash}) => hash)).to.deep.equal(calm.map(() => 'quick'))
    const refused = (await settled).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    clearInterval(opening)
    expect(refused).to.have.length(20)
    expect(refused[0]).to.include({code: 'OverCapacity'})
  })
})

describe('security · S survival of callers', () => {
  watch()
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  /** Says something, waits for as much of an answer as is asked for, and resets the connection. */
  const resets = (bytes: string | Buffer, answered = 0): Promise<void> =>
    new Promise((resolve) => {
      const {hostname, port} = new URL(shop.origin)
      const socket = connectTo(Number(port), hostname)
      let heard = 0
      const reset = () => {
        socket.resetAndDestroy()
      }
      socket.on('error', () => undefined)
      socket.on('close', () => resolve())
      socket.once('connect', () => {
        socket.write(bytes, () => {
          if (answered === 0) reset()
        })
      })
      socket.on('data', (chunk) => {
        heard += chunk.length
        if (heard >= answered) reset()
      })
    })

  it('answers others after connections were reset at every stage of a request', async () => {
    const {id, secret} = shop.clients.ADM
    const headers = {authorization: basic(id, secret), 'content-type': formType, connection: 'keep-alive'}
    const token = requestBytes(shop.origin, {
      method: 'POST',
      path: '/oauth/token',
      headers,
      body: 'grant_type=client_credentials',
    })
    const document = requestBytes(shop.origin, {path: '/openapi.json', headers: {connection: 'keep-alive'}})
    for (let cut = 0; cut <= token.length; cut += Math.ceil(token.length / 16)) await resets(token.subarray(0, cut))
    await resets(token)
    await resets(token, 1)
    await resets(document, 1)
    await resets(Buffer.concat([document, document, token]), 1)
    await resets(Buffer.concat(Array.from({length: 50}, () => document)))
    await lives(shop)
  })

  it('answers others after a reset of what is no request', async () => {
    for (const bytes of [
      'CONNECT elsewhere:443 HTTP/1.1\r\nhost: elsewhere\r\n\r\n',
      'GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'GET /health HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 5\r\n\r\n',
    ]) {
      for (const answered of [0, 1]) await resets(`${bytes}${'x'.repeat(answered)}`, answered)
      await Promise.all(Array.from({length: 20}, () => resets(bytes)))
    }
    await lives(shop)
    expect(shop.faults).to.deep.equal([])
  })
})
