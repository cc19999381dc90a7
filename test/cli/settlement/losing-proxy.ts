import {Agent, createServer, type IncomingMessage, request, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {buffer} from 'node:stream/consumers'

/** A proxy that does one kind of harm to the writes of those runs that it was told of, by their correlation id. */

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** What the client gets in the place of the answer; `before`: the server never sees the request. */
export interface Fault {
  readonly when: 'before' | 'after'
  readonly answer: (outgoing: ServerResponse, answer?: Answer) => void
}

const page =
  (status: number, more: Record<string, string> = {}) =>
  (outgoing: ServerResponse) => {
    outgoing.writeHead(status, {'content-type': 'text/html', ...more}).end('<html><title>in between</title></html>')
  }
const json = (text: string) => (outgoing: ServerResponse) => {
  outgoing.writeHead(200, {'content-type': 'application/json'}).end(text)
}
const destroyed = (outgoing: ServerResponse) => void outgoing.socket?.destroy()
const reset = (outgoing: ServerResponse) => void outgoing.socket?.resetAndDestroy()

export const faults = {
  'lost before': {when: 'before', answer: destroyed},
  'lost after': {when: 'after', answer: destroyed},
  'reset before': {when: 'before', answer: reset},
  'reset after': {when: 'after', answer: reset},
  '502 before': {when: 'before', answer: page(502)},
  '502 after': {when: 'after', answer: page(502)},
  '503 before': {when: 'before', answer: page(503)},
  '503 after': {when: 'after', answer: page(503)},
  '504 before': {when: 'before', answer: page(504)},
  '504 after': {when: 'after', answer: page(504)},
  'silence after': {when: 'after', answer: () => undefined},
  'a page after': {when: 'after', answer: page(200)},
  'half a document after': {
    when: 'after',
    answer: (outgoing, answer) => json(String(answer?.body.subarray(0, answer.body.length / 2)))(outgoing),
  },
  'other JSON after': {when: 'after', answer: json('{"ok":true}')},
  'a redirect after': {when: 'after', answer: page(302, {location: 'https://login.example.com/'})},
  'HTML 403 before': {when: 'before', answer: page(403)},
  'HTML 403 after': {when: 'after', answer: page(403)},
} as const satisfies Record<string, Fault>

export type FaultName = keyof typeof faults

export interface Harm {
  readonly fault: Fault
  /** Which write of the run is struck, from 1. */
  readonly nth: number
  /** Also all that follow on the same path. */
  readonly always: boolean
}

export class LosingProxy {
  readonly #agent = new Agent({keepAlive: true})
  readonly #harms = new Map<string, Harm & {seen: number; path?: string; struck: number}>()
  readonly #server = createServer((incoming, outgoing) => {
    this.#handle(incoming, outgoing).catch(() => outgoing.destroy())
  })
  readonly #target: string

  constructor(target: string) {
    this.#target = target
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#agent.destroy()
    this.#server.closeAllConnections()
    this.#server.close()
  }

  harm(correlationId: string, harm: Harm): void {
    this.#harms.set(correlationId, {...harm, seen: 0, struck: 0})
  }

  struck(correlationId: string): number {
    return this.#harms.get(correlationId)?.struck ?? 0
  }

  #faultOf({method, url = '', headers}: IncomingMessage): Fault | undefined {
    const harm = this.#harms.get(String(headers['x-correlation-id']))
    const path = url.split('?')[0] ?? ''
    if (
      !harm ||
      method === 'GET' ||
      method === 'HEAD' ||
      path === '/oauth/token' ||
      path.endsWith('/introspect') ||
      path.endsWith('/search')
    )
      return undefined
    harm.seen += 1
    const isStruck = harm.seen === harm.nth || (harm.always && harm.path === path)
    if (!isStruck) return undefined
    harm.path = path
    harm.struck += 1
    return harm.fault
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const fault = this.#faultOf(incoming)
    if (fault?.when === 'before') return fault.answer(outgoing)
    const answer = await this.#forwarded(incoming, body)
    if (fault) return fault.answer(outgoing, answer)
    outgoing.writeHead(answer.status, answer.headers).end(answer.body)
  }

  #forwarded({method, url, headers: {host: _, ...headers}}: IncomingMessage, body: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = request(`${this.#target}${url}`, {method, headers, agent: this.#agent}, (response) => {
        buffer(response).then(
          (bytes) => resolve({status: response.statusCode ?? 500, headers: response.headers, body: bytes}),
          reject,
        )
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }
}
