import {createCustomers} from '../../api/accounts/batch.js'
import {createCustomer} from '../../api/accounts/sign-up.js'
import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined, isObject} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {customerIn} from './customer-calls.js'
import type {Limiter} from './limiter.js'
import {type Outage, permitted, type Sender, UnexpectedResponse} from './sender.js'

/** What a run needs to know of a customer that it made. */
export type CreatedCustomer = Pick<Customer, 'id' | 'version'>

interface Waiting {
  readonly draft: object
  readonly resolve: (created: CreatedCustomer) => void
  readonly reject: (error: unknown) => void
}

export interface CreationsOptions {
  readonly client: Client
  /** Of the requests, whether they are for one customer or for many. */
  readonly limiter: Limiter
  readonly outage: Outage
  /** Sends what has a request of its own. */
  readonly alone: Sender
  /** Sends what shares one: without a limit, which its batch keeps. */
  readonly together: Sender
  readonly allowsBatches: boolean
  readonly signal?: AbortSignal
}

/** The body was too long or had too many members for the server, or its path is unknown there: nothing was done. */
const refusedAsSuch: ReadonlySet<number> = new Set([400, 404, 405, 413])

/**
 * Creates customers. Where the server takes batches, those that are asked for in one turn of the event loop share a
 * request, and each gets its own answer all the same. A request without an answer has none for each of them, so that
 * callers settle them one by one.
 */
export class Creations {
  readonly #options: CreationsOptions
  #waiting: Waiting[] = []

  constructor(options: CreationsOptions) {
    this.#options = options
  }

  /** The most that share a request. */
  get batchSize(): number {
    const {client, allowsBatches} = this.#options
    return allowsBatches ? client.batchSize() : 1
  }

  /** Hashing takes longer than everything else, and in a batch the first would wait for the last. */
  #isAlone(draft: object): boolean {
    return this.batchSize < 2 || 'password' in draft
  }

  senderOf(draft: object): Sender {
    return this.#isAlone(draft) ? this.#options.alone : this.#options.together
  }

  /** One try, by the sender of the draft. */
  create(draft: object): Promise<CreatedCustomer> {
    if (this.#isAlone(draft)) return this.#one(draft)
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#sendWaiting())
      this.#waiting.push({draft, resolve, reject})
    })
  }

  async #one(draft: object): Promise<CreatedCustomer> {
    const reply: unknown = await this.#options.client.call(createCustomer, {}, {body: draft})
    return customerIn(isObject(reply) ? reply['customer'] : undefined)
  }

  #sendWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    const most = this.batchSize
    for (let at = 0; at < waiting.length; at += most) void this.#send(waiting.slice(at, at + most))
  }

  /** Never rejects: everyone in the batch learns what became of it. */
  async #send(batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await permitted(this.#options, true, () => this.#answersTo(batch.map(({draft}) => draft)))
      for (const [at, {resolve, reject}] of batch.entries()) {
        const answer = answers[at]
        if (answer instanceof Error) reject(answer)
        else if (answer) resolve(answer)
      }
    } catch (error) {
      const isSplit = error instanceof ApiError && !error.isForeign && refusedAsSuch.has(error.statusCode)
      if (!isSplit || batch.length === 1) for (const {reject} of batch) reject(error)
      else {
        const half = Math.ceil(batch.length / 2)
        await Promise.all([this.#send(batch.slice(0, half)), this.#send(batch.slice(half))])
      }
    }
  }

  /** As many answers as drafts, or it throws for all of them. */
  async #answersTo(drafts: readonly object[]): Promise<readonly (CreatedCustomer | Error)[]> {
    const [first, ...others] = drafts
    if (first && others.length === 0) return [await this.#one(first)]
    const reply: unknown = await this.#options.client.call(createCustomers, {}, {body: {drafts}})
    const results = isObject(reply) ? reply['results'] : undefined
    if (!isObject(reply) || !Array.isArray(results) || results.length !== drafts.length) {
      throw new UnexpectedResponse('The answer does not say what became of each customer.')
    }
    const {correlationId} = reply
    const answers: (CreatedCustomer | Error)[] = []
    for (const result of results) {
      answers.push(answerOf(result, typeof correlationId === 'string' ? correlationId : undefined))
    }
    return answers
  }
}

function answerOf(result: unknown, correlationId: string | undefined): CreatedCustomer | Error {
  const {status, customer, error, retryAfterSeconds} = isObject(result) ? result : {}
  if (typeof status !== 'number') return new UnexpectedResponse('The answer does not say what became of the customer.')
  if (status >= 400) {
    const refusal = ApiError.fromBody(
      status,
      error,
      defined({retryAfterSeconds: retryAfterSeconds as number | undefined}),
    )
    if (correlationId !== undefined) refusal.correlationId = correlationId
    return refusal
  }
  try {
    return customerIn(customer)
  } catch (cause) {
    return cause as Error
  }
}
