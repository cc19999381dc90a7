import {createServer, type IncomingMessage, type Server} from 'node:http'
import {listening, originOf} from '../http/listening.js'

/** What every stub takes. `L` is what it tells of a request beside method and status. */
export interface StubOptions<L extends object> {
  readonly host?: string
  /** 0 or absent: any free port. */
  readonly port?: number
  /** Milliseconds since the epoch. */
  readonly clock?: () => number
  /** A line for each request: never a key, a token, a query or a user. */
  readonly onRequest?: (line: {readonly method: string; readonly status: number} & L) => void
}

export interface Answer {
  readonly status: number
  readonly body?: object | undefined
  readonly headers?: Readonly<Record<string, string>>
}

const limits = {headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 5_000, maxHeaderSize: 16_384}

/** Listens for requests that are answered in JSON, each with its `line` once that is sent. Throws StateError for a port in use. */
export async function startStub<L extends object>(
  {host = '127.0.0.1', port = 0, onRequest}: StubOptions<L>,
  path: string,
  answer: (request: IncomingMessage) => Promise<Answer & {readonly line: L}>,
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
        onRequest?.({method: request.method ?? '', status: answered.status, ...answered.line})
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
