import {hole, offsetAt, type Span, type Text} from './tree.js'

/** A token of JavaScript or TypeScript, as far as finding literals needs it. Comments are left out. */
export type Token =
  | {readonly kind: 'name' | 'number' | 'mark'; readonly value: string; readonly start: number}
  | TextToken
  | {readonly kind: 'regex'; readonly value: ''; readonly start: number}

export interface TextToken extends Text {
  readonly kind: 'text'
  readonly start: number
  readonly isTemplate: boolean
}

const blank = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))*/y
const name = /[\p{L}_$#@][\p{L}\p{N}_$]*/uy
const number = /\d[\w.]*/y
const regex = /\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const mark = /=>|\.\.\.|\?\.|===?|!==?|[^\s]/y

/** Words after which a slash begins a regular expression although a name stands before it. */
const beforeExpression = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'new',
  'await',
  'yield',
])

const simpleEscapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0'],
  ['\n', ''],
])

class Lexer {
  readonly tokens: Token[] = []
  readonly #text: Text
  readonly #source: string
  #at = 0
  /** For each delimiter (quotes, slash): the index before which no closing one exists. */
  readonly #endless = new Map<string, number>()

  constructor(text: Text) {
    this.#text = text
    this.#source = text.value
  }

  run(): readonly Token[] {
    for (;;) {
      this.#take(blank)
      const character = this.#source[this.#at]
      if (character === undefined) return this.tokens
      if (character === '"' || character === "'" || character === '`') {
        if (this.#mayEnd(character)) this.#string(character)
        else this.#at += 1
      } else if (character === '/' && this.#mayBeRegex() && this.#regex()) continue
      else if (this.#push('name', name) || this.#push('number', number) || this.#push('mark', mark)) continue
      else this.#at += 1
    }
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #push(kind: 'name' | 'number' | 'mark' | 'regex', pattern: RegExp): boolean {
    const start = offsetAt(this.#text, this.#at)
    const value = this.#take(pattern)
    if (value === '') return false
    this.tokens.push(kind === 'regex' ? {kind, value: '', start} : {kind, value, start})
    return true
  }

  /** Whether a closing delimiter may exist; an earlier search may have found none up to a later index. */
  #mayEnd(quote: string): boolean {
    return this.#at >= (this.#endless.get(quote) ?? 0)
  }

  #regex(): boolean {
    if (!this.#mayEnd('/')) return false
    if (this.#push('regex', regex)) return true
    const end = this.#source.indexOf('\n', this.#at)
    this.#endless.set('/', end === -1 ? this.#source.length : end)
    return false
  }

  #mayBeRegex(): boolean {
    const last = this.tokens.at(-1)
    if (!last) return true
    if (last.kind === 'name') return beforeExpression.has(last.value)
    return last.kind === 'mark' && ![')', ']', '}'].includes(last.value)
  }

  #string(quote: string): void {
    const start = offsetAt(this.#text, this.#at)
    const spans: Span[] = [[0, offsetAt(this.#text, this.#at + 1)]]
    let value = ''
    let index = this.#at + 1
    for (;;) {
      const end = this.#plainEnd(index, quote)
      value += this.#source.slice(index, end)
      index = end
      const character = this.#source[index]
      if (character === quote) break
      // An apostrophe in the text of markup is no string: go on right behind it.
      if (character === undefined || character === '\n') {
        this.#endless.set(quote, index)
        this.#at += 1
        return
      }
      const [piece, next] = character === '\\' ? this.#escape(index) : [hole, this.#expressionEnd(index + 2)]
      value += piece
      index = next
      spans.push([value.length, offsetAt(this.#text, index)])
    }
    this.#at = index + 1
    this.tokens.push({kind: 'text', start, value, spans, isTemplate: quote === '`'})
  }

  /** Where the plain run ends: at the quote, an escape, an expression, or the line's end where a string must not pass it. */
  #plainEnd(from: number, quote: string): number {
    const ends = quote === '`' ? /`|\\|\$\{/g : quote === '"' ? /["\\\n]/g : /['\\\n]/g
    ends.lastIndex = from
    return ends.exec(this.#source)?.index ?? this.#source.length
  }

  #escape(index: number): [string, number] {
    const code = /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/iy
    code.lastIndex = index
    const found = code.exec(this.#source)
    if (found) {
      const point = Number.parseInt(found[1] ?? found[2] ?? found[3] ?? '', 16)
      return [point > 0x10_ff_ff ? '' : String.fromCodePoint(point), index + found[0].length]
    }
    const character = this.#source[index + 1] ?? ''
    return [simpleEscapes.get(character) ?? character, index + 2]
  }

  /** Behind the brace that closes an expression; strings and templates inside it are passed over. */
  #expressionEnd(from: number): number {
    let depth = 1
    const steps = /[{}]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`/g
    steps.lastIndex = from
    for (let step = steps.exec(this.#source); step; step = steps.exec(this.#source)) {
      if (step[0] === '{') depth += 1
      if (step[0] === '}') depth -= 1
      if (step[0] === '`') steps.lastIndex = this.#templateEnd(steps.lastIndex)
      if (depth === 0) return steps.lastIndex
    }
    return this.#source.length
  }

  #templateEnd(from: number): number {
    const ends = /[`\\]/g
    ends.lastIndex = from
    for (let end = ends.exec(this.#source); end; end = ends.exec(this.#source)) {
      if (end[0] === '`') return ends.lastIndex
      ends.lastIndex += 1
    }
    return this.#source.length
  }
}

/** The tokens of a source text. Never fails: what is no token is passed over. */
export const tokensOf = (text: Text): readonly Token[] => new Lexer(text).run()
