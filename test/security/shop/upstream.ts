import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'

/** A server behind the fallback: it remembers what it was asked, and answers as a test says. */
export interface Upstream {
  readonly url: string
  readonly asked: readonly Received[]
  answer: (response: ServerResponse, received: Received, request: IncomingMessage) => void
  close(): Promise<void>
}

export interface Received {
  readonly method: string
  readonly target: string
  /** Lower-case names; repeats in the order of arrival. */
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

export const echo: Upstream['answer'] = (response, received) => {
  response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(received))
}

const pairsOf = ({rawHeaders}: IncomingMessage): [string, string][] =>
  rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? ''] as [string, string]] : [],
  )

/**
 * `buffers` says that a body is read before the answer; else the answer comes at the headers. Idle connections are left to
 * the other side.
 */
export async function startUpstream({buffers = true} = {}): Promise<Upstream> {
  const asked: Received[] = []
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    if (buffers) for await (const chunk of request) chunks.push(chunk as Buffer)
    const {method = '', url: target = ''} = request
    const received = {method, target, headers: pairsOf(request), body: Buffer.concat(chunks).toString('utf8')}
    asked.push(received)
    upstream.answer(response, received, request)
  }
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const upstream: Upstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: echo,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return upstream
}

export const valuesOf = ({headers}: Received, wanted: string): string[] =>
  headers.flatMap(([name, value]) => (name === wanted ? [value] : []))
