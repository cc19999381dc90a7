import {type ChildProcessWithoutNullStreams, execFileSync, spawn} from 'node:child_process'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {patienceMs, processLimitMs} from '../patience.js'
import {cleanEnvironment} from './binary.js'

/** The built command in a pseudo-terminal, which `script` of util-linux opens. */

const run = join(fileURLToPath(new URL('../../', import.meta.url)), 'bin', 'run.js')

/** Whether this machine can open one. */
export function hasPty(): boolean {
  try {
    return execFileSync('script', ['--version'], {encoding: 'utf8', stdio: 'pipe'}).includes('util-linux')
  } catch {
    return false
  }
}

export interface PtyOptions {
  readonly home: string
  readonly columns?: number
  /** Another program of the project than the command. */
  readonly program?: string
  /** Lines for bash in place of a program. */
  readonly script?: string
  readonly env?: NodeJS.ProcessEnv
  /** How long it waits for a text. */
  readonly patience?: number
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

export class Pty {
  readonly ended: Promise<number | null>
  text = ''
  readonly #child: ChildProcessWithoutNullStreams
  readonly #patience: number
  #seen = 0
  #onText: () => void = () => undefined

  constructor(words: readonly string[], options: PtyOptions) {
    const {home, columns = 80, program = run, script, env = {}, patience = patienceMs} = options
    this.#patience = patience
    const command = (script ? ['bash', '-c', script] : [process.execPath, program, ...words]).map(quoted).join(' ')
    this.#child = spawn('script', ['-qefc', `stty cols ${columns} rows 24; exec ${command}`, '/dev/null'], {
      cwd: home,
      env: {...cleanEnvironment(home), TERM: 'xterm-256color', SHELL: '/bin/sh', LANG: 'C.UTF-8', ...env},
      timeout: processLimitMs,
      killSignal: 'SIGKILL',
    })
    // What is typed after the end goes nowhere.
    this.#child.stdin.on('error', () => undefined)
    this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      this.text += chunk
      this.#onText()
    })
    this.ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject)
      this.#child.once('close', (code) => resolve(code))
    })
  }

  /** Waits for a text after what was seen before, and types after it. */
  async answers(wanted: string, keys = ''): Promise<string> {
    const end = Date.now() + this.#patience
    let at = this.text.indexOf(wanted, this.#seen)
    while (at < 0) {
      await this.#more(end - Date.now(), wanted)
      at = this.text.indexOf(wanted, this.#seen)
    }
    const seen = this.text.slice(this.#seen, at + wanted.length)
    this.#seen = at + wanted.length
    if (keys !== '') this.types(keys)
    return seen
  }

  types(keys: string): void {
    this.#child.stdin.write(keys)
  }

  /** Signals the command itself, which `script` runs. */
  signal(name: NodeJS.Signals): void {
    const child = execFileSync('ps', ['-o', 'pid=', '--ppid', String(this.#child.pid)], {encoding: 'utf8'})
    process.kill(Number(child.trim()), name)
  }

  /** The terminal goes away: nobody holds its other side any more. */
  hangUp(): void {
    this.#child.kill('SIGKILL')
  }

  /** Waits until something more is shown. */
  async grows(): Promise<void> {
    const {length} = this.text
    while (this.text.length === length) await this.#more(this.#patience, 'more')
  }

  #more(leftMs: number, wanted: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () =>
          reject(
            new Error(
              `'${wanted}' does not come within ${this.#patience / 1000} s; there is:\n${this.text.slice(this.#seen)}`,
            ),
          ),
        leftMs,
      )
      this.#onText = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
