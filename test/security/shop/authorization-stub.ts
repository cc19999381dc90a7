import {createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse} from 'node:http'
import {createServer as createTlsServer} from 'node:https'
import type {AddressInfo} from 'node:net'

/** Another authorization server on loopback that answers as a test says, and remembers what it was asked. */

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Stub {
  readonly url: string
  readonly asked: Asked[]
  /** What to do with the next requests. */
  answer: (response: ServerResponse, asked: Asked) => void
  close(): Promise<void>
}

export const json =
  (body: unknown, status = 200): Stub['answer'] =>
  (response) => {
    response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body))
  }

export async function openStub(tls?: {readonly cert: string; readonly key: string}): Promise<Stub> {
  const asked: Asked[] = []
  const stub = {asked, answer: json({active: false}), url: ''}
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      const {method = '', url: path = '', headers} = request
      const one = {method, path, headers, body}
      asked.push(one)
      stub.answer(response, one)
    })
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo
  stub.url = tls ? `https://localhost:${port}/introspect` : `http://127.0.0.1:${port}/introspect`
  const close = async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return Object.assign(stub, {close})
}
