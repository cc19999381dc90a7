import {once} from 'node:events'
import {connect, type Socket} from 'node:net'
import {expect} from 'chai'
import {startServer} from '../../src/index.js'

/** A connection, with all that the server sends over it. */
async function connectionTo(apiUrl: string): Promise<{socket: Socket; heard: () => string; ended: Promise<unknown>}> {
  const {hostname, port} = new URL(apiUrl)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => (text += part))
  return {socket, heard: () => text, ended: once(socket, 'close')}
}

const head = (method: string, path: string, ...more: readonly string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', ...more, '', ''].join('\r\n')

describe('server · its end', () => {
  it('closes idle and unused connections at once, and others after their answer', async () => {
    const server = await startServer({projectKey: 'shop'})
    const [unused, idle, busy] = await Promise.all([1, 2, 3].map(() => connectionTo(server.apiUrl)))
    idle?.socket.write(head('GET', '/health'))
    await once(idle?.socket as Socket, 'data')
    expect(idle?.heard())
      .to.match(/^HTTP\/1\.1 200 /)
      .and.match(/connection: keep-alive/i)
    const form = 'grant_type=client_credentials'
    const {clientId, clientSecret} = server.client
    const authorization = `authorization: Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const type = 'content-type: application/x-www-form-urlencoded'
    busy?.socket.write(
      head('POST', '/oauth/token', authorization, type, `content-length: ${form.length}`, 'expect: 100-continue'),
    )
    await once(busy?.socket as Socket, 'data')
    expect(busy?.heard(), 'the request has begun').to.match(/^HTTP\/1\.1 100 /)
    const stopped = server.stop()
    await Promise.all([unused?.ended, idle?.ended])
    busy?.socket.write(form)
    await busy?.ended
    expect(busy?.heard())
      .to.match(/HTTP\/1\.1 200 /)
      .and.match(/connection: close/i)
      .and.match(/access_token/)
    await stopped
  })
})
