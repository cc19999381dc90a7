import {type ChildProcess, fork} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'
import {Agent} from 'undici'

/** What one window of requests cost. */
export interface Window {
  /** Microseconds of CPU of the server's process for each request. */
  readonly cpu: number
  /** Requests a second. */
  readonly rate: number
}

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

const script = fileURLToPath(new URL('./server-process.mjs', import.meta.url))
const json = 'application/json'

/** A server in a process of its own, asked over a few connections that stay open. */
export class Subject {
  readonly #child: ChildProcess
  readonly #agent: Agent
  readonly #connections: number
  readonly #origin: string
  readonly client: {readonly clientId: string; readonly clientSecret: string}

  private constructor(child: ChildProcess, started: {apiUrl: string; client: Subject['client']}, connections: number) {
    this.#child = child
    this.#origin = started.apiUrl
    this.client = started.client
    this.#connections = connections
    this.#agent = new Agent({connections, pipelining: 1})
  }

  static async started(connections: number, ...words: readonly string[]): Promise<Subject> {
    // With BENCH_PROFILE=FOLDER, V8 profiles of the servers go there.
    const child = fork(script, [...words], {
      execArgv: process.env['BENCH_PROFILE'] ? ['--cpu-prof', '--cpu-prof-dir=' + process.env['BENCH_PROFILE']] : [],
    })
    const gone = once(child, 'exit').then(() => {
      throw new Error(`the server of ${words[0]} ended before it listened`)
    })
    const [started] = (await Promise.race([once(child, 'message'), gone])) as [never]
    gone.catch(() => undefined)
    return new Subject(child, started, connections)
  }

  async ask({method, path, body, headers = {}}: Call): Promise<string> {
    const answer = await this.#agent.request({
      origin: this.#origin,
      path,
      method,
      headers: {...(body === undefined ? {} : {'content-type': json}), ...headers},
      ...(body === undefined ? {} : {body}),
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
    return text
  }

  /** As many requests as fit into the time, on all connections at once. */
  async window(ms: number, call: () => Call): Promise<Window> {
    const before = await this.#usage()
    const started = performance.now()
    let count = 0
    const one = async (): Promise<void> => {
      while (performance.now() - started < ms) {
        await this.ask(call())
        count += 1
      }
    }
    await Promise.all(Array.from({length: this.#connections}, one))
    const elapsed = performance.now() - started
    const after = await this.#usage()
    return {cpu: (after.user + after.system - before.user - before.system) / count, rate: (count / elapsed) * 1000}
  }

  /** The calls, on all connections at once. */
  async all(calls: Iterator<Call>): Promise<void> {
    const one = async (): Promise<void> => {
      for (let next = calls.next(); !next.done; next = calls.next()) await this.ask(next.value)
    }
    await Promise.all(Array.from({length: this.#connections}, one))
  }

  /** Resident memory in megabytes. */
  async memory(): Promise<number> {
    return (await this.#usage()).rss / 1e6
  }

  async stop(): Promise<void> {
    await this.#agent.close()
    const ended = once(this.#child, 'exit')
    this.#child.disconnect()
    await ended
  }

  async #usage(): Promise<{user: number; system: number; rss: number}> {
    this.#child.send('usage')
    const [usage] = (await once(this.#child, 'message')) as [{user: number; system: number; rss: number}]
    return usage
  }
}
