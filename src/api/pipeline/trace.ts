import type {Principal} from '../operation/context.js'

/**
 * The checks that a request passes, in the order of decision 5; `address` stands for host, headers and path, and `fault`
 * for a fault on purpose.
 */
export type Check = 'address' | 'fault' | 'authentication' | 'permission' | 'body' | 'existence' | 'version' | 'rules'

/**
 * What became of a request on its way, noted for whoever asks later why it was refused. Nothing reads it to decide, and
 * noting costs no more than an assignment.
 */
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
