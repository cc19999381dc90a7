import {createServer, type IncomingMessage, type RequestListener, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {connectRemote} from '../../src/client/http.js'
import type {ConnectOptions, Credentials} from '../../src/client/target.js'

/** A server that answers as a test says, and remembers what it was asked. */
export interface ForeignServer {
  readonly url: string
  readonly asked: IncomingMessage[]
  answer: (response: ServerResponse, request: IncomingMessage) => void
  close(): Promise<void>
}

export const addressOf = (server: {address(): unknown}): number => (server.address() as AddressInfo).port

export async function startForeignServer(): Promise<ForeignServer> {
  const asked: IncomingMessage[] = []
  const listener: RequestListener = (request, response) => {
    asked.push(request)
    request.resume()
    foreign.answer(response, request)
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const foreign: ForeignServer = {
    url: `http://127.0.0.1:${addressOf(server)}`,
    asked,
    answer: (response) => response.end(),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return foreign
}

const aToken: Credentials = {kind: 'token', token: async () => 'hush-token'}

/** A client of a URL that never repeats. */
export const clientTo = (apiUrl: string, options: ConnectOptions = {}, credentials = aToken) =>
  connectRemote({kind: 'remote', apiUrl, authUrl: apiUrl, projectKey: 'shop', credentials}, {retries: 0, ...options})

export const json = {'content-type': 'application/json'}
