import {Closed, WentBack} from '../input/keys.js'
import type {Act, Answers, Opened, Option, Question} from './act.js'
import type {Prompter} from './prompter.js'
import type {Block} from './shown.js'

/** Ends a call: the next search begins with this text, or this customer is opened without one. */
export class NextCaller extends Error {
  readonly typed: string
  readonly id: string | undefined
  constructor(typed = '', id?: string) {
    super()
    this.typed = typed
    this.id = id
  }
}

export const endsIt = 'Ctrl-C again ends the session.'

/** What leaves a field empty: an empty line takes what is offered. */
const emptied = '-'
/** What goes back to the question before, and what goes to the next caller, at every question. */
const goesBack = '<'
const nextCaller = '/'
/** Said of acts with so many questions. */
const longForm = 4
/** The answer of somebody who goes back; nobody can type it. */
const wentBack = '\u0000'

/** Goes to the question before; from the first one back to where its act was chosen. */
function back(canGoBack: boolean): string {
  if (!canGoBack) throw new WentBack()
  return wentBack
}

const nameAt = (questions: readonly Question[], at: number): string => questions[at]?.name ?? ''

/** What is asked and shown during a session. Ctrl-C throws WentBack; twice in a row, as the end of the input, Closed. */
export class Dialogue {
  readonly prompter: Prompter
  readonly #textOf: (block: Block) => string
  readonly #shown: (text: string) => string
  /** Whether the last thing that the person did was to go back: once more ends the session. */
  isLeaving = false
  holdsSecret = false

  /** `textOf` makes the shown text; `shown` redacts a question. */
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
      if (typeof given === 'string' && given.trim() === nextCaller) this.leave()
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

  /**
   * The answers to the questions of an act; with `isBack`, from the last one on, to which the person goes back. What was
   * refused is offered again; choices and safety words are not.
   */
  async answersTo(
    {asks: questions = []}: Pick<Act, 'asks'>,
    opened: Opened,
    {before = {} as Answers, offered = [] as readonly Option[], isBack = false},
  ): Promise<Answers> {
    const answers = new Map<string, string>(isBack ? Object.entries(before) : [])
    const known = new Map(Object.entries(before))
    const asked: number[] = isBack ? [...questions.keys()].filter((at) => answers.has(nameAt(questions, at))) : []
    /** Forgets the last answer; the number of its question. */
    const former = (): number => {
      const at = asked.pop() ?? 0
      const name = nameAt(questions, at)
      // Answers behind a choice are of what was chosen.
      if (questions[at]?.options) for (const later of questions.slice(at)) known.delete(later.name)
      else known.set(name, answers.get(name) ?? '')
      answers.delete(name)
      return at
    }
    for (let at = isBack ? former() : 0; at < questions.length; at += 1) {
      const question = questions[at] as Question
      const {name, options, initial, isSafetyWord, when} = question
      const given = Object.fromEntries(answers)
      if (when && !when(given)) continue
      const typed = isSafetyWord ? undefined : known.get(name)
      if (options && typed !== undefined) {
        answers.set(name, typed)
        asked.push(at)
        continue
      }
      if (asked.length === 1 && questions.length >= longForm) this.say(`${goesBack} goes back to the question before.`)
      const answer = await this.ask(question, opened, {
        initial: typed ?? initial?.(opened.customer, given) ?? '',
        ...{offered, answers: given, canGoBack: asked.length > 0},
      })
      if (answer === wentBack) at = former() - 1
      else {
        answers.set(name, answer)
        asked.push(at)
      }
    }
    return Object.fromEntries(answers)
  }

  async ask(
    question: Question,
    opened: Opened,
    {initial = '', offered: given = [] as readonly Option[], answers = {} as Answers, canGoBack = false} = {},
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
        if (key === goesBack) return back(canGoBack)
        above = `Press ${options.map((option) => option.key).join(', ')}.`
        continue
      }
      const message = offered === '' ? question.text : `${question.text} [${offered}]`
      const line = await this.answered(prompter.line(this.#shown(message)))
      if (line.trim() === goesBack) return back(canGoBack)
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
      if (answer === false || answer === goesBack) return
      if (answer === true) {
        this.clear()
        throw new NextCaller(name)
      }
      name += answer
    }
  }

  /**
   * Whether the person says yes; undefined for back to the question before. Other text typed at the question is a name,
   * and the answer no.
   */
  async confirmed(question: string, {typedBefore = '', canGoBack = false} = {}): Promise<boolean | undefined> {
    const hint = canGoBack ? ` ${goesBack} goes back.` : ''
    const answer = await this.answered(this.prompter.confirm(`${this.#shown(question)}${hint}`))
    if (typeof answer === 'boolean') return answer
    if (answer === goesBack) return canGoBack ? undefined : false
    await this.lookFor(typedBefore + answer)
    return false
  }

  sayBack(what = ''): void {
    const said = [what, this.isLeaving ? endsIt : ''].filter((text) => text !== '').join(' ')
    if (said !== '') this.say(said)
  }

  /** Ends the call: what was shown once goes off the screen. */
  leave(): never {
    this.clear()
    throw new NextCaller()
  }

  clear(): void {
    if (this.holdsSecret) this.prompter.clear()
    this.holdsSecret = false
  }
}
