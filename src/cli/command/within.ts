import type {ErrorReport} from '../output/error-report.js'
import type {Connection} from '../target/connection.js'

/** What a command lends to one that it runs inside itself: its connection, which stays open, and an ear for failures. */
export interface Within {
  readonly connection: Connection
  /** Gets the report of a failure, redacted, in place of the streams. */
  readonly failed: (report: ErrorReport) => void
}
