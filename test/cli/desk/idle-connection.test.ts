import {expect} from 'chai'
import {idleConnection} from '../../../src/cli/desk/idle-connection.js'
import type {Connection} from '../../../src/cli/run/connection.js'
import type {Client} from '../../../src/client/client.js'

describe('cli · desk · idle connection', () => {
  const client = {} as Client

  it('is released once nobody has used it for a while, and not during use', async () => {
    let releases = 0
    let onRelease: () => void = () => undefined
    const connection = {
      release: async () => {
        releases += 1
        onRelease()
      },
    } as unknown as Connection
    const idle = idleConnection(connection, async () => client, 1)
    const released = new Promise<void>((resolve) => {
      onRelease = resolve
    })
    await idle.hold(async () => {
      await idle.use(async (given) => expect(given).to.equal(client))
      await new Promise((resolve) => setTimeout(resolve, 5))
      expect(releases).to.equal(0)
    })
    await released
    expect(releases).to.equal(1)
  })

  it('stays open where nobody waits for it', async () => {
    const connection = {release: () => expect.fail('it was released')} as unknown as Connection
    const idle = idleConnection(connection, async () => client, undefined)
    await idle.use(async () => undefined)
    await new Promise((resolve) => setImmediate(resolve))
  })
})
