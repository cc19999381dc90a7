import {type ChildProcess, spawn} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {Agent, createServer, request, type Server} from 'node:http'
import {fileURLToPath} from 'node:url'
import {addressOf} from '../client/foreign-server.js'
import {cleanEnvironment} from '../e2e/binary.js'
import type {Pty} from '../e2e/pty.js'
import {patienceMs, processLimitMs} from '../patience.js'
import {rounds} from '../rounds.js'

export const built = fileURLToPath(new URL('../../bin/run.js', import.meta.url))

/** Waits for a condition. */
export async function until(what: string | (() => string), holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + patienceMs
  while (!(await holds())) {
    if (Date.now() > end)
      throw new Error(`not within ${patienceMs / 1000} s: ${typeof what === 'string' ? what : what()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

export const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ok}) => ok,
    () => false,
  )

/** A command without a terminal, with what it printed. */
export class Run {
  text = ''
  readonly child: ChildProcess
  readonly ended: Promise<number | null>

  constructor(home: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.child = spawn(process.execPath, [built, ...words], {
      cwd: home,
      env: {...cleanEnvironment(home), ...env},
      // A session of its own has no terminal.
      detached: true,
      timeout: processLimitMs,
    })
    this.child.stdout?.on('data', (chunk: Buffer) => (this.text += chunk.toString()))
    this.child.stderr?.on('data', (chunk: Buffer) => (this.text += chunk.toString()))
    this.ended = new Promise((resolve) => this.child.once('close', resolve))
  }

  async says(wanted: string): Promise<void> {
    await until(
      () => `${wanted} in ${this.text}`,
      () => this.text.includes(wanted),
    )
  }
}

/** Hands requests on to a server, but holds those that a test names, unanswered, until it opens. */
export class Gate {
  url = ''
  held = 0
  /** What is held from now on: the method and the path, and how many like it came before. */
  holds: (asked: string, before: number) => boolean = () => false
  readonly #server: Server
  readonly #agent = new Agent({keepAlive: true})
  #seen = 0
  #waiting: (() => void)[] = []

  constructor(target: string) {
    this.#server = createServer((incoming, outgoing) => {
      const {method = '', url = ''} = incoming
      const {host: _, ...headers} = incoming.headers
      const pass = () => {
        const onward = request(`${target}${url}`, {method, headers, agent: this.#agent}, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(outgoing)
        })
        onward.on('error', () => outgoing.destroy())
        incoming.pipe(onward)
      }
      const isHeld = this.holds(`${method} ${url}`, this.#seen)
      this.#seen += 1
      if (!isHeld) return pass()
      this.held += 1
      this.#waiting.push(pass)
    })
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${addressOf(this.#server)}`
    return this
  }

  /** Holds from now on what `holds` names. */
  shut(holds: Gate['holds']): void {
    this.held = 0
    this.#seen = 0
    this.holds = holds
  }

  /** Hands on what was held, and holds nothing more. */
  open(): void {
    this.holds = () => false
    for (const pass of this.#waiting.splice(0)) pass()
  }

  async close(): Promise<void> {
    this.#agent.destroy()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** Terminals have no signals of their own: Ctrl-C, the end of the terminal, and that of whoever started the command. */
export const ways = {
  'Ctrl-C': {code: 130, at: 'terminal', once: '\x03'},
  'the terminal gone': {code: null, at: 'terminal', once: 'gone'},
  SIGTERM: {code: 143, at: 'process', once: 'SIGTERM'},
  SIGINT: {code: 130, at: 'process', once: 'SIGINT'},
  SIGHUP: {code: 129, at: 'process', once: 'SIGHUP'},
} as const
export type Way = keyof typeof ways
/** Those of `always`, all thoroughly. */
export const some = (...always: Way[]): Way[] => (rounds(1, 2) === 1 ? always : (Object.keys(ways) as Way[]))

/** Ends a run in a way. */
export function endBy(run: Pty | Run, way: Way): void {
  const {once} = ways[way]
  if (run instanceof Run) run.child.kill(once as NodeJS.Signals)
  else if (once === 'gone') run.hangUp()
  else run.types(once)
}
