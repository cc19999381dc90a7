import {readdirSync} from 'node:fs'
import {expect} from 'chai'
import {Unreachable} from '../../src/client/client.js'
import {sessionOf} from '../../src/client/session/session.js'
import {newDirectory, rejection, removeDirectories} from '../store/directory.js'

/** A session whose authorization service answers with a body. */
function sessionWith(body: unknown, {folder, secret = 'right', foreign}: Partial<Record<string, string>> = {}) {
  const asked: string[] = []
  const transport = {
    kind: 'http',
    send: async ({headers}: {headers: Record<string, string>}) => {
      asked.push(headers['authorization'] ?? '')
      if (body instanceof Error) throw body
      return {status: 200, headers: {}, body, ...(foreign === undefined ? {} : {foreign})}
    },
    close: async () => undefined,
  } as const
  const credentials = {kind: 'client', clientId: 'me', secret: async () => secret} as const
  const place = {authUrl: 'https://auth.example.com', projectKey: 'shop'}
  const options = folder === undefined ? {} : {tokenCacheDir: folder}
  return {asked, session: sessionOf(transport, credentials, place, {...options, correlationId: 'request-1'})}
}

const files = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.json'))

describe('client · answers of the authorization service', () => {
  after(removeDirectories)

  it('are no token without one that could be sent', async () => {
    const bodies = [
      '<html>',
      {},
      null,
      undefined,
      42,
      [],
      {access_token: ''},
      {access_token: 7},
      {access_token: 'a\nb'},
    ]
    for (const body of bodies) {
      const folder = newDirectory()
      const {session} = sessionWith(body, {folder, foreign: 'It says: Please sign in'})
      const error = (await rejection(session.authorization())) as Unreachable
      expect(error, JSON.stringify(body)).to.be.instanceOf(Unreachable)
      expect(error).to.include({sent: false, trouble: 'foreign', correlationId: 'request-1'})
      expect(error.message).to.equal('The authorization service did not answer with a token. It says: Please sign in')
      expect(files(folder)).to.deep.equal([])
    }
  })

  it('are used and not kept if they do not say how long', async () => {
    for (const expires_in of [undefined, null, 'soon', Number.NaN, -1, 0, Number.POSITIVE_INFINITY]) {
      const folder = newDirectory()
      const {session} = sessionWith({access_token: 'abc', expires_in}, {folder})
      expect(await session.authorization()).to.equal('Bearer abc')
      expect(files(folder), String(expires_in)).to.deep.equal([])
    }
    const folder = newDirectory()
    await sessionWith({access_token: 'abc', expires_in: '3600'}, {folder}).session.authorization()
    expect(files(folder)).to.have.length(1)
  })

  it('are kept for the secret that they were asked for with', async () => {
    const folder = newDirectory()
    const right = {access_token: 'abc', expires_in: 3600}
    await sessionWith(right, {folder}).session.authorization()
    const again = sessionWith(new Error('not needed'), {folder})
    expect(await again.session.authorization()).to.equal('Bearer abc')
    const wrong = sessionWith(new Error('invalid_client'), {folder, secret: 'wrong'})
    expect(((await rejection(wrong.session.authorization())) as Error).message).to.equal('invalid_client')
    expect(wrong.asked).to.have.length(1)
    expect(await sessionWith(new Error('not needed'), {folder}).session.authorization()).to.equal('Bearer abc')
  })
})
