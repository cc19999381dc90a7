import {limits} from '../../work/limits.js'

const {headerBytes, formBytes, requestsPerSocket, sockets, pipelined, unreadBytes, largeAnswers, largeBodies} = limits

/** Times and sizes that bound what one caller takes. Those that src/work/limits.ts has are explained there. */
export const defaultLimits = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  keepAliveTimeoutMs: 5_000,
  /** How often Node checks the timeouts above. */
  checkingIntervalMs: 1_000,
  maxHeaders: limits.headers,
  maxPathBytes: limits.pathBytes,
  /** How long a client with an unread answer may take nothing. */
  unreadMs: 15_000,
  /** How long work goes on for a client that has closed its side: it may still read, or have left. */
  halfClosedMs: 1_000,
  ...{headerBytes, formBytes, requestsPerSocket, sockets, pipelined, unreadBytes, largeAnswers, largeBodies},
}

export type FrontLimits = {readonly [N in keyof typeof defaultLimits]: number}
