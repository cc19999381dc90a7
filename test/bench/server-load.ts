import {type ChildProcess, type ForkOptions, fork} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'
import {patienceMs} from '../patience.js'
import {type Call, Connection} from './server-connection.js'

/** What one window of requests cost. */
export interface Window {
  /** Microseconds of CPU of the server's process for each request. */
  readonly cpu: number
  /** Requests a second. */
  readonly rate: number
}

const script = fileURLToPath(new URL('./server-process.mjs', import.meta.url))

/** A server in a process of its own, asked over a few connections that stay open. */
export class Subject {
  readonly #child: Child
  readonly #connections: readonly Connection[]
  readonly client: Client

  private constructor(child: Child, connections: readonly Connection[], client: Client) {
    this.#child = child
    this.#connections = connections
    this.client = client
  }

  static started(connections: number, ...words: readonly string[]): Promise<Subject> {
    return Subject.of(connections, script, words)
  }

  /** A server that another script starts, which speaks as `server-process.mjs` does. */
  static async of(
    connections: number,
    path: string,
    words: readonly string[],
    options: ForkOptions = {},
  ): Promise<Subject> {
    const child = new Child(path, words, options)
    const {apiUrl, client} = await child.told<{apiUrl: string; client: Client}>()
    const opened = await Promise.all(Array.from({length: connections}, () => Connection.open(apiUrl, patienceMs)))
    return new Subject(child, opened, client)
  }

  /** The text of an answer. The first connection must be free. */
  async ask(call: Call): Promise<string> {
    return answered(this.#connections[0] as Connection, call)
  }

  /** As many requests as fit into the time, on all connections at once. */
  async window(ms: number, call: () => Call): Promise<Window> {
    const before = await this.#usage()
    const started = performance.now()
    let count = 0
    const one = async (connection: Connection): Promise<void> => {
      while (performance.now() - started < ms) {
        await answered(connection, call())
        count += 1
      }
    }
    const awake = new AbortController()
    keepAwake(awake.signal)
    await Promise.all(this.#connections.map(one)).finally(() => awake.abort())
    const elapsed = performance.now() - started
    const after = await this.#usage()
    return {cpu: (after.user + after.system - before.user - before.system) / count, rate: (count / elapsed) * 1000}
  }

  /**
   * The milliseconds that one call after the other took on the first connection, and how many calls the other connections
   * sent meanwhile, each as many as it could.
   */
  async times(ms: number, call: () => Call, beside?: () => Call): Promise<{times: number[]; others: number}> {
    const [first, ...rest] = this.#connections as readonly [Connection, ...Connection[]]
    const until = performance.now() + ms
    const times: number[] = []
    let others = 0
    const besides = rest.map(async (connection) => {
      while (beside && performance.now() < until) {
        await answered(connection, beside())
        others += 1
      }
    })
    for (let from = performance.now(); from < until; from = performance.now()) {
      await answered(first, call())
      times.push(performance.now() - from)
    }
    await Promise.all(besides)
    return {times, others}
  }

  /** Begins a CPU profile of the server, or ends it and writes it to the file. */
  async profile(file: string): Promise<void> {
    await this.#usage(file)
  }

  /** The calls, on all connections at once. */
  async all(calls: Iterator<Call>): Promise<void> {
    const one = async (connection: Connection): Promise<void> => {
      for (let next = calls.next(); !next.done; next = calls.next()) await answered(connection, next.value)
    }
    await Promise.all(this.#connections.map(one))
  }

  /** What the process answers to a word of its own. */
  told<T>(asked: string): Promise<T> {
    return this.#child.told(asked)
  }

  /** Resident memory in megabytes. */
  async memory(): Promise<number> {
    return (await this.#usage()).rss / 1e6
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections) connection.close()
    await this.#child.end()
  }

  #usage(asked = 'usage'): Promise<{user: number; system: number; rss: number}> {
    return this.#child.told(asked)
  }
}

interface Client {
  readonly clientId: string
  readonly clientSecret: string
}

/** The process of a server. */
class Child {
  readonly #process: ChildProcess
  readonly #ended = new AbortController()

  constructor(path: string, words: readonly string[], options: ForkOptions) {
    this.#process = fork(path, [...words], options)
    this.#process.once('exit', (code) => this.#ended.abort(`the server of ${words[0]} ended with ${code}`))
  }

  /** What it says next, perhaps to what it is asked. Rejects once it has ended, or has been silent for too long. */
  async told<T>(asked?: string): Promise<T> {
    const {signal} = this.#ended
    if (asked !== undefined && !signal.aborted) this.#process.send(asked)
    const within = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const said = once(this.#process, 'message', {signal: within}).catch(() => {
      throw new Error(String(within.reason))
    })
    return ((await said) as [T])[0]
  }

  /** Kills it if it does not end by itself. */
  async end(): Promise<void> {
    const {signal} = this.#ended
    if (signal.aborted) return
    this.#process.disconnect()
    await once(signal, 'abort', {signal: AbortSignal.timeout(patienceMs)}).catch(() => this.#process.kill('SIGKILL'))
  }
}

async function answered(connection: Connection, call: Call): Promise<string> {
  const {status, text} = await connection.send(call)
  if (status >= 400) throw new Error(`${call.method} ${call.path}: ${status} ${text}`)
  return text
}

/**
 * Waking a process that sleeps is charged to whoever sends it something, and a slow server would do it for every answer:
 * in a virtual machine that took five times as long as the rest of the write. A bare server never lets its clients sleep.
 */
function keepAwake(signal: AbortSignal): void {
  if (!signal.aborted) setImmediate(() => keepAwake(signal))
}
