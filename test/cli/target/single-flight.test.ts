import {existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import type {Transport} from '../../../src/client/client.js'
import {sessionOf} from '../../../src/client/session/session.js'
import {singleFlight} from '../../../src/client/session/single-flight.js'
import {cachedToken, cacheToken, dropToken} from '../../../src/client/session/token-cache.js'

describe('cli · turns of processes that want the same', () => {
  let folder = ''
  let path = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-turns-'))
    path = join(folder, 'tokens', 'key.turn')
  })
  afterEach(() => rmSync(folder, {recursive: true, force: true}))

  const {signal} = new AbortController()

  /** Work whose result others find, and that counts how often it was done. */
  function shared() {
    const seen = {worked: 0, result: undefined as string | undefined}
    const once = () =>
      singleFlight(path, {
        mayWait: () => true,
        signal,
        found: async () => seen.result,
        work: async () => {
          seen.worked += 1
          expect(statSync(path).mode & 0o777).to.equal(0o600)
          await new Promise((resolve) => setImmediate(resolve))
          seen.result = `result ${seen.worked}`
          return seen.result
        },
      })
    return {seen, once}
  }

  it('lets one work and the others find the result', async () => {
    const {seen, once} = shared()
    const results = await Promise.all(Array.from({length: 8}, once))
    expect(new Set(results)).to.deep.equal(new Set(['result 1']))
    expect(seen.worked).to.equal(1)
    expect(existsSync(path)).to.equal(false)
  })

  it('gives the turn on when the work fails', async () => {
    let tries = 0
    const once = () =>
      singleFlight(path, {
        mayWait: () => true,
        signal,
        found: async () => undefined,
        work: async () => {
          tries += 1
          if (tries < 3) throw new Error('refused')
          return 'made'
        },
      }).catch((error: Error) => error.message)
    expect((await Promise.all([once(), once(), once()])).sort()).to.deep.equal(['made', 'refused', 'refused'])
  })

  it('does not wait for a turn whose holder is gone', async () => {
    mkdirSync(join(folder, 'tokens'))
    // Above the largest id that a process can have.
    writeFileSync(path, `${2 ** 22 + 1} left-behind`, {mode: 0o600})
    const {once} = shared()
    expect(await once()).to.equal('result 1')
  })

  it('works without a turn where no file can be written', async () => {
    writeFileSync(join(folder, 'tokens'), 'a file where a folder should be')
    expect(
      await singleFlight(path, {mayWait: () => true, signal, found: async () => undefined, work: async () => 'made'}),
    ).to.equal('made')
  })

  it('forgets the token that was refused, not one that replaced it', async () => {
    const token = {accessToken: 'new', expiresAt: 1, proof: 'of its secret'}
    await cacheToken(folder, 'key', token)
    await dropToken(folder, 'key', 'old')
    expect(await cachedToken(folder, 'key')).to.deep.equal(token)
    await dropToken(folder, 'key', 'new')
    expect(await cachedToken(folder, 'key')).to.equal(undefined)
  })

  it('asks once for all requests whose token was refused together, or later', async () => {
    let issued = 0
    const transport: Transport = {
      kind: 'http',
      send: async () => {
        issued += 1
        return {status: 200, headers: {}, body: {access_token: `token-${issued}`, expires_in: 3600}} as never
      },
      close: async () => undefined,
    }
    const credentials = {kind: 'client', clientId: 'client', secret: async () => 'secret'} as const
    const place = {authUrl: 'http://127.0.0.1:1', projectKey: 'shop'}
    const session = sessionOf(transport, credentials, place, {tokenCacheDir: folder})
    const ask = () => Promise.all(Array.from({length: 10}, () => session.authorization()))
    const first = await ask()
    expect(new Set(first)).to.deep.equal(new Set(['Bearer token-1']))
    const second = await Promise.all(
      first.map(async (refused) => {
        expect(await session.renew(refused)).to.equal(true)
        return session.authorization()
      }),
    )
    expect(new Set(second)).to.deep.equal(new Set(['Bearer token-2']))
    await session.renew('Bearer token-1')
    expect(await session.authorization()).to.equal('Bearer token-2')
    expect(issued).to.equal(2)
  })
})
