import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {type Finished, openSandbox, type Sandbox} from './binary.js'
import {Canaries, filesWith} from './canaries.js'

const spawned = fileURLToPath(new URL('./spawned.mjs', import.meta.url))

/** Commands that send no request, and take no flag for one. */
const silent = /^(server|jobs|profiles|token list)\b/

interface Step {
  readonly input?: string
  readonly code?: number
  readonly env?: NodeJS.ProcessEnv
  /** How the step is called where a secret turns up; the words of the command otherwise. */
  readonly as?: string
}

/** What was done, given and printed in one sandbox, and where the secrets of the day turned up in it. */
export class Day {
  readonly box: Sandbox = openSandbox()
  readonly canaries = new Canaries()
  readonly given = join(this.box.home, 'given')
  readonly argv = join(this.box.home, 'argv.log')
  /** What was printed, by the command that did. */
  readonly printed: {readonly place: string; readonly text: string}[] = []
  #traces = 0

  constructor() {
    mkdirSync(this.given, {mode: 0o700})
  }

  /** A file that the person brings; it is not searched. */
  file(name: string, text: string): string {
    const path = join(this.given, name)
    writeFileSync(path, text, {mode: 0o600})
    return path
  }

  keep(place: string, text: string): void {
    this.printed.push({place, text})
  }

  /** Where which secret is, in what was printed and in every file; and which of these files others can read. */
  findings(): {found: string[]; loose: string[]} {
    const inFiles = filesWith(this.canaries, this.box.home, (path) => path.startsWith('given'))
    const found = [
      ...this.printed.flatMap(({place, text}) => this.canaries.in(text).map((canary) => `${canary} in ${place}`)),
      ...inFiles.map(({path, canary}) => `${canary} in ${path.replace(/[0-9a-f]{40}/, '…')}`),
    ]
    const loose = inFiles.filter(({mode}) => (mode & 0o077) !== 0).map(({path}) => path)
    return {found: [...new Set(found)].sort(), loose}
  }

  /** Runs a command with everything that could talk too much switched on. */
  async run(words: readonly string[], {input = '', code = 0, env = {}, as}: Step = {}): Promise<Finished> {
    this.#traces += 1
    const talks = words.includes('--') ? [] : ['--verbose']
    const trace = silent.test(words.join(' ')) ? talks : [...talks, '--trace-http', `trace-${this.#traces}.har`]
    const ended = await this.box.frontdesk([...words, ...trace], {
      input,
      env: {FRONTDESK_DEBUG: '1', NODE_OPTIONS: `--import ${spawned}`, CANARY_ARGV: this.argv, ...env},
    })
    const label = as ?? words.slice(0, 3).join(' ')
    expect(ended.code, `${label}\n${ended.stderr}`).to.equal(code)
    this.keep(`stdout of ${label}`, ended.stdout)
    this.keep(`stderr of ${label}`, ended.stderr)
    return ended
  }

  /** The same, with a secret of its own on stdin. */
  secretly(name: string, words: readonly string[], step: Step = {}): Promise<Finished> {
    return this.run(words, {input: `${this.canaries.make(name)}\n`, as: `${words[0]} ${words[1]} (${name})`, ...step})
  }
}
