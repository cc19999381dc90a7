import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Readable, Writable} from 'node:stream'
import {fileURLToPath} from 'node:url'
import type {Config} from '@oclif/core'
import {sourceConfig} from '../../bin/source-config.mjs'
import {type Call, start} from '../../src/cli/command/main.js'
import {namesOf} from '../../src/cli/command/operations.js'
import type {Prompts} from '../../src/cli/input/ask.js'
import type {Io} from '../../src/cli/process/io.js'
import {Witness} from './witness.js'

/** Runs command lines in this process, over the sources, with streams and folders of their own. */

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The built command, for tests that need a process: it starts in a fraction of the time that the sources take. */
export const built = join(root, 'bin/run.js')

let loading: Promise<Config> | undefined
export const config = (): Promise<Config> => {
  loading ??= sourceConfig(root)
  return loading
}

export class Collected extends Writable {
  text = ''
  readonly isTTY: boolean
  readonly columns: number
  readonly #full: Full | undefined

  constructor(terminal: boolean, columns: number, full?: Full) {
    super()
    // As the streams of the process: `main` listens to them, and they take what comes after an error.
    this.on('error', () => undefined)
    this.isTTY = terminal
    this.columns = columns
    this.#full = full
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(error)
    ;(this as unknown as {_undestroy: () => void})._undestroy()
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    const room = (this.#full?.room ?? Number.POSITIVE_INFINITY) - Buffer.byteLength(this.text)
    this.text += chunk.subarray(0, Math.max(0, room)).toString('utf8')
    const code = this.#full?.code
    done(chunk.length > room ? Object.assign(new Error(`${code}: write`), {code, syscall: 'write'}) : undefined)
  }
}

/** A stream that takes so many bytes, and then fails. */
interface Full {
  readonly room: number
  readonly code: 'ENOSPC' | 'EPIPE'
}

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** stdout as JSON. */
  readonly json: unknown
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  /** Streams are terminals, and prompts are answered with these. */
  readonly answers?: readonly string[]
  readonly terminal?: boolean
  readonly columns?: number
  /** Waits before repeats; absent: as long as people wait. */
  readonly wait?: (milliseconds: number) => Promise<unknown>
  readonly clock?: () => number
  /** stdout takes no more than this. */
  readonly full?: Full
}

/** A person at the keyboard: answers in order, and remembers what was asked. */
export function scripted(answers: readonly string[]): Prompts & {readonly asked: string[]} {
  const left = [...answers]
  const asked: string[] = []
  const next = (message: string): Promise<string> => {
    asked.push(message)
    const answer = left.shift()
    return answer === undefined ? Promise.reject(new Error(`nobody answers: ${message}`)) : Promise.resolve(answer)
  }
  const choice: Prompts['choice'] = async (message, choices) => {
    const answer = await next([message, ...choices].join('\n'))
    return choices.findIndex((one) => one.includes(answer))
  }
  return {asked, text: next, hidden: next, yes: async (message) => (await next(message)) === 'yes', choice}
}

/** A machine of its own: configuration, state and caches in a new folder. */
export class Desk {
  readonly folder = mkdtempSync(join(tmpdir(), 'frontdesk-cli-'))
  readonly env: Record<string, string> = {
    FRONTDESK_CONFIG_DIR: join(this.folder, 'config'),
    FRONTDESK_DATA_DIR: join(this.folder, 'data'),
    FRONTDESK_CACHE_DIR: join(this.folder, 'cache'),
  }

  readonly #witness = new Witness()

  async run(argv: readonly string[], options: RunOptions = {}): Promise<Ended> {
    this.#witness.heard(argv, options)
    const terminal = options.terminal ?? options.answers !== undefined
    const stdout = new Collected(terminal, options.columns ?? 80, options.full)
    const stderr = new Collected(terminal, options.columns ?? 80)
    const stdin = Object.assign(Readable.from(options.stdin === undefined ? [] : [options.stdin]), {isTTY: terminal})
    const io: Io = {
      stdin,
      stdout,
      stderr,
      env: {...this.env, ...options.env},
      clock: options.clock ?? Date.now,
      ...(options.wait ? {wait: options.wait} : {}),
    }
    const prompts = options.answers ? {prompts: this.#witnessed(scripted(options.answers))} : {}
    const undeclared = new Set<string>()
    const onCall = ({command, declared, operation}: Call): void => {
      if (!new Set<string>(namesOf(declared)).has(operation)) undeclared.add(`${command} calls ${operation}`)
    }
    const code = await start(argv, {config, io, ...prompts, onCall})
    // A stream reports its write error in the next turn of the event loop.
    if (options.full) await new Promise((resolve) => setImmediate(resolve))
    if (undeclared.size > 0) throw new Error(`${[...undeclared].join(', ')}, and does not declare it`)
    this.#witness.check(stdout.text + stderr.text, `the output of ${argv.join(' ')}`)
    return {
      code,
      stdout: stdout.text,
      stderr: stderr.text,
      get json() {
        return JSON.parse(stdout.text) as unknown
      },
    }
  }

  #witnessed(prompts: Prompts): Prompts {
    const hidden: Prompts['hidden'] = async (message) => {
      const secret = await prompts.hidden(message)
      this.#witness.typed(secret)
      return secret
    }
    return {...prompts, hidden}
  }

  /** Drops the cached tokens, so that the next command asks for one. */
  forgetTokens(): void {
    rmSync(join(this.folder, 'cache', 'tokens'), {recursive: true, force: true})
  }

  remove(): void {
    this.#witness.search(this.folder)
    rmSync(this.folder, {recursive: true, force: true})
  }
}
