import {readFileSync} from 'node:fs'
import {Agent, request} from 'node:http'
import {patienceMs} from '../patience.js'

/** What it takes to look at the processes of one server from outside. */

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  readonly body: any
}

interface Asked {
  readonly token?: string
  readonly basic?: string
  readonly json?: object
  readonly form?: Record<string, string>
  readonly id?: string
}

/** A connection that stays open, and with it the worker at its other end. */
export class Client {
  readonly #agent = new Agent({keepAlive: true, maxSockets: 1})
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  /** A GET, or a POST with a body. Rejects if the connection ends. */
  ask(path: string, {token, basic, json, form, id}: Asked = {}): Promise<Answer> {
    const body = json ? JSON.stringify(json) : form && new URLSearchParams(form).toString()
    const headers = {
      ...(token ? {authorization: `Bearer ${token}`} : {}),
      ...(basic ? {authorization: `Basic ${Buffer.from(basic).toString('base64')}`} : {}),
      ...(body ? {'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded'} : {}),
      ...(id ? {'x-correlation-id': id} : {}),
    }
    return new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      const asking = request(`${this.#origin}${path}`, {agent: this.#agent, method, headers, timeout: patienceMs})
      asking.on('timeout', () => asking.destroy(new Error('no answer')))
      asking.on('error', reject)
      asking.on('response', (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        response.on('error', reject)
        response.on('end', () =>
          resolve({status: response.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text)}),
        )
      })
      asking.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Asks until the answer is there; `test/patience.ts` bounds it. */
export async function until<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error('it does not happen')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Linux only. */
export const isAlive = (pid: number): boolean => {
  try {
    // A process that has ended and that nobody has waited for counts as gone.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}
