import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {patienceMs} from '../../patience.js'

/** A message as a receiver gets it. */
export interface Received {
  readonly id: string
  readonly type: string
  readonly sequenceNumber: number
  readonly resource: {readonly typeId: string; readonly id: string}
}

/** An answer; `hang up` closes the connection without one. */
export type Answer = number | 'hang up'

/** A receiver that notes what it accepted and what it got. */
export class Ledger {
  readonly accepted: Received[] = []
  readonly bodies: Record<string, unknown>[] = []
  readonly headers: IncomingMessage['headers'][] = []
  readonly paths: (string | undefined)[] = []
  answer: (message: Received, response: ServerResponse) => Answer | Promise<Answer> = () => 204
  #server = this.#made()
  #port = 0
  #changed: () => void = () => undefined

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hooks`
  }

  /** Listens, after `down` at the same port. */
  async up(): Promise<this> {
    this.#server = this.#made()
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
    return this
  }

  async down(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Resolves once a condition holds that only a delivery can make true. */
  async until(holds: () => boolean): Promise<void> {
    const end = Date.now() + patienceMs
    while (!holds()) {
      if (Date.now() > end) throw new Error(`after ${this.accepted.length} deliveries the condition does not hold`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patienceMs)
        this.#changed = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  /** The ids, each once. */
  get ids(): string[] {
    return [...new Set(this.accepted.map(({id}) => id))]
  }

  /** The resources whose messages were not accepted first in the order of their sequence numbers. */
  get outOfOrder(): string[] {
    const last = new Map<string, number>()
    const seen = new Set<string>()
    return this.accepted.flatMap(({id, resource, sequenceNumber}) => {
      if (seen.has(id)) return []
      seen.add(id)
      const isBehind = sequenceNumber <= (last.get(resource.id) ?? 0)
      last.set(resource.id, sequenceNumber)
      return isBehind ? [`${resource.id} ${sequenceNumber}`] : []
    })
  }

  #made() {
    return createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => void this.#take(request, response, Buffer.concat(chunks).toString('utf8')))
    })
  }

  async #take(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
    const body = JSON.parse(text) as Record<string, unknown>
    const message = (body['data'] ?? body) as Received
    this.bodies.push(body)
    this.headers.push(request.headers)
    this.paths.push(request.url)
    const answer = await this.answer(message, response)
    if (answer === 'hang up') request.socket.destroy()
    else if (!response.headersSent) {
      if (answer >= 200 && answer < 300) this.accepted.push(message)
      response.writeHead(answer).end()
    }
    this.#changed()
  }
}
