import type {Prompts} from '../input/ask.js'

/** How the desk talks with a person: on a screen that is redrawn, or in plain lines. Every question names the target. */

export interface Choice {
  readonly id: string
  /** One line that tells namesakes apart. */
  readonly label: string
  /** A line above it, which begins another kind of matches. */
  readonly above?: string
}

export interface Choices {
  readonly found: readonly Choice[]
  /** How many there are, or that there is nobody; stands above them. */
  readonly note?: string | undefined
}

/** Stands for the id of a customer who is to be made; typed alone or behind what was searched for. */
export const newCustomer = '+'

/** What was typed before the key for a new customer; undefined without that key. */
export const beforeNew = (typed: string): string | undefined =>
  typed.trim().endsWith(newCustomer) ? typed.trim().slice(0, -newCustomer.length).trim() : undefined

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

/** Throws WentBack for Ctrl-C and Closed at the end of the input, from every question. */
export interface Prompter {
  /** What commands ask by themselves. */
  readonly prompts: Prompts
  search(search: Search): Promise<Picked>
  /** The key of a menu; several keys that come as one are the start of a name. */
  command(message: string): Promise<string>
  /** One key of several. */
  key(message: string): Promise<string>
  /** Whether a person says yes; any other text that was typed in place of an answer. */
  confirm(question: string): Promise<boolean | string>
  line(message: string): Promise<string>
  print(text: string): void
  /** Takes what was printed off the screen, where that is possible. */
  clear(): void
  /** Says that something is waited for, until the returned function is called. */
  waiting(what: string): () => void
  /** Ctrl-C as a signal, where no question reads the key. Returns whether a question took it as a step back. */
  interrupt?(): boolean
  close(): void
}

/** The target, as it stands before every question. */
export interface Standing {
  readonly label: string
  readonly projectKey: string
  readonly isProtected: boolean
  readonly isDryRun: boolean
}

/** `production (protected)`: in words, since not every terminal has colours. */
export const standingText = ({label, isProtected, isDryRun}: Standing): string =>
  `${label}${isProtected ? ' (protected)' : ''}${isDryRun ? ' DRY RUN' : ''}`

/** What ends a session at the search. */
export const endWords = /^(\.|q|quit|exit)$/i
