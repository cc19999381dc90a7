import type {AnyOperation, Operation, PathParams} from '../api/operation/operation.js'

/**
 * The typed client: a call names an operation, and gets path, body and reply types from its declaration. Embedded and
 * remote differ in the transport only.
 */

export type QueryValue = string | number | boolean | readonly (string | number | boolean)[]

export interface CallOptions<B> {
  readonly query?: Readonly<Record<string, QueryValue>>
  readonly body?: B
  /** Sent as `X-Correlation-ID`; made up if absent. */
  readonly correlationId?: string
  readonly signal?: AbortSignal
  /** A write that does no harm if it is done twice: it is repeated as a read is. */
  readonly isRepeatable?: boolean
}

/** A request before it knows its origin. */
export interface Outgoing {
  readonly method: string
  /** Path with its query, encoded: `/shop/customers?limit=2`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
  readonly correlationId: string
  /** A write that does no harm if it is done twice, such as a request for a token: it is repeated as a read is. */
  readonly isRepeatable?: boolean
  /** The declaration behind the path, so that an embedded transport needs no router. Absent for raw calls. */
  readonly target?: {readonly operation: AnyOperation; readonly params: Readonly<Record<string, string>>}
}

/** The answer to a request, of any transport. */
export interface Incoming {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON; undefined for an empty body; text if it was not JSON. */
  readonly body: unknown
  /** A sentence about an answer that is not the API's, safe to show: where a redirect leads, how a page begins. */
  readonly foreign?: string
  /** An earlier try was answered 503, by whoever: the write may have had its effect then. */
  readonly afterOpenTry?: true
}

/**
 * Carries requests: over HTTP (`http.ts`), or into a pipeline in this process (`embedded.ts`). Throws `Unreachable`
 * when no answer came.
 */
export interface Transport {
  readonly kind: 'http' | 'embedded'
  /** Whether other processes wait for this one, which then may wait for none of them; absent: they do not. */
  readonly isHolding?: boolean
  send(request: Outgoing): Promise<Incoming>
  close(): Promise<void>
}

/** Why no answer came, as far as it changes what to do about it. */
export type Trouble = 'timeout' | 'certificate' | 'proxy' | 'foreign'

/** No answer came: refused connection, timeout, reset. `sent` tells whether the request may have had its effect. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  readonly sent: boolean
  readonly correlationId: string
  readonly trouble: Trouble | undefined

  constructor(
    message: string,
    sent: boolean,
    correlationId: string,
    options: ErrorOptions & {readonly trouble?: Trouble | undefined} = {},
  ) {
    super(message, options)
    this.trouble = options.trouble
    this.sent = sent
    this.correlationId = correlationId
  }

  /** The same failure: after an earlier try whose effect is open, or of a request that another needed, which never left. */
  withSent(sent: boolean): Unreachable {
    if (this.sent === sent) return this
    const {message, correlationId, cause, trouble} = this
    return new Unreachable(message, sent, correlationId, {cause, trouble})
  }
}

/** The path parameters besides `projectKey` and `storeKey`, which the client fills in. */
export type CallParams<P extends string> = Omit<PathParams<P>, 'projectKey' | 'storeKey'>

/** The typed client of one project, over HTTP or in this process. Close it. */
export interface Client {
  readonly projectKey: string
  /** The store whose twin endpoints are used, if any. */
  readonly storeKey?: string
  /** Id of the API client whose credentials are used, if they are known: what it writes carries this id. */
  readonly clientId?: string
  /** The time at the server, as its last answer tells it; this machine's if none did. Milliseconds since the epoch. */
  serverTime(): number
  /** The same client with the twin endpoints of a store. Closing either closes both. */
  inStore(storeKey: string): Client
  /** Calls an operation. Throws ApiError for a refusal and Unreachable when no answer came. */
  call<P extends string, B, R>(
    operation: Operation<P, B, R>,
    params: CallParams<P>,
    options?: CallOptions<unknown>,
  ): Promise<R>
  /**
   * Sends a form to the authorization service as the API client of the target. Throws invalid_client if the target has
   * none, and what `call` throws.
   */
  form<P extends string, B, R>(
    operation: Operation<P, B, R>,
    fields: Readonly<Record<string, string | undefined>>,
  ): Promise<R>
  /** A raw call below the origin, for `frontdesk api` and probes; does not throw for a status. */
  raw(method: string, path: string, options?: CallOptions<unknown>): Promise<Incoming>
  close(): Promise<void>
}
