import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {queryCustomers} from '../../src/api/customers/operations.js'
import {connectEmbedded} from '../../src/client/embedded.js'
import type {Exchange} from '../../src/client/target.js'
import {newDirectory, removeDirectories} from '../store/directory.js'

describe('client · embedded in many processes', () => {
  after(removeDirectories)

  it('knows a token that another process issued after the state was read', async () => {
    const target = {kind: 'embedded', projectKey: 'shop', dataDir: newDirectory()} as const
    const made = await connectEmbedded(target, {})
    await made.close()
    const exchanges: Exchange[] = []
    const late = await connectEmbedded(target, {onExchange: (exchange) => exchanges.push(exchange)})
    const other = await connectEmbedded(target, {})
    try {
      await other.call(queryCustomers, {})
      await other.close()
      await Promise.all([late.call(queryCustomers, {}), late.call(queryCustomers, {})])
      expect(exchanges.map(({method, status}) => `${method} ${status}`)).to.deep.equal(['GET 200', 'GET 200'])
    } finally {
      await late.close()
    }
  })

  it('asks for a token itself while it holds the folder that the one at work waits for', async () => {
    const target = {kind: 'embedded', projectKey: 'shop', dataDir: newDirectory()} as const
    const holder = await connectEmbedded(target, {})
    const waiting = await connectEmbedded(target, {})
    const tokens = join(target.dataDir, '.tokens')
    const turns = () => (existsSync(tokens) ? readdirSync(tokens).filter((name) => name.endsWith('.turn')) : [])
    const answer = waiting.call(queryCustomers, {})
    while (turns().length === 0) await new Promise((resolve) => setImmediate(resolve))
    const [turn = ''] = turns()
    const before = readFileSync(join(tokens, turn), 'utf8')
    await holder.call(queryCustomers, {})
    // Who waits is not taken for stuck, which takes ten seconds.
    expect(readFileSync(join(tokens, turn), 'utf8')).to.equal(before)
    await holder.close()
    expect((await answer).count).to.equal(0)
    await waiting.close()
  })

  it('still refuses a token that nobody issued', async () => {
    const dataDir = newDirectory()
    await (await connectEmbedded({kind: 'embedded', projectKey: 'shop', dataDir}, {})).close()
    const credentials = {kind: 'token', token: async () => 'of-elsewhere'} as const
    const client = await connectEmbedded({kind: 'embedded', projectKey: 'shop', dataDir, credentials}, {})
    const {status} = await client.raw('GET', '/shop')
    expect(status).to.equal(401)
    await client.close()
  })
})
