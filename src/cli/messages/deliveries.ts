import {EventEmitter, once} from 'node:events'
import type {SeenMessage} from './follow.js'

/** What became of one attempt to deliver a message. */
export interface Attempt {
  /** Of the answer; absent without one. */
  readonly status?: number
  readonly problem?: string
  /** The receiver got nothing, and would get no other message either: nothing listens there. */
  readonly isUnreachable?: true
  readonly durationMs: number
}

export const isDelivered = ({status = 0}: Attempt): boolean => status >= 200 && status < 300

interface DeliveryOptions {
  /** Sends a message once. Does not throw. */
  readonly post: (message: SeenMessage) => Promise<Attempt>
  /** Called after each attempt. What it throws ends the deliveries; `repeatMs`: the pause before the next attempt. */
  readonly attempted: (message: SeenMessage, attempt: Attempt, repeatMs: number | undefined) => Promise<void>
  readonly wait: (milliseconds: number) => Promise<unknown>
  readonly signal: AbortSignal
}

/** The messages of one resource, in order. The first one may be on its way. */
interface Queue {
  readonly key: string
  readonly messages: SeenMessage[]
  failures: number
}

const mostHeld = 2_000
const mostAtOnce = 8

/** The pause before a repeat: half a second, doubled with each failure, to ten seconds. */
export const pauseMs = (failures: number): number => Math.min(250 * 2 ** failures, 10_000)

/**
 * Delivers messages, those of a resource one after another: a message that is refused is repeated and holds up only its own
 * resource. A receiver that is not there gets one attempt at a time. Ends with the signal.
 */
export class Deliveries {
  readonly #options: DeliveryOptions
  readonly #queues = new Map<string, Queue>()
  readonly #ready: Queue[] = []
  readonly #events = new EventEmitter().setMaxListeners(0)
  #held = 0
  #active = 0
  #unreachable = 0
  #isResting = false

  constructor(options: DeliveryOptions) {
    this.#options = options
    options.signal.addEventListener('abort', () => this.#events.emit('changed'))
  }

  get held(): number {
    return this.#held
  }

  has({id, resource}: SeenMessage): boolean {
    return this.#queues.get(keyOf(resource))?.messages.some((one) => one.id === id) ?? false
  }

  /** The creation of the oldest message that is not delivered. */
  get oldest(): string | undefined {
    let oldest: string | undefined
    for (const {messages} of this.#queues.values()) {
      for (const {createdAt} of messages) if (oldest === undefined || createdAt < oldest) oldest = createdAt
    }
    return oldest
  }

  async add(message: SeenMessage): Promise<void> {
    await this.#until(() => this.#held < mostHeld)
    const key = keyOf(message.resource)
    const present = this.#queues.get(key)
    const queue = present ?? {key, messages: [], failures: 0}
    const {messages} = queue
    const at = messages.findLastIndex(({sequenceNumber}) => sequenceNumber < message.sequenceNumber) + 1
    messages.splice(Math.max(at, Math.min(1, messages.length)), 0, message)
    this.#held += 1
    if (present) return
    this.#queues.set(key, queue)
    this.#ready.push(queue)
    this.#begin()
  }

  /** Resolves when everything is delivered, or with the signal. */
  idle(): Promise<void> {
    return this.#until(() => this.#held === 0)
  }

  /** Resolves when what was on its way at the signal has ended. */
  async ended(): Promise<void> {
    while (this.#active > 0) await once(this.#events, 'changed')
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds() && !this.#options.signal.aborted) await once(this.#events, 'changed')
  }

  #begin(): void {
    const atOnce = this.#unreachable > 0 ? 1 : mostAtOnce
    while (!this.#isResting && !this.#options.signal.aborted && this.#active < atOnce) {
      const queue = this.#ready.shift()
      if (!queue) return
      this.#active += 1
      void this.#deliver(queue)
    }
  }

  async #deliver(queue: Queue): Promise<void> {
    const [message] = queue.messages as [SeenMessage]
    const attempt = await this.#options.post(message)
    const done = isDelivered(attempt)
    if (done) {
      queue.messages.shift()
      this.#held -= 1
    }
    queue.failures = done ? 0 : queue.failures + 1
    const rests = attempt.isUnreachable && !this.#isResting
    if (rests) this.#isResting = true
    this.#unreachable = attempt.isUnreachable ? this.#unreachable + Number(rests) : 0
    const repeatMs = done ? undefined : pauseMs(attempt.isUnreachable ? this.#unreachable : queue.failures)
    await this.#options.attempted(message, attempt, repeatMs)
    this.#active -= 1
    if (queue.messages.length === 0) this.#queues.delete(queue.key)
    else if (repeatMs === undefined || (attempt.isUnreachable && !rests)) this.#ready.push(queue)
    else void this.#options.wait(repeatMs).then(() => this.#resume(queue, rests))
    this.#begin()
    this.#events.emit('changed')
  }

  #resume(queue: Queue, rested: boolean | undefined): void {
    if (rested) this.#isResting = false
    this.#ready.push(queue)
    this.#begin()
  }
}

const keyOf = ({typeId, id}: SeenMessage['resource']): string => `${typeId}/${id}`
