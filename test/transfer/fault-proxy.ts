import {Agent, createServer, type IncomingMessage, request, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'

/** What can happen to a request between client and server. */
export const faults = [
  'tooMany',
  'overCapacity',
  'resetBefore',
  'resetAfter',
  'badGatewayAfter',
  'truncated',
  'truncatedText',
  'delayed',
] as const
type Fault = (typeof faults)[number]

export interface FaultProxy {
  readonly url: string
  /** How often each fault struck. */
  readonly struck: ReadonlyMap<Fault, number>
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

async function bodyOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/**
 * Forwards to a server, and does harm to a share of the requests, chosen by `random`. The first come through whole: a run
 * that never met the API takes two answers that are not its own for an address of something else, and stops.
 */
export async function startFaultProxy(target: string, random: () => number, share: number): Promise<FaultProxy> {
  const struck = new Map<Fault, number>()
  const agent = new Agent({keepAlive: true})
  let requests = 0

  const forward = async (incoming: IncomingMessage, body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const {
        method,
        headers: {host: _, ...headers},
        url,
      } = incoming
      const outgoing = request(`${target}${url}`, {method, headers, agent}, (response) => {
        bodyOf(response).then(
          (bytes) => resolve({status: response.statusCode ?? 500, headers: response.headers, body: bytes}),
          reject,
        )
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming)
    requests += 1
    const fault = requests > 20 && random() < share ? faults[Math.floor(random() * faults.length)] : undefined
    if (fault) struck.set(fault, (struck.get(fault) ?? 0) + 1)
    if (fault === 'tooMany') return void outgoing.writeHead(429, {'retry-after': '1'}).end('{}')
    if (fault === 'overCapacity') return void outgoing.writeHead(503).end('busy')
    if (fault === 'resetBefore') return void incoming.socket.destroy()
    if (fault === 'delayed') for (let turns = 0; turns < 50; turns += 1) await new Promise((next) => setImmediate(next))
    const answer = await forward(incoming, body)
    const half = answer.body.subarray(0, answer.body.length / 2)
    if (fault === 'resetAfter') return void incoming.socket.destroy()
    if (fault === 'badGatewayAfter') return void outgoing.writeHead(502).end('<html>')
    if (fault === 'truncated') {
      outgoing.writeHead(answer.status, answer.headers)
      return void outgoing.write(half, () => incoming.socket.destroy())
    }
    if (fault === 'truncatedText')
      return void outgoing.writeHead(answer.status, {'content-type': 'application/json'}).end(half)
    outgoing.writeHead(answer.status, answer.headers).end(answer.body)
  }

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    struck,
    close: async () => {
      agent.destroy()
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}
