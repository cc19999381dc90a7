import type {ServerResponse} from 'node:http'
import {setTimeout as pause} from 'node:timers/promises'
import {ApiError} from '../../domain/errors.js'
import {limits} from '../../work/limits.js'
import type {RequestFilter} from '../requests/request-view.js'
import type {ServerMemory} from '../server-memory.js'

const intervalMs = 250
/** In intervals. */
const heartBeat = 40

/**
 * Requests as they end, each line an array of them. A client that takes nothing gets nothing more, since requests that it has
 * not seen wait in the bounded log, and the front ends its connection. All streams end with the server.
 */
export class Streams {
  readonly #memory: Pick<ServerMemory, 'requests'>
  readonly #open = new Set<ServerResponse>()
  readonly #ended = new AbortController()

  constructor(memory: Pick<ServerMemory, 'requests'>) {
    this.#memory = memory
  }

  /** Throws OverCapacity for one stream too many. */
  check(): void {
    if (this.#open.size < limits.windowStreams) return
    const message = `The window is open in ${limits.windowStreams} pages: close one.`
    throw ApiError.of('OverCapacity', {message, retryAfterSeconds: 5})
  }

  /** Follows until the client, its session or the server ends. The head of the response is written. */
  async follow(response: ServerResponse, filter: RequestFilter, isInside: () => boolean): Promise<void> {
    this.#open.add(response)
    response.once('close', () => this.#open.delete(response))
    const {signal} = this.#ended
    let after = 0
    for (let turn = 0; !response.destroyed && !signal.aborted && isInside(); turn += 1) {
      if (!response.writableNeedDrain) {
        const requests = this.#memory.requests({...filter, after, withoutBodies: true})
        after = requests.at(-1)?.number ?? after
        if (requests.length > 0) response.write(`${JSON.stringify(requests)}\n`)
        else if (turn % heartBeat === 0) response.write('\n')
      }
      await pause(intervalMs, undefined, {signal}).catch(() => undefined)
    }
    response.end()
  }

  close(): void {
    this.#ended.abort()
  }
}
