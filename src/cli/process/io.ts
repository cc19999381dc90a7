import type {Readable, Writable} from 'node:stream'
import {guarded} from '../output/terminal.js'

/** The surroundings of one run: streams and environment, so that tests run commands in process and in parallel. */
export interface Io {
  readonly stdin: Readable & {readonly isTTY?: boolean}
  readonly stdout: Writable & {readonly isTTY?: boolean; readonly columns?: number}
  readonly stderr: Writable & {readonly isTTY?: boolean; readonly columns?: number}
  readonly env: Environment
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Waits before a repeat; absent: so long. */
  readonly wait?: (milliseconds: number) => Promise<unknown>
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The same with what is written to a terminal made safe. */
export const guardedIo = ({stdin, stdout, stderr, env, clock}: Io): Io => ({
  stdin,
  stdout: guarded(stdout),
  stderr: guarded(stderr),
  env,
  clock,
})

/** This process. Streams are getters: opening stdin costs time, and most commands never read it. */
export const processIo: Io = {
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return guarded(process.stdout)
  },
  get stderr() {
    return guarded(process.stderr)
  },
  env: process.env,
  clock: Date.now,
}

/** A variable that is set to something. An empty value counts as unset, as shells make it hard to unset one. */
export function variable(env: Environment, name: string): string | undefined {
  const value = env[name]
  return value === undefined || value === '' ? undefined : value
}

/** A switch in the environment: `1`, `true`, `yes` or any other text but `0`, `false` and `no`. */
export function isOn(env: Environment, name: string): boolean {
  const value = variable(env, name)?.toLowerCase()
  return value !== undefined && !['0', 'false', 'no', 'off'].includes(value)
}
