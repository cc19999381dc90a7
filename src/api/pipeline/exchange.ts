import type {PendingAnswer} from '../operation/budget.js'
import type {Principal} from '../operation/context.js'
import type {AnyOperation, Query} from '../operation/operation.js'

/** In the order of decision 5; `address` stands for host, headers and path, and `fault` for a fault on purpose. */
export type Check = 'address' | 'fault' | 'authentication' | 'permission' | 'body' | 'existence' | 'version' | 'rules'

/** How a request was handled, for `server requests`. No decision reads it, and writing it is an assignment. */
export interface Trace {
  /** The check that began last. */
  check: Check
  principal: Principal | undefined
  /** What ended it. */
  error: unknown
  /** The body as it was sent; only where bodies are kept. */
  body: Uint8Array | undefined
}

/** The caller is known; whether they may comes next. */
export function noteCaller(trace: Trace, principal: Principal): void {
  trace.principal = principal
  trace.check = 'permission'
}

/** One request of any transport. The body is read only after the caller was permitted. */
export interface Exchange {
  readonly operation: AnyOperation
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  /** Of a request that has one already; absent: that of the caller, or a new one. */
  readonly correlationId?: string
  /** The caller, if the transport has authenticated it; permissions are still checked. */
  readonly principal?: Principal | undefined
  /** The value of a header by its lower-case name. */
  readonly header: (name: string) => string | undefined
  readonly body: () => Promise<Uint8Array>
  /** The reply goes out as JSON: documents in it may be texts (`JsonText`), which nobody parses. */
  readonly takesTexts?: true
  /** Absent where answers stay in this process. */
  readonly making?: PendingAnswer | undefined
  /** Remote address; absent for the embedded transport. */
  readonly source?: string | undefined
  /** Set by the HTTP front, for `server requests`. */
  readonly trace?: Trace
}
