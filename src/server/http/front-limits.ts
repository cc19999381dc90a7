import {limits as bounds} from '../../limits.js'

/** Times and sizes that bound what one caller takes. */
export interface FrontLimits {
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly keepAliveTimeoutMs: number
  /** How often Node checks the timeouts above. */
  readonly checkingIntervalMs: number
  /** The request line and the headers together. */
  readonly headerBytes: number
  readonly maxHeaders: number
  readonly maxPathBytes: number
  readonly formBytes: number
  readonly requestsPerSocket: number
  readonly sockets: number
  /** Requests of one connection that wait or are answered. */
  readonly pipelined: number
  /** Bytes of answers that are made and not taken, of all connections together. */
  readonly unreadBytes: number
  /** How long a client with an unread answer may take nothing. */
  readonly unreadMs: number
}

/** Those of src/limits.ts. */
export const defaultLimits: FrontLimits = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  keepAliveTimeoutMs: 5_000,
  checkingIntervalMs: 1_000,
  headerBytes: bounds.headerBytes,
  maxHeaders: bounds.headers,
  maxPathBytes: bounds.pathBytes,
  formBytes: bounds.formBytes,
  requestsPerSocket: bounds.requestsPerSocket,
  sockets: bounds.sockets,
  pipelined: bounds.pipelined,
  unreadBytes: bounds.unreadBytes,
  unreadMs: 15_000,
}
