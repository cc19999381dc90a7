import {createInterface, type Interface} from 'node:readline'
import {type Prompts, promptInterrupted} from '../input/ask.js'
import {Closed, saidYes, WentBack} from '../input/keys.js'
import {Failure} from '../process/failure.js'
import type {Io} from '../process/io.js'
import {oneLine} from '../process/sanitize.js'
import {
  type Choice,
  type Choices,
  endWords,
  newCustomer,
  type Picked,
  type Prompter,
  type Search,
  type Standing,
  standingText,
} from './prompter.js'

/**
 * The desk in plain lines, for a terminal that moves no cursor and for screen readers: one question a line, numbers to
 * choose from, nothing redrawn.
 */
export class LinePrompter implements Prompter {
  readonly #io: Io
  readonly #before: string
  #reader: Interface | undefined
  #waiting: {readonly resolve: (line: string) => void; readonly reject: (error: Error) => void} | undefined
  #isClosed = false

  constructor(io: Io, standing: Standing) {
    this.#io = io
    this.#before = `${standingText(standing)} >`
  }

  readonly prompts: Prompts = {
    text: (message) => this.#askForCommand(message),
    yes: async (message) => answerOf(await this.#askForCommand(`${message} ${yesOrNo}`)) === true,
    choice: async (message, choices) => {
      this.#number(choices.map((label) => ({label})))
      for (;;) {
        const at = Number(await this.#askForCommand(`${message} Number:`))
        if (Number.isInteger(at) && at >= 1 && at <= choices.length) return at - 1
      }
    },
    hidden: () =>
      Promise.reject(
        new Failure('needsAnswer', 'AnswerNeeded', 'A secret cannot be typed unseen on this terminal.', {
          hints: ['Use another terminal, or the command itself with a file or stdin.'],
        }),
      ),
  }

  async search({message, typed, find}: Search): Promise<Picked> {
    const first = `${message} (part of a name, email or number; ${newCustomer} a new customer; . ends)`
    let [text, about] = [typed, '']
    for (;;) {
      if (text.trim() === '') text = (await this.#ask(first)).trim()
      if (endWords.test(text)) throw new Closed()
      if (text === newCustomer) return {id: newCustomer, typed: about}
      about = text
      const {found, note} = await find(text, new AbortController().signal).catch(
        (error: Error): Choices => ({found: [], note: error.message}),
      )
      const [only] = found
      if (only && found.length === 1) return {id: only.id, typed: text}
      if (note !== undefined || found.length === 0) this.print(`${note ?? 'Nobody is found.'}\n`)
      this.#number(found)
      const answer = await this.#chosen(found)
      if (typeof answer !== 'string') return {id: answer.id, typed: text}
      text = answer
    }
  }

  /** One of the numbered choices, or another search. */
  async #chosen(found: readonly Choice[]): Promise<Choice | string> {
    const again = `another search, or ${newCustomer} for a new customer:`
    for (;;) {
      const answer = (await this.#ask(found.length > 0 ? `Number, ${again}` : `A${again.slice(1)}`)).trim()
      if (found.length === 0 || !/^\d{1,2}$/.test(answer)) return answer
      const choice = found[Number(answer) - 1]
      if (choice) return choice
      this.print(`There is no number ${answer} in the list.\n`)
    }
  }

  command(message: string): Promise<string> {
    return this.#ask(message)
  }

  key(message: string): Promise<string> {
    return this.#ask(message)
  }

  async confirm(question: string): Promise<boolean | string> {
    return answerOf(await this.#ask(`${question} ${yesOrNo}`))
  }

  line(message: string): Promise<string> {
    return this.#ask(oneLine(message))
  }

  print(text: string): void {
    this.#io.stderr.write(text)
  }

  clear(): void {
    this.print('What was shown once above is not for the next customer: clear the screen.\n')
  }

  waiting(what: string): () => void {
    const timer = setTimeout(() => this.print(`waiting: ${what}\n`), noticedMs)
    timer.unref()
    return () => clearTimeout(timer)
  }

  get isAsking(): boolean {
    return this.#waiting !== undefined
  }

  /** Ctrl-C. */
  interrupt(): void {
    this.print('\n')
    this.#settle()?.reject(new WentBack())
  }

  close(): void {
    this.#reader?.close()
  }

  #number(choices: readonly {readonly label: string; readonly above?: string}[]): void {
    const lines = choices.map(({label, above}, at) => `${above === undefined ? '' : `${above}\n`}${at + 1}. ${label}\n`)
    this.print(lines.join(''))
  }

  /** A command knows an interruption, and no steps back. */
  #askForCommand(message: string): Promise<string> {
    return this.#ask(message).catch(() => Promise.reject(promptInterrupted()))
  }

  #ask(message: string): Promise<string> {
    this.#reader ??= this.#open()
    this.print(`${this.#before} ${oneLine(message)} `)
    return new Promise((resolve, reject) => {
      if (this.#isClosed) reject(new Closed())
      else this.#waiting = {resolve, reject}
    })
  }

  #open(): Interface {
    const reader = createInterface({input: this.#io.stdin, terminal: false})
    // A line that answers no question was typed too early, and could say yes to the wrong one.
    reader.on('line', (line) => this.#settle()?.resolve(line))
    reader.on('close', () => {
      this.#isClosed = true
      this.#settle()?.reject(new Closed())
    })
    return reader
  }

  #settle() {
    const waiting = this.#waiting
    this.#waiting = undefined
    return waiting
  }
}

const noticedMs = 1000
const yesOrNo = '(y or Enter, n)'

/** An empty line is Enter. */
const answerOf = (line: string): boolean | string => (line.trim() === '' ? true : saidYes(line.trim()))
