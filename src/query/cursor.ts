import {syntaxError, type Token, tokensOf} from './lexer.js'
import type {QueryError} from './query-error.js'

const shownChars = 20

/** The read position in the tokens of a predicate. */
export class Cursor {
  readonly #input: string
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(input: string) {
    this.#input = input
    this.#tokens = tokensOf(input)
  }

  peek(): Token {
    return this.#tokens[this.#next] ?? {kind: 'end', text: '', at: this.#input.length}
  }

  take(): Token {
    const token = this.peek()
    this.#next += 1
    return token
  }

  error(at: number, problem: string): QueryError {
    return syntaxError(this.#input, at, problem)
  }

  unexpected(expected: string): QueryError {
    const token = this.peek()
    if (token.kind === 'invalid') return this.error(token.at, token.text)
    if (token.kind === 'end') return this.error(token.at, `Unexpected end of input, expected ${expected}`)
    const after = this.#tokens[this.#next + 1]?.at ?? this.#input.length
    const shown = this.#input.slice(token.at, Math.min(after, token.at + shownChars)).trimEnd()
    return this.error(token.at, `Invalid input '${shown}', expected ${expected}`)
  }

  isWord(word: string): boolean {
    const token = this.peek()
    return token.kind === 'name' && token.text.toLowerCase() === word
  }

  /** Consumes the keyword, ignoring case, if it is next. */
  word(word: string): boolean {
    const found = this.isWord(word)
    if (found) this.#next += 1
    return found
  }

  isSymbol(symbol: string): boolean {
    const token = this.peek()
    return token.kind === 'symbol' && token.text === symbol
  }

  symbol(symbol: string): boolean {
    const found = this.isSymbol(symbol)
    if (found) this.#next += 1
    return found
  }

  expect(symbol: string): void {
    if (!this.symbol(symbol)) throw this.unexpected(`'${symbol}'`)
  }
}
