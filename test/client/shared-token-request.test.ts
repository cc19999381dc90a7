import {getEventListeners} from 'node:events'
import {expect} from 'chai'
import type {Incoming, Outgoing} from '../../src/client/client.js'
import {sessionOf} from '../../src/client/session/session.js'
import {newDirectory, rejection, removeDirectories} from '../store/directory.js'

/** A session whose authorization service answers when the test says so. */
function sessionHeld(folder?: string) {
  const asked: {request: Outgoing; answer: (token: string) => void}[] = []
  const transport = {
    kind: 'http',
    send: (request: Outgoing) =>
      new Promise<Incoming>((resolve, reject) => {
        const answer = (token: string): void =>
          resolve({status: 200, headers: {}, body: {access_token: token, expires_in: 3600}} as Incoming)
        request.signal?.addEventListener('abort', () => reject(request.signal?.reason as Error))
        asked.push({request, answer})
      }),
    close: async () => undefined,
  } as const
  const credentials = {kind: 'client', clientId: 'me', secret: async () => 'secret'} as const
  const place = {authUrl: 'https://auth.example.com', projectKey: 'shop'}
  const options = folder === undefined ? {} : {tokenCacheDir: folder}
  const session = sessionOf(transport, credentials, place, options)
  const nextAsked = async (count: number): Promise<void> => {
    for (let turn = 0; asked.length < count && turn < 10_000; turn += 1) await new Promise(setImmediate)
    expect(asked).to.have.length(count)
  }
  return {asked, session, nextAsked}
}

describe('client · a token request of several callers', () => {
  after(removeDirectories)

  for (const [what, folder] of [
    ['kept by this process', () => undefined],
    ['kept in a folder', newDirectory],
  ] as const) {
    it(`goes on for the others when the first is cancelled: a token ${what}`, async () => {
      const {asked, session, nextAsked} = sessionHeld(folder())
      const [first, second] = [new AbortController(), new AbortController()]
      const cancelled = rejection(session.authorization(first.signal))
      const others = [session.authorization(second.signal), session.authorization()]
      await nextAsked(1)
      first.abort(new Error('Ctrl-C'))
      expect(await cancelled).to.have.property('message', 'Ctrl-C')
      expect(asked[0]?.request.signal?.aborted).to.equal(false)
      asked[0]?.answer('abc')
      expect(await Promise.all(others)).to.deep.equal(['Bearer abc', 'Bearer abc'])
      expect([first, second].flatMap(({signal}) => getEventListeners(signal, 'abort'))).to.deep.equal([])
      second.abort()
      expect(await session.authorization()).to.equal('Bearer abc')
      expect(asked).to.have.length(1)
    })
  }

  it('ends when every caller is cancelled, and the next caller gets one of its own', async () => {
    const {asked, session, nextAsked} = sessionHeld()
    const controllers = [new AbortController(), new AbortController()]
    const ended = controllers.map(({signal}) => rejection(session.authorization(signal)))
    await nextAsked(1)
    for (const one of controllers) one.abort(new Error('Ctrl-C'))
    for (const each of ended) expect(await each).to.have.property('message', 'Ctrl-C')
    expect(asked[0]?.request.signal?.aborted).to.equal(true)
    const next = session.authorization()
    await nextAsked(2)
    asked[1]?.answer('abc')
    expect(await next).to.equal('Bearer abc')
  })

  it('that replaces a refused token is none of the cancelled caller either', async () => {
    const {asked, session, nextAsked} = sessionHeld()
    const token = session.authorization()
    await nextAsked(1)
    asked[0]?.answer('old')
    const refused = await token
    await session.renew(refused)
    const controller = new AbortController()
    const cancelled = rejection(session.authorization(controller.signal))
    const other = session.authorization()
    controller.abort(new Error('Ctrl-C'))
    expect(await cancelled).to.have.property('message', 'Ctrl-C')
    await nextAsked(2)
    asked[1]?.answer('new')
    expect(await other).to.equal('Bearer new')
  })
})
