import type {Principal} from '../../api/operation/context.js'
import {type AnyOperation, isSecret} from '../../api/operation/operation.js'
import type {Check, Trace} from '../../api/pipeline/exchange.js'
import {ApiError} from '../../domain/errors.js'
import {holdsSecret, pathWithoutSecrets} from '../../domain/secret-members.js'
import {limits} from '../../work/limits.js'
import type {ReplyBody} from '../reply-body.js'
import {explanationTextOf} from './explanations.js'

/**
 * A finished request, as the front saw it. It keeps references; the view of a request is made when somebody asks for
 * it.
 */
export interface AnsweredRequest {
  readonly correlationId: string
  readonly method: string
  /** As sent: it may hold a one-time token, and is never shown as it is. */
  readonly path: string
  /** Undefined for a path that none has. */
  readonly operation: AnyOperation | undefined
  readonly params: Readonly<Record<string, string>> | undefined
  readonly status: number
  readonly durationMs: number
  /** Milliseconds since the epoch, by the clock of the server. */
  readonly at: number
  readonly note: string | undefined
}

/** The path of a request for logs: one-time tokens in it are masked, however they are encoded. */
export function shownPath({path, operation, params}: Pick<AnsweredRequest, 'path' | 'operation' | 'params'>): string {
  // What a route takes for an id may hold an encoded token.
  if (operation === undefined || holdsSecret(path)) return pathWithoutSecrets(path)
  const declared: string = operation.path
  return declared.replace(/\{(\w+)\}/g, (_, name: string) =>
    isSecret(operation, name) ? '…' : encodeURIComponent(params?.[name] ?? ''),
  )
}

/** A refusal without what its error holds on to. */
export interface KeptRefusal {
  readonly code: string
  readonly message: string
  readonly because?: unknown
  readonly missing?: unknown
  /** The token that is not active. */
  readonly token?: unknown
  /** What was wrong and would have passed, where the message does not say it. */
  readonly told?: string | undefined
}

export interface KeptBody {
  readonly size: number
  /** Undefined for a body that is too large to be kept. */
  readonly bytes: Uint8Array | undefined
}

export interface KeptRequest extends AnsweredRequest {
  /** From 1, in the order of their ends. */
  readonly number: number
  readonly check: Check
  readonly principal: Principal | undefined
  readonly refusal: KeptRefusal | undefined
  /** These three only where bodies are kept. */
  readonly search: string | undefined
  readonly sent: KeptBody | undefined
  readonly answered: KeptBody | undefined
}

/** What an entry costs beside its texts and bodies, roughly. */
const entryBytes = 1_024
const messageCharacters = 500

function keptRefusal(error: unknown): KeptRefusal | undefined {
  if (error === undefined) return undefined
  if (!(error instanceof ApiError)) return {code: 'General', message: 'a fault of the server'}
  const {because, missing, token} = (error.details ?? {}) as Partial<KeptRefusal>
  const told = explanationTextOf(error)?.slice(0, messageCharacters)
  return {code: error.code, message: error.message.slice(0, messageCharacters), because, missing, token, told}
}

const keptBody = (size: number, bytes: () => Uint8Array): KeptBody => ({
  size,
  bytes: size > limits.keptBodyBytes ? undefined : bytes(),
})

const sizeOf = ({path, search, sent, answered}: KeptRequest): number =>
  entryBytes + 2 * path.length + 2 * (search?.length ?? 0) + (sent?.bytes?.length ?? 0) + (answered?.bytes?.length ?? 0)

/**
 * The last requests of a server, in memory alone, for `server requests`. Bounded in number and bytes; the oldest are
 * dropped. Probes and the administration are left out: they would push out what was asked for.
 */
export class RequestLog {
  /** Whether queries and bodies are kept too. */
  readonly keepBodies: boolean
  readonly #slots: (KeptRequest | undefined)[] = []
  #first = 1
  #next = 1
  #bytes = 0

  constructor(keepBodies = false) {
    this.keepBodies = keepBodies
  }

  /** The query, the trace and the reply are what else the front knows: only a part of them is kept. */
  add(answered: AnsweredRequest, search: string, trace: Trace, reply: ReplyBody | undefined): void {
    const {correlationId, method, path, operation, params, status, durationMs, at, note} = answered
    const kind: string | undefined = operation?.permission.kind
    if (kind === 'admin' || kind === 'open') return
    const {keepBodies} = this
    const sent = trace.body
    const kept: KeptRequest = {
      number: this.#next,
      correlationId,
      method,
      path,
      operation,
      params,
      status,
      durationMs,
      at,
      note,
      check: trace.check,
      principal: trace.principal,
      refusal: keptRefusal(trace.error),
      search: keepBodies && search !== '' ? search.slice(0, limits.pathBytes) : undefined,
      sent: keepBodies && sent ? keptBody(sent.length, () => sent) : undefined,
      answered:
        keepBodies && reply ? keptBody(reply.length, () => Buffer.from(reply.parts.join(''), 'latin1')) : undefined,
    }
    const size = sizeOf(kept)
    while (this.#next - this.#first >= limits.requestsKept || this.#bytes + size > limits.requestBytesKept) this.#drop()
    this.#slots[this.#next % limits.requestsKept] = kept
    this.#next += 1
    this.#bytes += size
  }

  /** Those that are kept with a higher number, the oldest first. */
  *kept(after = 0): Generator<KeptRequest> {
    for (let number = Math.max(this.#first, after + 1); number < this.#next; number += 1) {
      const request = this.#slots[number % limits.requestsKept]
      if (request) yield request
    }
  }

  clear(): void {
    this.#slots.length = 0
    this.#first = this.#next
    this.#bytes = 0
  }

  #drop(): void {
    const slot = this.#first % limits.requestsKept
    const request = this.#slots[slot]
    if (request) this.#bytes -= sizeOf(request)
    this.#slots[slot] = undefined
    this.#first += 1
  }
}
