import {createServer, type IncomingMessage, type Server} from 'node:http'
import {listening, originOf} from '../http/listening.js'

export interface StubAddress {
  readonly host?: string
  /** 0 or absent: any free port. */
  readonly port?: number
}

export interface Answer {
  readonly status: number
  readonly body?: object | undefined
  readonly headers?: Readonly<Record<string, string>>
}

const limits = {headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 5_000, maxHeaderSize: 16_384}

/** Listens for requests that are answered in JSON, each noted once its answer is sent. Throws StateError for a port in use. */
export async function startStub<A extends Answer>(
  {host = '127.0.0.1', port = 0}: StubAddress,
  path: string,
  answer: (request: IncomingMessage) => Promise<A>,
  note: (answered: A, request: IncomingMessage) => void,
): Promise<{readonly url: string; stop(): Promise<void>}> {
  const server = createServer(limits, (request, response) => {
    void answer(request)
      .then((answered) => {
        const text = answered.body && JSON.stringify(answered.body)
        response.writeHead(answered.status, {
          ...(text === undefined ? {} : {'content-type': 'application/json; charset=utf-8'}),
          'content-length': Buffer.byteLength(text ?? ''),
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          ...answered.headers,
        })
        response.end(text)
        note(answered, request)
      })
      .catch(() => response.destroy())
  })
  await listening(server, host, port)
  return {url: `${originOf(server)}${path}`, stop: () => closed(server)}
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
