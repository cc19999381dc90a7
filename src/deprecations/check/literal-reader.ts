import type {Token} from './lexer.js'
import type {Member, Node} from './tree.js'

/** An object or array literal of source code, and the index of the token behind it. */
export interface Literal {
  readonly node: Node
  readonly end: number
}

const maxDepth = 100

const primitives = new Set(['string', 'number', 'boolean', 'unknown', 'any', 'never', 'bigint', 'symbol', 'object'])

/** Words that a block begins with where a literal would have a method. */
const control = new Set(['if', 'for', 'while', 'switch', 'catch', 'function', 'return', 'with'])

/** Words before a member's name, which a member may also be called. */
const accessors = new Set(['get', 'set', 'async'])

/** What schema libraries are called where they declare a shape: a shape is no use of what it names. */
const schemas = new Set(['v', 'z', 'S', 't', 'Joi', 'yup', 'Yup', 'Type', 'Schema', 'PropTypes', 'DataTypes', 'faker'])

/** The text is a type, a pattern, a block or a schema: no literal. One for all, for a trace of it would cost and tell nothing. */
class NoLiteral extends Error {}
const noLiteral = new NoLiteral()

const closing = new Map([
  ['{', '}'],
  ['[', ']'],
  ['(', ')'],
])

/** What is known of brackets before any literal is read, by the index of the token. */
export interface Brackets {
  /** Of an opening bracket: the index of the one that closes it; 0 where none does. */
  readonly matches: Uint32Array
  /** Of an opening bracket: how many levels of brackets are inside. */
  readonly heights: Uint32Array
  /** Brackets that no literal begins with, or that belong to one that was read already. */
  readonly settled: Set<number>
}

export const bracketsOf = (tokens: readonly Token[]): Brackets => {
  const matches = new Uint32Array(tokens.length)
  const heights = new Uint32Array(tokens.length)
  const open: {readonly index: number; readonly end: string}[] = []
  tokens.forEach((token, index) => {
    if (token.kind !== 'mark') return
    const end = closing.get(token.value)
    if (end !== undefined) open.push({index, end})
    else if (token.value === open.at(-1)?.end) {
      const closed = open.pop()?.index ?? 0
      matches[closed] = index
      const outer = open.at(-1)?.index
      if (outer !== undefined) heights[outer] = Math.max(heights[outer] ?? 0, (heights[closed] ?? 0) + 1)
    }
  })
  return {matches, heights, settled: new Set()}
}

class LiteralReader {
  /** Brackets of literals that are complete, and of those that are being read. */
  readonly done: number[] = []
  readonly open: number[] = []
  readonly #tokens: readonly Token[]
  readonly #brackets: Brackets
  at: number

  constructor(tokens: readonly Token[], brackets: Brackets, at: number) {
    this.#tokens = tokens
    this.#brackets = brackets
    this.at = at
  }

  read(): Node {
    const {matches, heights} = this.#brackets
    this.open.push(this.at)
    if (!matches[this.at] || (heights[this.at] ?? 0) > maxDepth) throw noLiteral
    const open = this.#token()
    this.at += 1
    const node = open.value === '[' ? this.#array(open.start) : this.#object(open.start)
    this.done.push(this.open.pop() ?? 0)
    return node
  }

  #array(start: number): Node {
    const items: Node[] = []
    while (!this.#isMark(']')) {
      if (this.#isMark('...')) this.#expression()
      else if (!this.#isMark(',')) items.push(this.#value())
      this.#comma(']')
    }
    this.at += 1
    return {kind: 'array', start, items}
  }

  #object(start: number): Node {
    const members: Member[] = []
    let isOpen = false
    while (!this.#isMark('}')) {
      const member = this.#member()
      if (member) members.push(member)
      else isOpen = true
      this.#comma('}')
    }
    this.at += 1
    return {kind: 'object', start, members, isOpen}
  }

  #token(): Token {
    const token = this.#tokens[this.at]
    if (!token) throw noLiteral
    return token
  }

  #isMark(...marks: readonly string[]): boolean {
    const token = this.#token()
    return token.kind === 'mark' && marks.includes(token.value)
  }

  #comma(end: string): void {
    if (this.#isMark(',')) this.at += 1
    else if (!this.#isMark(end)) throw noLiteral
  }

  /** A member, or nothing for what may add members that the text does not show. */
  #member(): Member | undefined {
    const {kind, value: name, start} = this.#token()
    if (kind === 'mark') {
      if (name !== '...' && name !== '[' && name !== '*') throw noLiteral
      this.#expression()
      return undefined
    }
    this.at += 1
    if (this.#isMark(':')) {
      this.at += 1
      return {name, start, value: this.#value()}
    }
    if (kind === 'name' && this.#isMark(',', '}')) return {name, start, value: {kind: 'other', start, is: 'unknown'}}
    // A method, or an accessor, whose next token is a name.
    const isAccessor = accessors.has(name) && this.#token().kind !== 'mark'
    if (!isAccessor && (!this.#isMark('(') || control.has(name))) throw noLiteral
    this.#expression()
    return {name, start, value: {kind: 'other', start, is: 'unknown'}}
  }

  #value(): Node {
    const from = this.at
    const token = this.#token()
    if (token.kind === 'mark' && (token.value === '{' || token.value === '[')) {
      const count = this.done.length
      const node = this.read()
      if (this.#endsValue()) return node
      // The literal is only the beginning of an expression.
      this.done.length = count
      this.at = from
    } else {
      this.at += 1
      if (this.#endsValue()) return this.#plain(token)
      this.at = from
    }
    return this.#expression()
  }

  /** Whether a value is complete here; a type assertion behind it changes nothing. */
  #endsValue(): boolean {
    const token = this.#token()
    if (token.kind === 'name' && (token.value === 'as' || token.value === 'satisfies')) {
      this.#expression()
      return true
    }
    return this.#isMark(',', '}', ']')
  }

  #plain(token: Token): Node {
    const {start} = token
    if (token.kind === 'text') return {kind: 'text', start, value: token.value, spans: token.spans}
    if (token.kind === 'number') return {kind: 'other', start, is: 'plain'}
    if (token.kind === 'name' && primitives.has(token.value)) throw noLiteral
    if (token.value === 'null' || token.value === 'undefined') return {kind: 'other', start, is: 'null'}
    return {kind: 'other', start, is: 'unknown'}
  }

  /** `v.string()`, or what wraps one: `optional(v.string())`. */
  #isSchema(): boolean {
    const {kind, value} = this.#token()
    const [next, inner, dot, , call] = this.#tokens.slice(this.at + 1, this.at + 6)
    if (kind !== 'name') return false
    if (next?.value === '.') return schemas.has(value)
    return next?.value === '(' && schemas.has(inner?.value ?? '') && dot?.value === '.' && call?.value === '('
  }

  /** Passes over an expression up to the comma or bracket that ends it. */
  #expression(): Node {
    const first = this.#token()
    if (this.#isSchema()) throw noLiteral
    for (; ; this.at += 1) {
      const token = this.#token()
      if (token.kind !== 'mark') continue
      if ([',', '}', ']', ')'].includes(token.value)) break
      if (token.value === ';') throw noLiteral
      if (closing.has(token.value)) this.at = this.#brackets.matches[this.at] || this.#tokens.length
    }
    return {kind: 'other', start: first.start, is: 'unknown'}
  }
}

/** A pattern that takes an object apart, or a list of parameters, looks like a literal up to what comes behind it. */
const isPattern = (tokens: readonly Token[], end: number): boolean => {
  const [next, after] = [tokens[end], tokens[end + 1]]
  if (next?.kind !== 'mark') return false
  if (next.value === '=' || next.value === '=>' || next.value === ':') return true
  return next.value === ')' && (after?.value === '=>' || after?.value === '{' || after?.value === ':')
}

/** Reads the literal that begins at a bracket, or finds that there is none. Settles the brackets that it decides on. */
export const readLiteral = (tokens: readonly Token[], brackets: Brackets, at: number): Literal | undefined => {
  const {settled} = brackets
  const reader = new LiteralReader(tokens, brackets, at)
  try {
    const node = reader.read()
    if (isPattern(tokens, reader.at)) return undefined
    for (const bracket of reader.done) settled.add(bracket)
    return {node, end: reader.at}
  } catch (error) {
    if (error !== noLiteral) throw error
    // What broke the innermost one would break it again when it is read by itself.
    for (const bracket of reader.open) settled.add(bracket)
    return undefined
  }
}
