import type {AnyOperation, Query} from '../operation/operation.js'

/** One request, whatever brought it here. The body is asked for only when the caller may send one. */
export interface Exchange {
  readonly operation: AnyOperation
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  /** Lower-case names. */
  readonly header: (name: string) => string | undefined
  readonly body: () => Promise<Uint8Array>
  /** The address that the request came from; absent inside one process. */
  readonly source?: string
}
