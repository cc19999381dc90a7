import {readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {queryCustomers} from '../../src/api/customers/operations.js'
import {connectEmbedded} from '../../src/client/embedded.js'
import {startServer} from '../../src/index.js'
import {newDirectory, rejection, removeDirectories} from '../store/directory.js'

describe("server · the file of a project's first client", () => {
  after(removeDirectories)

  it('is refused with the file and the way back when it was cut, and another client is made without it', async () => {
    const dataDir = newDirectory()
    const target = {kind: 'embedded', projectKey: 'shop', dataDir} as const
    await (await connectEmbedded(target, {})).close()
    const path = join(dataDir, 'shop.client.json')
    const whole = readFileSync(path, 'utf8')
    for (const content of ['', whole.slice(0, 20), '[]', '{"clientId":1}', 'null']) {
      writeFileSync(path, content)
      for (const use of [() => connectEmbedded(target, {}), () => startServer({dataDir, projectKey: 'shop'})]) {
        const error = await rejection(use())
        expect(error, content).to.include({code: 'StateCorrupt', path})
        expect(error, content).to.have.property('remedy').that.includes(`Remove ${path}`)
      }
    }
    rmSync(path)
    const client = await connectEmbedded(target, {})
    await client.call(queryCustomers, {})
    await client.close()
  })
})
