import {setTimeout as pause} from 'node:timers/promises'
import {Unreachable} from '../../client/client.js'
import {defined, omit} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {Run} from '../run/run.js'
import {type Attempt, Deliveries, isDelivered, pauseMs} from './deliveries.js'
import {type FollowOptions, follow, type SeenMessage} from './follow.js'
import {markAt, markPath, Progress} from './progress.js'
import {payloadOf, posting, type Receiver} from './receiver.js'
import {hidesValue} from './select.js'

/** A delivery, or an attempt of one that is repeated after `repeatMs`. */
export interface Delivery extends Omit<Attempt, 'isUnreachable'> {
  readonly time: string
  readonly id: string
  readonly type: string
  readonly resource: SeenMessage['resource']
  readonly sequenceNumber: number
  readonly delivered: boolean
  readonly repeatMs?: number
}

interface ForwardOptions extends Omit<FollowOptions, 'passed'> {
  readonly path: string
  /** `last`: where the mark is, and the beginning without one; a moment; or absent: from now on. */
  readonly since?: string | undefined
  readonly isOnce?: boolean | undefined
  readonly post: (message: SeenMessage) => Promise<Attempt>
  readonly close: () => Promise<void>
  readonly onDelivery: (delivery: Delivery) => Promise<void>
  /** Called when the target does not answer, and is asked again after the pause. */
  readonly onTrouble: (error: Error, repeatMs: number) => void
  /** Called when a mark is stored, or a moment is known, from which a later run can go on. */
  readonly onReady?: () => void
  readonly clock: () => number
  readonly wait?: ((milliseconds: number) => Promise<unknown>) | undefined
}

export function deliveryLine({time, type, resource, status, problem, durationMs, repeatMs}: Delivery): string {
  const again = repeatMs === undefined ? '' : `, again in ${repeatMs / 1000} s`
  return `${time}  ${type}  ${resource.typeId} ${resource.id}  ${status ?? problem ?? ''}  ${durationMs} ms${again}`
}

/**
 * What the run and the receiver decide: the file of the mark, and how a message is posted, as `--redact` shows it and without
 * values of tokens. `close` ends the connections.
 */
export async function receiving(run: Run, receiver: Receiver, types?: readonly string[]) {
  const {io, flags, redaction, resolved} = run
  const {post, close} = await posting(receiver, defined({caFile: flags['ca-file']}))
  const shown = (message: SeenMessage) =>
    redaction.document(hidesValue(message, flags.reveal) ? omit(message, ['value' as never]) : message) as SeenMessage
  return {
    path: markPath(run, receiver.url, types),
    clock: io.clock,
    wait: io.wait,
    post: (message: SeenMessage) => post(payloadOf(shown(message), resolved.target.projectKey, receiver.format)),
    close,
  } satisfies Partial<ForwardOptions>
}

/** What passes: the target, or a server that starts again, may answer a later request. */
const isPassing = (error: unknown): error is Error =>
  error instanceof Unreachable || (error instanceof ApiError && (error.statusCode >= 500 || error.statusCode === 429))

const newestOf = (batch: readonly SeenMessage[]): number =>
  batch.reduce((newest, {createdAt}) => Math.max(newest, Date.parse(createdAt)), 0)

const beginning = {watermark: new Date(0).toISOString(), done: []}

/**
 * Delivers the messages of a target as they appear, until the signal, or until nothing is left. At least once: after a kill,
 * those come again that were delivered after the mark was stored last. Throws what the target refuses, and what
 * `onDelivery` throws (decision 72).
 */
export const forward = (options: ForwardOptions): Promise<void> => new Forwarding(options).run().finally(options.close)

class Forwarding {
  readonly #options: ForwardOptions
  readonly #progress: Progress
  readonly #deliveries: Deliveries
  readonly #ending = new AbortController()
  readonly #signal: AbortSignal
  readonly #wait: (milliseconds: number) => Promise<unknown>
  #failure: {readonly error: unknown} | undefined
  #isReady = false
  #troubles = 0

  constructor(options: ForwardOptions) {
    const {path, since, clock} = options
    const mark = since === 'last' ? (markAt(path) ?? beginning) : since && {watermark: since, done: []}
    this.#options = options
    this.#progress = new Progress(path, clock, mark || undefined)
    const signal = AbortSignal.any([options.signal, this.#ending.signal])
    const wait = options.wait ?? ((milliseconds) => pause(milliseconds, undefined, {signal}).catch(() => undefined))
    this.#signal = signal
    this.#wait = wait
    this.#deliveries = new Deliveries({
      post: options.post,
      attempted: (...attempt) =>
        this.#attempted(...attempt).catch((error: unknown) => {
          this.#failure ??= {error}
          this.#ending.abort()
        }),
      wait,
      signal,
    })
  }

  async run(): Promise<void> {
    try {
      if (this.#progress.from !== '') this.#options.onReady?.()
      let isDone = false
      while (!isDone && !this.#signal.aborted) isDone = await this.#read().catch((error: unknown) => this.#again(error))
    } finally {
      this.#ending.abort()
      await this.#deliveries.ended()
      this.#progress.save(true)
    }
    if (this.#failure) throw this.#failure.error
  }

  /** Reads until the signal. Returns true when nothing is left and no more is asked for. */
  async #read(): Promise<boolean> {
    const {client, isOnce} = this.#options
    const [progress, deliveries] = [this.#progress, this.#deliveries]
    const passed = (batch: readonly SeenMessage[]): void => {
      for (const message of batch) progress.add(message)
      this.#reached(client.serverTime())
    }
    const since = progress.from || undefined
    for await (const batch of follow({...this.#options, since, passed, signal: this.#signal})) {
      const isEmpty = batch.length === 0
      const isLeft = !isEmpty || deliveries.held > 0
      // The clocks that date the messages of a resource may differ.
      for (const message of batch.toSorted((a, b) => a.sequenceNumber - b.sequenceNumber)) {
        if (!progress.has(message) && !deliveries.has(message)) await deliveries.add(message)
      }
      if (this.#signal.aborted) break
      this.#reached(isEmpty ? client.serverTime() : newestOf(batch))
      if (isOnce && !isLeft) return true
      if (isOnce && isEmpty) await deliveries.idle()
    }
    return false
  }

  /** Everything to this time was read. */
  #reached(now: number): void {
    this.#troubles = 0
    this.#progress.reach(now, this.#deliveries.oldest)
    this.#progress.save(!this.#isReady || this.#deliveries.held === 0)
    this.#options.onReady?.()
    this.#isReady = true
  }

  /** After a failure of the target that may pass, waits and returns false. Throws any other. */
  async #again(error: unknown): Promise<false> {
    if (!this.#isReady || !isPassing(error)) throw error
    this.#troubles += 1
    const repeatMs = pauseMs(this.#troubles)
    this.#options.onTrouble(error, repeatMs)
    await this.#wait(repeatMs)
    return false
  }

  async #attempted(message: SeenMessage, attempt: Attempt, repeatMs: number | undefined): Promise<void> {
    const {id, type, resource, sequenceNumber} = message
    const {status, problem, durationMs} = attempt
    const delivered = isDelivered(attempt)
    if (delivered) this.#progress.add(message)
    this.#progress.save(false)
    const time = new Date(this.#options.clock()).toISOString()
    await this.#options.onDelivery(
      defined({time, id, type, resource, sequenceNumber, delivered, status, problem, durationMs, repeatMs}),
    )
  }
}
