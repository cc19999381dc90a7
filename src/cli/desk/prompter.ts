import type {Prompts} from '../secrets/ask.js'
import type {Option} from './act.js'

/** How the desk talks with a person: on a screen that is redrawn, or in plain lines. */

/** One customer of a search. */
export interface Choice {
  readonly id: string
  /** One line that tells namesakes apart. */
  readonly label: string
}

export interface Choices {
  readonly found: readonly Choice[]
  /** What is to be known about them: that there are more, or nobody. */
  readonly note?: string | undefined
}

export interface Search {
  readonly message: string
  /** What stands in the field at first. */
  readonly typed: string
  readonly find: (text: string, signal: AbortSignal) => Promise<Choices>
}

export interface Picked {
  readonly id: string
  readonly typed: string
}

export interface Line {
  readonly message: string
  readonly initial: string
}

/** Throws WentBack for Ctrl-C and Closed at the end of the input, from every question. */
export interface Prompter {
  /** What commands ask by themselves. */
  readonly prompts: Prompts
  search(search: Search): Promise<Picked>
  key(message: string, options: readonly Option[]): Promise<string>
  line(line: Line): Promise<string>
  /** Prints finished lines. */
  print(text: string): void
  /** Takes what was printed off the screen, where that is possible. */
  clear(): void
  /** Says that something is waited for, until the returned function is called. */
  waiting(what: string): () => void
}

/** Ctrl-C at a question: one step back. */
export class WentBack extends Error {
  override readonly name = 'WentBack'
}

/** The input has ended, or the person wants to. */
export class Closed extends Error {
  override readonly name = 'Closed'
}
