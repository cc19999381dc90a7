import {connect, type Socket} from 'node:net'
import {expect} from 'chai'
import {limits} from '../../../src/work/limits.js'
import {openShop, type Shop} from '../shop/shop.js'
import {basic, formType, requestBytes, send} from '../shop/wire.js'

describe('security · S bodies that trickle', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop({settings: {lockout: false}})
  })
  after(() => shop.close())

  /** As many callers as there are connections: each sends a byte now and then, and comes back when it is cut off. */
  async function besieged(head: Buffer, work: () => Promise<void>): Promise<void> {
    const sockets = new Set<Socket>()
    const timers = new Set<NodeJS.Timeout>()
    let isOver = false
    const {port, hostname} = new URL(shop.origin)
    const trickle = (): void => {
      if (isOver) return
      const socket = connect(Number(port), hostname)
      sockets.add(socket)
      const timer = setInterval(() => socket.write('x'), 250)
      timers.add(timer)
      socket.on('error', () => undefined)
      socket.on('data', () => undefined)
      socket.once('connect', () => socket.write(head))
      socket.once('close', () => {
        sockets.delete(socket)
        clearInterval(timer)
        timers.delete(timer)
        const again = setTimeout(() => {
          timers.delete(again)
          trickle()
        }, 300)
        timers.add(again)
      })
    }
    for (let at = 0; at < limits.sockets; at += 1) trickle()
    try {
      // Answered, or not, behind all that were opened before it.
      await send(shop.origin, {path: '/health'}).catch(() => undefined)
      await work()
    } finally {
      isOver = true
      for (const timer of timers) clearTimeout(timer)
      for (const socket of sockets) socket.destroy()
    }
  }

  /** Requests on new connections, one after the other; how many were answered. */
  async function answered(count: number): Promise<number> {
    let good = 0
    for (let at = 0; at < count; at += 1) {
      const status = await send(shop.origin, {path: '/health'}).then(
        (answer) => answer.status,
        () => 0,
      )
      if (status === 200) good += 1
    }
    return good
  }

  const heads: Readonly<Record<string, () => Buffer>> = {
    'with credentials': () =>
      requestBytes(shop.origin, {
        method: 'POST',
        path: '/oauth/token',
        headers: {
          authorization: basic(shop.clients.NONE.id, shop.clients.NONE.secret),
          'content-type': formType,
          'content-length': '60000',
        },
        body: '',
      }),
    'without credentials': () =>
      requestBytes(shop.origin, {
        method: 'POST',
        path: '/shop/customers',
        headers: {'content-type': 'application/json', 'content-length': '60000'},
        body: '',
      }),
    'in chunks': () =>
      requestBytes(shop.origin, {
        method: 'POST',
        path: '/oauth/token',
        headers: {
          authorization: basic(shop.clients.NONE.id, shop.clients.NONE.secret),
          'content-type': formType,
          'transfer-encoding': 'chunked',
        },
        body: 'ffff\r\n',
      }),
    'on a path that is not there': () =>
      requestBytes(shop.origin, {method: 'POST', path: '/', headers: {'content-length': '60000'}, body: ''}),
  }
  for (const [how, head] of Object.entries(heads)) {
    it(`S-06 leave room for at least 19 of 20 new callers ${how}`, async () => {
      await besieged(head(), async () => {
        expect(await answered(40)).to.be.at.least(38)
      })
    })
  }

  it('does not wait for the rest of a refused body while connections are scarce', async () => {
    const [quiet, small] = await Promise.all([openShop(), openShop({limits: {sockets: 8}})])
    const {port, hostname} = new URL(small.origin)
    const idle = Array.from({length: 5}, () => connect(Number(port), hostname))
    try {
      await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
      const headers = {'content-type': 'application/json', 'content-length': '60000'}
      const refused = {method: 'POST', path: '/shop/customers', headers, body: '{'}
      const answered: string[] = []
      const ask = async (name: string, origin: string): Promise<void> => {
        expect((await send(origin, refused)).status).to.equal(401)
        answered.push(name)
      }
      // The quiet server is asked first, and waits; so the other one overtakes it.
      await Promise.all([ask('quiet', quiet.origin), ask('crowded', small.origin)])
      expect(answered).to.deep.equal(['crowded', 'quiet'])
    } finally {
      for (const socket of idle) socket.destroy()
      await Promise.all([quiet.close(), small.close()])
    }
  })
})
