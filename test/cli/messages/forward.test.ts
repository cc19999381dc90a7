import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {type Delivery, forward} from '../../../src/cli/messages/forward.js'
import {markAt} from '../../../src/cli/messages/progress.js'
import {posting, receiverOf} from '../../../src/cli/messages/receiver.js'
import type {Client} from '../../../src/client/client.js'
import {connect} from '../../../src/client/connect.js'
import {operations} from '../../../src/index.js'
import {type RunningServer, startServer} from '../../../src/server/start.js'
import {rounds} from '../../rounds.js'
import {Ledger} from './ledger.js'

const {createCustomer, updateCustomerById} = operations

/** A project over HTTP, as the platform is one, and a receiver. */
class Shop {
  readonly folder = mkdtempSync(join(tmpdir(), 'frontdesk-forward-'))
  readonly path = join(this.folder, 'marks', 'mark.json')
  readonly ledger = new Ledger()
  readonly deliveries: Delivery[] = []
  readonly troubles: string[] = []
  server!: RunningServer
  client!: Client
  #port = 0

  async up(): Promise<this> {
    const dataDir = join(this.folder, 'state')
    this.server = await startServer({projectKey: 'shop', dataDir, port: this.#port})
    const {apiUrl, authUrl, projectKey, client} = this.server
    this.#port = Number(new URL(apiUrl).port)
    const secret = () => Promise.resolve(client.clientSecret)
    const credentials = {kind: 'client', clientId: client.clientId, secret} as const
    this.client ??= await connect({kind: 'remote', apiUrl, authUrl, projectKey, credentials}, {retries: 0})
    return this
  }

  /** Delivers until the work has ended, or until nothing is left. */
  async forwarding(since: string | undefined, work?: () => Promise<void>): Promise<void> {
    const ending = new AbortController()
    const receiver = receiverOf(this.ledger.url, '--to', 'platform', undefined, {})
    const {post, close} = await posting(receiver, {})
    let ready = (): void => undefined
    const isReady = new Promise<void>((resolve) => {
      ready = resolve
    })
    const running = forward({
      client: this.client,
      query: {},
      path: this.path,
      since,
      isOnce: work === undefined,
      intervalMs: 1,
      post: (message) => post({...message}),
      close,
      onDelivery: async (delivery) => void this.deliveries.push(delivery),
      onTrouble: ({message}) => this.troubles.push(message),
      onReady: ready,
      clock: Date.now,
      wait: () => new Promise((resolve) => setImmediate(resolve)),
      signal: ending.signal,
    })
    try {
      await Promise.race([isReady, running])
      await Promise.race([work?.(), ...(work ? [running] : [])])
    } finally {
      if (work) ending.abort()
      await running
    }
  }

  async change(key: string, times = 1): Promise<void> {
    const body = {email: `${key}@example.com`, key, authenticationMode: 'ExternalAuth'} as const
    const {customer} = await this.client.call(createCustomer, {}, {body})
    let {version} = customer
    for (let at = 0; at < times; at += 1) {
      const actions = [{action: 'setFirstName', firstName: `${key} ${at}`}] as never
      version = (await this.client.call(updateCustomerById, {id: customer.id}, {body: {version, actions}})).version
    }
  }

  async messageIds(): Promise<string[]> {
    return (await this.server.messages()).map(({id}) => id).sort()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close()
    await this.server.stop()
    await this.ledger.down()
    rmSync(this.folder, {recursive: true})
  }
}

async function openShop(): Promise<Shop> {
  const shop = await new Shop().up()
  await shop.ledger.up()
  return shop
}

describe('cli · forwarding messages', () => {
  it('loses none and keeps the order of each resource, whatever the receiver answers', async () => {
    await using shop = await openShop()
    const {ledger} = shop
    await shop.change('before')
    const writers = rounds(6, 40)
    let asked = 0
    ledger.answer = () => {
      asked += 1
      if (asked % 3 === 0) return 500
      return asked % 5 === 0 ? 'hang up' : 200
    }
    await shop.forwarding(undefined, async () => {
      await Promise.all(Array.from({length: writers}, (_, at) => shop.change(`c-${at}`, 8)))
      await ledger.until(() => ledger.ids.length === writers * 9)
    })
    const known = await shop.messageIds()
    expect(ledger.ids).to.have.length(known.length - 2)
    expect(known).to.include.members(ledger.ids)
    expect(ledger.outOfOrder).to.deep.equal([])
    expect(ledger.accepted).to.have.length(ledger.ids.length)
    expect(shop.deliveries.some(({status, repeatMs}) => status === 500 && repeatMs === 500)).to.equal(true)
  })

  it('lets others go on beside a resource that is refused', async () => {
    await using shop = await openShop()
    const {ledger} = shop
    let refused: string | undefined
    ledger.answer = ({resource: {id}}) => {
      refused ??= id
      return id === refused ? 500 : 200
    }
    await shop.forwarding(undefined, async () => {
      await shop.change('poison', 2)
      await shop.change('well', 2)
      await ledger.until(() => ledger.accepted.length === 3)
    })
    expect(new Set(ledger.accepted.map(({resource: {id}}) => id)).size).to.equal(1)
    ledger.answer = () => 200
    await shop.forwarding('last')
    expect(ledger.ids).to.have.length(6)
    expect(ledger.accepted, 'twice').to.have.length(6)
    expect(ledger.outOfOrder).to.deep.equal([])
  })

  it('goes on after the last one delivered, and ends when nothing is left', async () => {
    await using shop = await openShop()
    const {ledger} = shop
    await shop.forwarding(undefined, async () => {
      await shop.change('first', 3)
      await ledger.until(() => ledger.accepted.length === 4)
    })
    await shop.change('second', 3)
    await shop.forwarding('last')
    await shop.forwarding('last')
    expect(ledger.accepted).to.have.length(8)
    expect([...ledger.ids].sort()).to.deep.equal(await shop.messageIds())
    expect(readFileSync(shop.path, 'utf8')).not.to.include('example.com')
  })

  it('begins at the beginning where no run has ended, and at a moment that is given', async () => {
    await using shop = await openShop()
    await shop.change('first', 3)
    await shop.forwarding(new Date(Date.now() + 60_000).toISOString())
    expect(shop.ledger.accepted).to.have.length(0)
    rmSync(shop.path, {force: true})
    await shop.forwarding('last')
    expect(shop.ledger.accepted).to.have.length(4)
    await shop.forwarding(new Date(0).toISOString())
    expect(shop.ledger.accepted).to.have.length(8)
  })

  it('waits for a receiver and a server that start again', async () => {
    await using shop = await openShop()
    const {ledger} = shop
    await shop.forwarding(undefined, async () => {
      await shop.change('aa', 3)
      await ledger.until(() => ledger.accepted.length === 4)
      await ledger.down()
      await shop.change('bb', 3)
      await shop.server.stop()
      await shop.up()
      await ledger.up()
      await shop.change('cc', 3)
      await ledger.until(() => ledger.ids.length === 12)
    })
    expect([...ledger.ids].sort()).to.deep.equal(await shop.messageIds())
    expect(ledger.outOfOrder).to.deep.equal([])
  })

  it('keeps what a message of the future leaves, when the clock of the target goes back', async () => {
    await using shop = await openShop()
    const {ledger, server} = shop
    await shop.forwarding(undefined, async () => {
      server.clock.advance(86_400_000)
      await shop.change('future')
      await ledger.until(() => ledger.accepted.length === 2)
      server.clock.real()
      await shop.change('now')
      await ledger.until(() => ledger.accepted.length === 4)
    })
    expect(Date.parse(markAt(shop.path)?.watermark ?? '')).to.be.lessThan(Date.now())
    await shop.change('later')
    await shop.forwarding('last')
    expect(ledger.ids).to.have.length(6)
  })

  it('ends with what is thrown for a delivery, which comes again', async () => {
    await using shop = await openShop()
    await shop.change('aa', 1)
    const push = shop.deliveries.push.bind(shop.deliveries)
    shop.deliveries.push = () => {
      throw new Error('the reader has gone')
    }
    const failed = await shop.forwarding('last').catch((error: Error) => error)
    expect(failed).to.have.property('message', 'the reader has gone')
    shop.deliveries.push = push
    await shop.forwarding('last')
    expect([...shop.ledger.ids].sort()).to.deep.equal(await shop.messageIds())
  })
})
