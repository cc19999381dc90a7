import type {Claim} from '../operation/budget.js'
import type {Principal} from '../operation/context.js'
import type {AnyOperation, Query} from '../operation/operation.js'
import type {Trace} from './trace.js'

/** One request of any transport. The body is read only after the caller was permitted. */
export interface Exchange {
  readonly operation: AnyOperation
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  /** Of a request that has one already; absent: that of the caller, or a new one. */
  readonly correlationId?: string
  /** The caller, where the transport has authenticated it; what it may is still checked. Absent: the header tells. */
  readonly principal?: Principal | undefined
  /** The value of a header by its lower-case name. */
  readonly header: (name: string) => string | undefined
  readonly body: () => Promise<Uint8Array>
  /** The reply goes out as JSON: documents in it may be texts (`JsonText`), which nobody parses. */
  readonly takesTexts?: true
  /** Absent where answers stay in this process. */
  readonly claim?: Claim
  /** Remote address; absent for the embedded transport. */
  readonly source?: string | undefined
  /** Set by the HTTP front, for `server requests`. */
  readonly trace?: Trace
}
