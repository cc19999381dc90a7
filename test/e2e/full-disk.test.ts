import {execFileSync} from 'node:child_process'
import {mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, StateError, startServer} from '../../src/index.js'

/** A server whose state lies on a real file system of eight megabytes, filled to the last block. */

interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: {readonly id?: string; readonly count?: number; readonly errors?: readonly {readonly code: string}[]}
}

function mounted(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=0700', 'tmpfs', folder], {stdio: 'ignore'})
    return true
  } catch {
    return false
  }
}

async function asker(server: RunningServer) {
  const {clientId, clientSecret} = server.client
  const granted = await fetch(`${server.authUrl}/oauth/token`, {
    method: 'POST',
    headers: {authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`},
    body: new URLSearchParams({grant_type: 'client_credentials'}),
  })
  const {access_token} = (await granted.json()) as {access_token: string}
  const headers = {authorization: `Bearer ${access_token}`, 'content-type': 'application/json'}
  return async (path: string, draft?: object): Promise<Answer> => {
    const init = draft ? {method: 'POST', body: JSON.stringify(draft)} : {}
    const answer = await fetch(`${server.apiUrl}/shop/customers${path}`, {...init, headers})
    const retryAfter = answer.headers.get('retry-after')
    return {status: answer.status, retryAfter, body: (await answer.json()) as Answer['body']}
  }
}

const draft = (name: string): object => ({
  email: `${name}@example.com`,
  key: name,
  authenticationMode: 'ExternalAuth',
  companyName: 'x'.repeat(2000),
})

describe('a full disk', () => {
  it('answers 503, loses nothing, and goes on when there is room again', async function () {
    const folder = mkdtempSync(join(tmpdir(), 'frontdesk-full-'))
    if (!mounted(folder)) {
      rmdirSync(folder)
      console.warn('    File systems cannot be mounted here: the test of a full disk is skipped.')
      this.skip()
    }
    const filler = join(folder, 'filler')
    const dataDir = join(folder, 'state')
    const kept = new Set<string>()
    let server = await startServer({dataDir, projectKey: 'shop'})
    try {
      let ask = await asker(server)
      const create = async (name: string): Promise<Answer> => {
        const answer = await ask('', draft(name))
        if (answer.status === 201) kept.add(name)
        return answer
      }
      for (let at = 0; at < 50; at += 1) expect((await create(`before-${at}`)).status).to.equal(201)
      const {bavail, bsize} = statfsSync(folder)
      writeFileSync(filler, Buffer.alloc(bavail * bsize - 64 * 1024))

      const refused = await firstRefusal((at) => create(`during-${at}`))
      expect(refused).to.deep.include({status: 503})
      expect(refused.body.errors?.[0]?.code).to.equal('OverCapacity')
      expect(Number(refused.retryAfter)).to.be.above(0)
      const burst = await Promise.all(Array.from({length: 20}, (_, at) => create(`burst-${at}`)))
      expect(new Set(burst.map(({status}) => status)).has(503)).to.equal(true)
      for (const name of kept) expect((await ask(`/key=${name}`)).status, name).to.equal(200)

      // Whoever starts it again on the full disk is told, or gets a server that reads.
      await server.stop()
      const again = await startServer({dataDir, projectKey: 'shop'}).catch((error: unknown) => error)
      if (again instanceof Error) expect(again).to.be.an.instanceOf(StateError)
      else await (again as RunningServer).stop()

      rmSync(filler)
      server = await startServer({dataDir, projectKey: 'shop'})
      ask = await asker(server)
      for (let at = 0; at < 20; at += 1) expect((await create(`after-${at}`)).status).to.equal(201)
      await server.stop()
      server = await startServer({dataDir, projectKey: 'shop'})
      ask = await asker(server)
      for (const name of kept) expect((await ask(`/key=${name}`)).status, `reopened: ${name}`).to.equal(200)
      expect((await ask('?limit=0&withTotal=true')).body).to.deep.include({total: kept.size})
    } finally {
      await server.stop()
      execFileSync('umount', [folder])
      rmdirSync(folder)
    }
  })
})

/** Asks until there is no room; more than fits was asked long before the bound. */
async function firstRefusal(create: (at: number) => Promise<Answer>): Promise<Answer> {
  for (let at = 0; at < 200; at += 1) {
    const answer = await create(at)
    if (answer.status !== 201) return answer
  }
  throw new Error('The disk never filled up.')
}
