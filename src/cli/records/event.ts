import type {Difference} from '../customers/preview.js'

export interface HistoryEvent {
  readonly time: string
  /**
   * A message of the API, the audit log of this machine, what the server counts of sign-ins, or the customer's own members
   * where none of them tells.
   */
  readonly origin: 'message' | 'audit' | 'server' | 'customer'
  /** The type of the message, or the command of the audit log. */
  readonly type: string
  /** The command of this tool that did it, where that is known. */
  readonly command?: string
  /** In words: `email changed`. */
  readonly what: string
  /** Values before and after, as far as they are known. */
  readonly changes?: readonly Difference[]
  /** In words: `client shop`, `clerk with this tool`. */
  readonly who: string
  readonly version?: number
  readonly result?: string
  readonly ticket?: string
  readonly reason?: string
  readonly expiresAt?: string
  /** Of a one-time token that is no longer open: how it ended, and when, where that is known. */
  readonly ended?: 'used' | 'ended' | 'expired'
  readonly endedAt?: string
}
