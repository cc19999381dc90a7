import type {ChildProcess} from 'node:child_process'
import {expect} from 'chai'
import {connect} from '../../src/client/connect.js'
import {operations} from '../../src/index.js'
import {localClient} from '../../src/server/local/local-files.js'
import {Ledger} from '../cli/messages/ledger.js'
import {openSandbox} from '../e2e/binary.js'
import {rounds} from '../rounds.js'

const {createCustomer, queryMessages} = operations
const kills = rounds(1, 12)
const each = 60

type Sandbox = ReturnType<typeof openSandbox>

/** Writes customers, and calls `act` in the middle. What is not answered was not acknowledged. */
async function written(box: Sandbox, apiUrl: string, round: string, act: () => void): Promise<void> {
  const known = localClient(box.data, 'local')
  const secret = async () => known?.clientSecret ?? ''
  const credentials = {kind: 'client', clientId: known?.clientId ?? '', secret} as const
  const target = {kind: 'remote', projectKey: 'local', apiUrl, authUrl: apiUrl, credentials} as const
  const client = await connect(target, {retries: 0})
  try {
    await Promise.all(
      Array.from({length: each}, async (_, at) => {
        const key = `${round}-${at}`
        await client.call(createCustomer, {}, {
          body: {email: `${key}@example.com`, key, authenticationMode: 'ExternalAuth'},
        } as never)
        if (at === each / 2) act()
      }),
    ).catch(() => undefined)
  } finally {
    await client.close()
  }
}

/** Every message of the state, read from its folder. */
async function messageIds(box: Sandbox): Promise<string[]> {
  const client = await connect({kind: 'embedded', dataDir: box.data, projectKey: 'local'})
  try {
    const {results} = await client.call(queryMessages, {}, {query: {limit: 500, sort: 'createdAt asc'}})
    return results.map(({id}) => id).sort()
  } finally {
    await client.close()
  }
}

describe('messages forward · kill -9', () => {
  let box: Sandbox
  let ledger: Ledger
  const servers: ChildProcess[] = []
  const serve = async (...words: string[]) => {
    const served = await box.serve(words)
    servers.push(served.child)
    return served
  }
  beforeEach(async () => {
    box = openSandbox()
    ledger = await new Ledger().up()
  })
  afterEach(async () => {
    for (const child of servers.splice(0)) child.kill('SIGKILL')
    await ledger.down()
    box.remove()
  })
  const forward = (...words: string[]) => ['messages', 'forward', '--local', '--to', ledger.url, ...words]

  /** A command that forwards until it is ended; `until` fails where it ends before. */
  const begin = () => {
    const {child, exited} = box.begin(forward('--since', 'last', '--every', '50ms'))
    const early = exited.then(({stderr}) => Promise.reject(new Error(`the command ended: ${stderr}`)))
    early.catch(() => undefined)
    return {child, exited, until: (holds: () => boolean) => Promise.race([ledger.until(holds), early])}
  }

  it(`loses nothing when it is killed (rounds: ${kills}), and ends with Ctrl-C`, async () => {
    const {child: server, apiUrl, exited} = await serve()
    for (let round = 1; round <= kills; round += 1) {
      const {child, exited: ended, until} = begin()
      const before = ledger.ids.length
      await written(box, apiUrl, `r${round}`, () => undefined)
      await until(() => ledger.ids.length > before + round * 7)
      child.kill('SIGKILL')
      await ended
    }
    const {child, exited: ended, until} = begin()
    await until(() => ledger.ids.length === kills * each)
    child.kill('SIGINT')
    expect((await ended).code).to.equal(130)
    const delivered = ledger.accepted.length
    expect((await box.frontdesk(forward('--since', 'last', '--once'))).code).to.equal(0)
    expect(ledger.accepted, 'after a clean end').to.have.length(delivered)
    expect(ledger.outOfOrder).to.deep.equal([])
    server.kill('SIGTERM')
    await exited
    expect([...ledger.ids].sort()).to.deep.equal(await messageIds(box))
  })

  it(`loses nothing inside a server that is killed (rounds: ${kills})`, async () => {
    const start = () => serve('--forward-messages', ledger.url)
    for (let round = 1; round <= kills; round += 1) {
      const {child, apiUrl, exited} = await start()
      await written(box, apiUrl, `r${round}`, () => child.kill('SIGKILL'))
      await exited
    }
    const all = await messageIds(box)
    const {child, exited} = await start()
    await ledger.until(() => ledger.ids.length === all.length)
    child.kill('SIGTERM')
    expect((await exited).code).to.equal(143)
    expect([...ledger.ids].sort()).to.deep.equal(all)
    expect(ledger.outOfOrder).to.deep.equal([])
    expect((await box.frontdesk(['server', 'start', '--forward-messages', 'https://shop.example/'])).code).to.equal(2)
  })
})
