import type {Act, Answers, Opened, Option, Question} from './act.js'
import {Closed, type Prompter, WentBack} from './prompter.js'
import type {Block} from './shown.js'

/** Ends a call: the next search begins with this text. */
export class NextCaller extends Error {
  readonly typed: string
  constructor(typed = '') {
    super()
    this.typed = typed
  }
}

/** What leaves a field empty: an empty line takes what is offered. */
const emptied = '-'

/** What is asked and shown during a session. Ctrl-C throws WentBack; twice in a row, as the end of the input, Closed. */
export class Dialogue {
  readonly prompter: Prompter
  readonly #textOf: (block: Block) => string
  readonly #shown: (text: string) => string
  /** Whether the last thing that the person did was to go back: once more ends the session. */
  isLeaving = false
  holdsSecret = false

  /** `textOf` makes the text of what is shown; `shown` redacts a question. */
  constructor(prompter: Prompter, textOf: (block: Block) => string, shown: (text: string) => string) {
    this.prompter = prompter
    this.#textOf = textOf
    this.#shown = shown
  }

  /** The answer of the person. A second step back in a row ends the session. */
  async answered<T>(answer: Promise<T>): Promise<T> {
    try {
      const given = await answer
      this.isLeaving = false
      return given
    } catch (error) {
      if (!(error instanceof WentBack)) throw error
      if (this.isLeaving) throw new Closed()
      this.isLeaving = true
      throw error
    }
  }

  async during<T>(what: string, work: Promise<T>): Promise<T> {
    const done = this.prompter.waiting(what)
    try {
      return await work
    } finally {
      done()
    }
  }

  show(block: Block): void {
    this.prompter.print(this.#textOf(block))
  }

  say(text: string): void {
    this.show({kind: 'note', text})
  }

  /** The answers to the questions of an act. What was refused is offered again; choices and safety words are not. */
  async answersTo(
    act: Act,
    opened: Opened,
    {before, offered}: {readonly before: Answers; readonly offered: readonly Option[]},
  ): Promise<Answers> {
    const answers: Record<string, string> = {}
    for (const question of act.asks ?? []) {
      const {name, options, initial, isSafetyWord, when} = question
      if (when && !when(answers)) continue
      const known = isSafetyWord ? undefined : before[name]
      answers[name] =
        options && known !== undefined
          ? known
          : await this.ask(question, opened, {
              initial: known ?? initial?.(opened.customer, answers) ?? '',
              offered,
              answers,
            })
    }
    return answers
  }

  /** Asks until the answer is none to refuse. An empty line takes what is offered. */
  async ask(
    question: Question,
    opened: Opened,
    {
      initial = '',
      offered: given = [],
      answers = {},
    }: {readonly initial?: string; readonly offered?: readonly Option[]; readonly answers?: Answers} = {},
  ): Promise<string> {
    const {prompter} = this
    const options = question.options?.(opened.customer, given) ?? []
    let offered = initial
    let above = question.above?.(opened)
    for (;;) {
      if (above !== undefined) this.say(above)
      for (const {key, label} of options) this.say(`  [${key}] ${label}`)
      if (options.length > 0) {
        const key = (await this.answered(prompter.key(question.text))).trim().toLowerCase()
        const chosen = options.find((option) => option.key === key)
        if (chosen) return chosen.value ?? chosen.key
        above = `Press ${options.map((option) => option.key).join(', ')}.`
        continue
      }
      const message = offered === '' ? question.text : `${question.text} [${offered}]`
      const line = await this.answered(prompter.line(this.#shown(message)))
      const typed = line.trim() === emptied ? '' : line.trim() === '' ? offered : line
      const answer = (await question.meaning?.(typed, answers)) ?? typed
      above = question.refuse?.(answer, opened, answers)
      if (above === undefined) return answer
      if (!question.isSafetyWord) offered = answer
    }
  }

  /** Somebody who types a name at the card means the next caller, not the acts of its letters. */
  async lookFor(typed: string): Promise<void> {
    let name = typed
    for (;;) {
      const answer = await this.answered(this.prompter.confirm(`Look for "${name}"?`))
      if (answer === false) return
      if (answer === true) {
        this.clear()
        throw new NextCaller(name)
      }
      name += answer
    }
  }

  /** Whether the person says yes. Text typed at the question is a name, and the answer no. */
  async confirmed(question: string, typedBefore = ''): Promise<boolean> {
    const answer = await this.answered(this.prompter.confirm(this.#shown(question)))
    if (typeof answer === 'boolean') return answer
    await this.lookFor(typedBefore + answer)
    return false
  }

  /** Takes what was shown once off the screen. */
  clear(): void {
    if (this.holdsSecret) this.prompter.clear()
    this.holdsSecret = false
  }
}
