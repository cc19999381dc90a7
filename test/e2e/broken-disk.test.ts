import {readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {expect} from 'chai'
import {openSandbox} from './binary.js'

const preload = pathToFileURL(join(import.meta.dirname, 'failing-sync.mjs')).href

describe('a disk that no longer keeps what it is given', () => {
  it('ends the server with 13, says why, and leaves all that was acknowledged', async () => {
    const sandbox = openSandbox()
    try {
      const trigger = join(sandbox.home, 'no-more-syncs')
      const env = {NODE_OPTIONS: `--import=${preload}`, FAILING_SYNC: trigger}
      const {apiUrl, exited} = await sandbox.serve(['--project-key', 'shop'], env)
      const {clientId, clientSecret} = JSON.parse(readFileSync(join(sandbox.data, 'shop.client.json'), 'utf8')) as {
        clientId: string
        clientSecret: string
      }
      const granted = await fetch(`${apiUrl}/oauth/token`, {
        method: 'POST',
        headers: {authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`},
        body: new URLSearchParams({grant_type: 'client_credentials'}),
      })
      const {access_token} = (await granted.json()) as {access_token: string}
      const create = (key: string) =>
        fetch(`${apiUrl}/shop/customers`, {
          method: 'POST',
          headers: {authorization: `Bearer ${access_token}`, 'content-type': 'application/json'},
          body: JSON.stringify({email: `${key}@example.com`, key, authenticationMode: 'ExternalAuth'}),
        })
      expect((await create('before')).status).to.equal(201)
      writeFileSync(trigger, '')
      expect((await create('after')).status).to.equal(503)
      const {code, stdout, stderr} = await exited
      expect(code, stderr).to.equal(13)
      expect(stdout).to.include('The server has ended.').and.include('EIO')
      expect(stderr).to.include('EIO')
      rmSync(trigger)
      const found = await sandbox.frontdesk(['customers', 'get', 'key=before', '--project-key', 'shop', '--json'])
      expect(found.code, found.stderr).to.equal(0)
      expect(found.stdout).to.include('before@example.com')
    } finally {
      sandbox.remove()
    }
  })
})
