import {PassThrough, Writable} from 'node:stream'
import {start} from '../../../src/cli/command/main.js'
import {namesOf} from '../../../src/cli/command/operations.js'
import {patienceMs} from '../../patience.js'
import {config, type Desk} from '../run.js'
import {Screen} from './screen.js'

/** A person at the desk, in this process: waits for what the terminal shows, and answers by key. */

class Terminal extends Writable {
  readonly isTTY = true
  readonly columns: number
  text = ''
  onText: () => void = () => undefined

  constructor(columns: number) {
    super()
    this.columns = columns
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8')
    this.onText()
    done()
  }
}

export interface Told {
  readonly code: number
  readonly stdout: string
}

interface CallOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly columns?: number
}

export class Telephone {
  readonly ended: Promise<Told>
  /** How many keys were pressed. */
  keys = 0
  readonly #stdin = Object.assign(new PassThrough(), {isTTY: true})
  readonly #terminal: Terminal
  #seen = 0

  constructor(desk: Desk, argv: readonly string[], {env = {}, columns = 80}: CallOptions = {}) {
    this.#terminal = new Terminal(columns)
    const stdout = new Terminal(columns)
    const undeclared = new Set<string>()
    const io = {stdin: this.#stdin, stdout, stderr: this.#terminal, env: {...desk.env, ...env}, clock: Date.now}
    this.ended = start(['desk', ...argv], {
      config,
      io,
      onCall: ({declared, operation}) => {
        if (!new Set<string>(namesOf(declared)).has(operation)) undeclared.add(operation)
      },
    }).then((code) => {
      if (undeclared.size > 0) throw new Error(`the desk calls ${[...undeclared].join(', ')}, and does not declare it`)
      return {code, stdout: stdout.text}
    })
  }

  /** Everything that was written to the terminal. */
  get text(): string {
    return this.#terminal.text
  }

  /** What a person sees of it: the lines with cursor movements carried out. */
  get screen(): string {
    return new Screen(this.#terminal.columns).written(this.#terminal.text).text
  }

  /** Waits until a text is shown after what was seen before, and returns what came up to it. */
  async sees(text: string): Promise<string> {
    const end = Date.now() + patienceMs
    for (;;) {
      const at = this.text.indexOf(text, this.#seen)
      if (at >= 0) {
        const from = this.#seen
        this.#seen = at + text.length
        return this.text.slice(from, this.#seen).replace(/\u001B\[\d*m/g, '')
      }
      await this.#more(end - Date.now(), text)
    }
  }

  #more(leftMs: number, wanted: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`'${wanted}' does not come; there is:\n${this.text.slice(this.#seen)}`))
      }, leftMs)
      this.#terminal.onText = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Presses keys. */
  types(keys: string): void {
    this.keys += keys.length
    this.#stdin.write(keys)
  }

  /** Waits for a text and answers it. */
  async answers(text: string, keys: string): Promise<void> {
    await this.sees(text)
    // A prompt takes keys from the next turn of the event loop on.
    await new Promise((resolve) => setImmediate(resolve))
    this.types(keys)
  }

  hangUp(): void {
    this.#stdin.end()
  }
}

export const enter = '\r'
export const ctrlC = '\u0003'
export const esc = '\u001B'
export const ctrlU = '\u0015'
