import {QueryError} from './query-error.js'

export interface Token {
  readonly kind: 'name' | 'quoted-name' | 'string' | 'number' | 'variable' | 'symbol' | 'end' | 'invalid'
  /** A name, the unescaped string, the digits, the variable's name, the symbol, or why the input is invalid. */
  readonly text: string
  readonly at: number
}

const shownChars = 160

/** A syntax error of `where` with line, column, the line in question and a caret below it. `at` is an offset. */
export function syntaxError(input: string, at: number, problem: string): QueryError {
  const before = input.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  const line = before.split('\n').length
  const column = at - lineStart + 1
  const newline = input.indexOf('\n', at)
  const lineEnd = newline === -1 ? input.length : newline
  // A long line is cut around the caret.
  const from = Math.max(lineStart, Math.min(at - shownChars / 2, lineEnd - shownChars))
  const shown = input.slice(from, Math.min(lineEnd, from + shownChars)).replace(/[\u0000-\u001f\u007f]/g, ' ')
  const caret = `${' '.repeat(at - from)}^`
  return new QueryError(
    'where',
    `Syntax error while parsing 'where'. ${problem} (line ${line}, column ${column}):\n${shown}\n${caret}`,
  )
}

const nameStart = /[A-Za-z_]/
const nameParts = /[A-Za-z0-9_]*/y
const variableParts = /[A-Za-z0-9]*/y
const stringParts = /[^"\\]*(?:\\["\\][^"\\]*)*/y
const blanks = /[ \t\r\n]*/y
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const symbols = ['!=', '<>', '<=', '>=', '=', '<', '>', '(', ')', ',']

/** Behind the characters from there on that fit a sticky expression, which fits none as well. */
function end(input: string, from: number, characters: RegExp): number {
  characters.lastIndex = from
  characters.test(input)
  return characters.lastIndex
}

type Read = readonly [token: Token, next: number]

const invalid = (input: string, at: number, text: string): Read => [{kind: 'invalid', text, at}, input.length]

function readString(input: string, at: number): Read {
  const quote = input.indexOf('"', at + 1)
  const plain = input.slice(at + 1, quote)
  if (quote > 0 && !plain.includes('\\')) return [{kind: 'string', text: plain, at}, quote + 1]
  const close = end(input, at + 1, stringParts)
  if (input[close] === '"') {
    return [{kind: 'string', text: input.slice(at + 1, close).replaceAll(/\\(.)/g, '$1'), at}, close + 1]
  }
  const escaped = input.slice(close + 1, close + 2)
  if (escaped === '') return invalid(input, input.length, "Unexpected end of input, expected '\"'")
  return invalid(input, close, `Invalid escape '\\${escaped}', expected '\\"' or '\\\\'`)
}

function readQuotedName(input: string, at: number): Read {
  const close = input.indexOf('`', at + 1)
  if (close === -1) return invalid(input, input.length, "Unexpected end of input, expected '`'")
  if (close === at + 1) return invalid(input, at, 'Empty field name')
  return [{kind: 'quoted-name', text: input.slice(at + 1, close), at}, close + 1]
}

function readToken(input: string, at: number): Read {
  const char = input.charAt(at)
  if (char === '"') return readString(input, at)
  if (char === '`') return readQuotedName(input, at)
  if (nameStart.test(char)) {
    const next = end(input, at, nameParts)
    return [{kind: 'name', text: input.slice(at, next), at}, next]
  }
  if (char === ':') {
    const next = end(input, at + 1, variableParts)
    const text = input.slice(at + 1, next)
    if (text !== '') return [{kind: 'variable', text, at}, next]
    return invalid(input, next, "Expected a variable name of letters and digits after ':'")
  }
  const symbol = symbols.find((candidate) => input.startsWith(candidate, at))
  if (symbol !== undefined) return [{kind: 'symbol', text: symbol, at}, at + symbol.length]
  number.lastIndex = at
  const digits = number.exec(input)?.[0]
  if (digits !== undefined) return [{kind: 'number', text: digits, at}, at + digits.length]
  return invalid(input, at, `Invalid input '${String.fromCodePoint(input.codePointAt(at) ?? 32)}'`)
}

/** The tokens of a predicate, up to one that is `invalid` at the first character that starts no token. */
export function tokensOf(input: string): Token[] {
  const tokens: Token[] = []
  let at = end(input, 0, blanks)
  while (at < input.length) {
    const [token, next] = readToken(input, at)
    tokens.push(token)
    if (token.kind === 'invalid') return tokens
    at = end(input, next, blanks)
  }
  return tokens
}

/** Reserved words: field names that need backticks. */
export const reserved: ReadonlySet<string> = new Set([
  'and',
  'or',
  'not',
  'in',
  'is',
  'contains',
  'within',
  'matches',
  'true',
  'false',
])

const foundChars = 20

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
    const shown = this.#input.slice(token.at, Math.min(after, token.at + foundChars)).trimEnd()
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
