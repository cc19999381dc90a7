import {defined} from '../../domain/equal.js'
import {reportOf} from '../output/error-report.js'
import {Failure, notConfirmed, usage} from '../process/failure.js'
import {type Io, isOn} from '../process/io.js'
import {oneLine} from '../process/sanitize.js'
import {unguarded} from '../process/terminal.js'
import {Closed, confirmed, type Input, type Key, type Keyboard, WentBack} from './keys.js'

/** The prompts, injected so that tests can answer. */
export interface Prompts {
  text(message: string, byDefault?: string): Promise<string>
  hidden(message: string): Promise<string>
  yes(message: string): Promise<boolean>
  choice(message: string, choices: readonly string[]): Promise<number>
}

export interface AskOptions {
  readonly noInput: boolean
  readonly yes: boolean
  readonly shown?: (question: string) => string
}

/**
 * Prompts a person. Whether the run is interactive is decided before anything is loaded or printed: stdin and stderr
 * are terminals, CI is unset and prompting is not switched off. Otherwise a prompt throws AnswerNeeded (exit code 12),
 * which names the flag that gives the answer.
 */
export class Asker {
  readonly #io: Io
  readonly #options: AskOptions
  readonly #prompts: Prompts | undefined

  constructor(io: Io, options: AskOptions, prompts?: Prompts) {
    this.#io = io
    this.#options = options
    this.#prompts = prompts
  }

  get interactive(): boolean {
    const {stdin, stderr, env} = this.#io
    if (this.#options.noInput || isOn(env, 'FRONTDESK_NO_INPUT') || isOn(env, 'CI')) return false
    return stdin.isTTY === true && stderr.isTTY === true
  }

  /** `flag` is what gives the answer without a prompt. */
  async text(question: string, flag: string, byDefault?: string): Promise<string> {
    return (await this.#open(question, flag)).text(this.#shown(question), byDefault)
  }

  checked<T>(question: string, flag: string, check: (answer: string) => T, byDefault?: string): Promise<T> {
    return upToThreeTimes(async (before) => check((await this.text(`${before}${question}`, flag, byDefault)).trim()))
  }

  async hidden(question: string, flag: string): Promise<string> {
    return (await this.#open(question, flag)).hidden(this.#shown(question))
  }

  /** A new secret, typed twice; asked for again where the two differ. */
  async twice(question: string, flag: string): Promise<string> {
    const prompts = await this.#open(question, flag)
    return upToThreeTimes(async (before) => {
      const first = await prompts.hidden(`${before}${question}`)
      if (first === '') throw usage('Nothing was typed.', 'What you type is not shown.')
      const second = await prompts.hidden(`${question.replace(/:$/, '')} (again):`)
      if (second !== first) throw usage('The two entries differ.', 'Type the same twice.')
      return first
    })
  }

  /** The index of one of the choices; for those who have made sure that the run is interactive. */
  async choice(question: string, choices: readonly string[]): Promise<number> {
    return (await this.#open(question, 'the exact value')).choice(this.#shown(question), choices)
  }

  /** Throws unless the answer is yes. `--yes` answers by itself. */
  async confirm(question: string): Promise<void> {
    if (this.#options.yes) return
    const prompts = await this.#open(question, '--yes')
    if (!(await prompts.yes(this.#shown(question))))
      throw new Failure('usage', notConfirmed, 'The answer was no: nothing was sent.', {
        hints: ['Repeat with --yes to confirm.'],
      })
  }

  /** Throws unless the exact text is typed; asked for again where another is. */
  async typed(expected: string, question: string, flag: string): Promise<void> {
    const prompts = await this.#open(question, flag)
    await upToThreeTimes(async (before) => {
      const answer = await prompts.text(this.#shown(`${before}${question}`))
      if (answer.trim() !== expected)
        throw usage(`That is not '${expected}'; nothing was sent.`, 'Type it exactly as shown.')
    })
  }

  #shown(question: string): string {
    return this.#options.shown?.(question) ?? question
  }

  async #open(question: string, flag: string): Promise<Prompts> {
    if (this.interactive) return safely(this.#prompts ?? (await terminalPrompts(this.#io)))
    throw new Failure('needsAnswer', 'AnswerNeeded', `An answer is needed: ${question}`, {
      hints: [`Add ${flag}; prompting is off, or nobody is at the terminal.`],
    })
  }
}

const tries = 3

/**
 * Asks until an answer is accepted, three times at the most. Before the next question it shows why the last answer was
 * refused: a `Failure` with exit code 2, unless `isRefused` says otherwise.
 */
export async function upToThreeTimes<T>(
  ask: (before: string) => Promise<T>,
  isRefused = (error: unknown): boolean => error instanceof Failure && error.ending === 'usage',
): Promise<T> {
  let before = ''
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask(before)
    } catch (error) {
      if (tried === tries || !isRefused(error)) throw error
      const hints = error instanceof Failure ? error.hints : []
      before = `${[reportOf(error).message, ...hints].join(' ')} `
    }
  }
}

/** What a confirmation needs: the prompt, `--yes`, and the masking of the people it names. */
export interface Asking {
  readonly ask: Asker
  readonly yes: boolean
  readonly masked: (customer: unknown) => unknown
}

/** Sanitizes questions: prompts move the cursor themselves and bypass the guard of the terminal. */
const safely = (prompts: Prompts): Prompts => ({
  // A default that sanitizing would change is dropped: people would confirm something else than they see.
  text: (message, byDefault) =>
    prompts.text(oneLine(message), byDefault === oneLine(byDefault ?? '') ? byDefault : undefined),
  hidden: (message) => prompts.hidden(oneLine(message)),
  yes: (message) => prompts.yes(oneLine(message)),
  choice: (message, choices) => prompts.choice(oneLine(message), choices.map(oneLine)),
})

/** Asks a question of inquirer. Throws WentBack for Ctrl-C, and Closed at the end of the input. */
export type Ask = <T>(question: object) => Promise<T>

export async function inquirerAt({stdin, stderr}: Keyboard, theme: object = {}): Promise<Ask> {
  const {default: inquirer} = await import('inquirer')
  return async <T>(question: object): Promise<T> => {
    const ended = new AbortController()
    const prompt = inquirer.createPromptModule({input: stdin, output: stderr, signal: ended.signal})
    const answer = prompt([{name: 'answer', theme, ...question}] as never) as Promise<{answer: T}>
    return (await untilClosed(stdin, answer, ended)).answer
  }
}

/** Inquirer's prompts on stderr, since stdout carries results only. A command knows an interruption, and no steps back. */
export async function terminalPrompts({stdin, stderr}: Io): Promise<Prompts> {
  const inquirer = await inquirerAt({stdin, stderr: unguarded(stderr)})
  const ask = <T>(question: object): Promise<T> =>
    inquirer<T>(question).catch((error: unknown) => {
      throw error instanceof WentBack || error instanceof Closed ? promptInterrupted() : error
    })
  return {
    text: (message, byDefault) => ask({type: 'input', message, ...defined({default: byDefault})}),
    hidden: (message) => ask({type: 'password', message, mask: false, toggleMask: false}),
    yes: (message) => saidYesAt({stdin, stderr: unguarded(stderr)}, message),
    choice: (message, choices) =>
      ask({type: 'select', message, choices: choices.map((name, value) => ({name, value})), loop: false}),
  }
}

/** Asked again where something else was typed. */
async function saidYesAt(keyboard: Keyboard, message: string): Promise<boolean> {
  for (;;) {
    const answer = await confirmed(keyboard, message).catch(() => Promise.reject(promptInterrupted()))
    if (typeof answer === 'boolean') return answer
  }
}

export const promptInterrupted = (): Failure =>
  new Failure('interrupted', 'Interrupted', 'Interrupted at a prompt; nothing was sent.', {
    hints: ['Repeat the command when you are ready.'],
  })

/**
 * Settles with an answer; Ctrl-C throws WentBack, Ctrl-D in an empty field and the end of the input throw Closed.
 * Inquirer itself never settles then.
 */
async function untilClosed<T>(stdin: Input, answer: Promise<T>, ended: AbortController): Promise<T> {
  let onKey: (text: string, key: Key) => void = () => undefined
  let onEnd: () => void = () => undefined
  const end = new Promise<never>((_, reject) => {
    onEnd = () => reject(new Closed())
    onKey = (_text, key) => {
      // Readline closes, and pauses the input, for Ctrl-D where nothing is typed.
      if (key.ctrl && key.name === 'd') setImmediate(() => stdin.isPaused() && onEnd())
    }
  })
  stdin.on('keypress', onKey)
  stdin.once('end', onEnd)
  try {
    return await Promise.race([answer, end])
  } catch (error) {
    if (error instanceof Closed) ended.abort()
    if (error instanceof Error && error.name === 'ExitPromptError') throw new WentBack()
    throw error
  } finally {
    stdin.removeListener('keypress', onKey)
    stdin.removeListener('end', onEnd)
    answer.catch(() => undefined)
  }
}
