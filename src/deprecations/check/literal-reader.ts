import type {Token} from './lexer.js'
import type {Member, Node} from './tree.js'

/** An object or array literal of source code, and the brackets that belong to it (as indices of tokens). */
export interface Literal {
  readonly node: Node
  readonly end: number
  readonly brackets: readonly number[]
}

const maxDepth = 100

const primitives = new Set(['string', 'number', 'boolean', 'unknown', 'any', 'never', 'bigint', 'symbol', 'object'])

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

/** For every opening bracket the index of the one that closes it; 0 for brackets that none closes, and other tokens. */
export const matchBrackets = (tokens: readonly Token[]): Uint32Array => {
  const matches = new Uint32Array(tokens.length)
  const open: {readonly index: number; readonly end: string}[] = []
  tokens.forEach((token, index) => {
    if (token.kind !== 'mark') return
    const end = closing.get(token.value)
    if (end !== undefined) open.push({index, end})
    else if (token.value === open.at(-1)?.end) matches[open.pop()?.index ?? 0] = index
  })
  return matches
}

class LiteralReader {
  readonly brackets: number[] = []
  readonly #tokens: readonly Token[]
  readonly #matches: Uint32Array
  at: number

  constructor(tokens: readonly Token[], matches: Uint32Array, at: number) {
    this.#tokens = tokens
    this.#matches = matches
    this.at = at
  }

  read(depth = 0): Node {
    const open = this.#token()
    if (depth > maxDepth) throw noLiteral
    this.brackets.push(this.at)
    this.at += 1
    if (open.value === '[') return {kind: 'array', start: open.start, items: this.#items(depth)}
    const members: Member[] = []
    let isOpen = false
    while (!this.#isMark('}')) {
      const member = this.#member(depth)
      if (member) members.push(member)
      else isOpen = true
      this.#comma('}')
    }
    this.at += 1
    return {kind: 'object', start: open.start, members, isOpen}
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

  #items(depth: number): Node[] {
    const items: Node[] = []
    while (!this.#isMark(']')) {
      if (this.#isMark('...')) this.#expression()
      else if (!this.#isMark(',')) items.push(this.#value(depth))
      this.#comma(']')
    }
    this.at += 1
    return items
  }

  /** A member, or nothing for what may add members that the text does not show. */
  #member(depth: number): Member | undefined {
    const {kind, value: name, start} = this.#token()
    if (kind === 'mark') {
      if (name !== '...' && name !== '[' && name !== '*') throw noLiteral
      this.#expression()
      return undefined
    }
    this.at += 1
    if (this.#isMark(':')) {
      this.at += 1
      return {name, start, value: this.#value(depth)}
    }
    if (kind === 'name' && this.#isMark(',', '}')) return {name, start, value: {kind: 'other', start, is: 'unknown'}}
    // A method, or an accessor, whose next token is a name.
    if (!this.#isMark('(') && this.#token().kind !== 'name') throw noLiteral
    this.#expression()
    return {name, start, value: {kind: 'other', start, is: 'unknown'}}
  }

  #value(depth: number): Node {
    const from = this.at
    const token = this.#token()
    if (token.kind === 'mark' && (token.value === '{' || token.value === '[')) {
      const count = this.brackets.length
      const node = this.read(depth + 1)
      if (this.#endsValue()) return node
      // The literal is only the beginning of an expression.
      this.brackets.length = count
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

  /** Passes over an expression up to the comma or bracket that ends it. */
  #expression(): Node {
    const first = this.#token()
    const next = this.#tokens[this.at + 1]
    if (first.kind === 'name' && schemas.has(first.value) && next?.value === '.') throw noLiteral
    for (; ; this.at += 1) {
      const token = this.#token()
      if (token.kind !== 'mark') continue
      if ([',', '}', ']', ')'].includes(token.value)) break
      if (token.value === ';') throw noLiteral
      if (closing.has(token.value)) this.at = this.#matches[this.at] || this.#tokens.length
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

/** Reads the literal that begins at a bracket, or finds that there is none. */
export const readLiteral = (tokens: readonly Token[], matches: Uint32Array, at: number): Literal | undefined => {
  const reader = new LiteralReader(tokens, matches, at)
  try {
    const node = reader.read()
    return isPattern(tokens, reader.at) ? undefined : {node, end: reader.at, brackets: reader.brackets}
  } catch (error) {
    if (error instanceof NoLiteral) return undefined
    throw error
  }
}
