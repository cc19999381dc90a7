import type {
  ArrayExpression,
  DirectiveLiteral,
  Expression,
  ObjectExpression,
  PrivateName,
  StringLiteral,
  Node as SyntaxNode,
  TemplateLiteral,
} from '@babel/types'
import {hole, type Member, type Node, offsetAt, type Span, type Text, type TextNode} from '../tree.js'
import {bare} from './branch.js'

/** What schema libraries are called where they declare a shape: a shape is no use of what it names. */
const schemas = new Set(['v', 'z', 'S', 't', 'Joi', 'yup', 'Yup', 'Type', 'Schema', 'PropTypes', 'DataTypes', 'faker'])

/** A string, or a template with a hole for each expression. */
export type TextLiteral = StringLiteral | DirectiveLiteral | TemplateLiteral

export const isTextLiteral = (node: SyntaxNode): node is TextLiteral =>
  node.type === 'StringLiteral' || node.type === 'TemplateLiteral' || node.type === 'DirectiveLiteral'

const escapeSequence = /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|\r\n|[\s\S])/gi

const simpleEscapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0'],
  ['\n', ''],
  ['\r\n', ''],
])

/** What an escape sequence stands for. */
function unescaped(sequence: string, hex: string | undefined): string {
  if (hex === undefined) return simpleEscapes.get(sequence.slice(1)) ?? sequence.slice(1)
  const point = Number.parseInt(hex, 16)
  return point > 0x10_ff_ff ? '' : String.fromCodePoint(point)
}

/** The stretches of source between quotes and expressions. */
function rawRanges(node: TextLiteral): readonly (readonly [start: number, end: number])[] {
  if (node.type === 'TemplateLiteral') return node.quasis.map(({start, end}) => [start ?? 0, end ?? 0])
  return [[(node.start ?? 0) + 1, (node.end ?? 0) - 1]]
}

/** A string or template as it reads, with the place of every character in the file. */
export function textOf(node: TextLiteral, source: Text): TextNode {
  const spans: Span[] = []
  let value = ''
  for (const [start, end] of rawRanges(node)) {
    if (spans.length > 0) value += hole
    spans.push([value.length, offsetAt(source, start)])
    const raw = source.value.slice(start, end)
    let begin = 0
    for (const {0: sequence, 1: braced, 2: short, 3: byte, index} of raw.matchAll(escapeSequence)) {
      value += raw.slice(begin, index) + unescaped(sequence, braced ?? short ?? byte)
      begin = index + sequence.length
      spans.push([value.length, offsetAt(source, start + begin)])
    }
    value += raw.slice(begin)
  }
  return {kind: 'text', start: offsetAt(source, node.start ?? 0), value, spans}
}

/** The name at which a member chain or call begins where it has more names: `v` of `v.string().min(1)`. */
function namespaceOf(node: SyntaxNode): string | undefined {
  let at = node
  let isMember = false
  for (;;) {
    if (at.type === 'CallExpression' || at.type === 'OptionalCallExpression') at = at.callee
    else if (at.type === 'MemberExpression' || at.type === 'OptionalMemberExpression') {
      at = at.object
      isMember = true
    } else return at.type === 'Identifier' && isMember ? at.name : undefined
  }
}

/** `v.string()`, or what wraps one: `optional(v.string())`. */
function isSchema(node: SyntaxNode): boolean {
  if (schemas.has(namespaceOf(node) ?? '')) return true
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return false
  const [inner] = node.arguments
  return inner?.type === 'CallExpression' && schemas.has(namespaceOf(inner) ?? '')
}

/** An object or array literal of source code. */
export type Literal = ObjectExpression | ArrayExpression

export const isLiteral = (node: SyntaxNode): node is Literal =>
  node.type === 'ObjectExpression' || node.type === 'ArrayExpression'

/** Reads the literals of one file as trees. */
export class LiteralReader {
  /** Literals that are part of one that was read, and those that declare a shape. */
  readonly #settled = new Set<Literal>()
  readonly #source: Text

  constructor(source: Text) {
    this.#source = source
  }

  /** Whether a literal need not be read: a literal around it was, or it declares a shape. */
  isSettled(literal: Literal): boolean {
    return this.#settled.has(literal)
  }

  /** The tree of a literal, or nothing where that declares a shape. Settles the literals in it. */
  read(literal: Literal): Node | undefined {
    const done: Literal[] = []
    const node = this.#read(literal, done)
    if (node) for (const one of done) this.#settled.add(one)
    return node
  }

  #read(literal: Literal, done: Literal[]): Node | undefined {
    const node = literal.type === 'ArrayExpression' ? this.#array(literal, done) : this.#object(literal, done)
    if (node) done.push(literal)
    else this.#settled.add(literal)
    return node
  }

  #array(literal: ArrayExpression, done: Literal[]): Node | undefined {
    const items: Node[] = []
    for (const element of literal.elements) {
      if (!element || element.type === 'SpreadElement') continue
      const item = this.#value(element, done)
      if (!item) return undefined
      items.push(item)
    }
    return {kind: 'array', start: this.#start(literal), items}
  }

  #object(literal: ObjectExpression, done: Literal[]): Node | undefined {
    const members: Member[] = []
    for (const property of literal.properties) {
      if (property.type === 'SpreadElement') continue
      const name = property.computed ? undefined : nameOf(property.key)
      const start = this.#start(property.key)
      if (property.type === 'ObjectProperty') {
        const value = this.#value(property.value, done)
        if (!value) return undefined
        if (name !== undefined) members.push({name, start, value: property.shorthand ? unknownAt(start) : value})
      } else if (name !== undefined) members.push({name, start, value: unknownAt(start)})
    }
    const isOpen = literal.properties.some((property) => property.type === 'SpreadElement' || property.computed)
    return {kind: 'object', start: this.#start(literal), members, isOpen}
  }

  #value(wrapped: SyntaxNode, done: Literal[]): Node | undefined {
    const node = bare(wrapped)
    if (isLiteral(node)) return this.#read(node, done)
    if (isTextLiteral(node)) return textOf(node, this.#source)
    if (isSchema(node)) return undefined
    const start = this.#start(node)
    if (node.type === 'NullLiteral' || (node.type === 'Identifier' && node.name === 'undefined')) {
      return {kind: 'other', start, is: 'null'}
    }
    const isPlain = node.type === 'NumericLiteral' || node.type === 'BooleanLiteral' || node.type === 'BigIntLiteral'
    return isPlain ? {kind: 'other', start, is: 'plain'} : unknownAt(start)
  }

  #start(node: SyntaxNode): number {
    return offsetAt(this.#source, node.start ?? 0)
  }
}

const unknownAt = (start: number): Node => ({kind: 'other', start, is: 'unknown'})

/** The name that a key spells out. */
function nameOf(key: Expression | PrivateName): string | undefined {
  if (key.type === 'Identifier') return key.name
  return key.type === 'StringLiteral' || key.type === 'NumericLiteral' ? String(key.value) : undefined
}
