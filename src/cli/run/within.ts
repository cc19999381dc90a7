import type {ErrorReport} from '../output/error-report.js'
import type {Connection} from './connection.js'

/** What a command lends to one that it runs inside itself. */
export interface Within {
  /** Its connection, which stays open; absent for a command that acts as somebody else, with a connection of its own. */
  readonly connection?: Connection
  /** Gets the report of a failure, redacted, in place of the streams. */
  readonly failed: (report: ErrorReport) => void
}
