import {type Member, type Node, offsetAt, type Span, sliceOf, type Text} from './tree.js'

const maxDepth = 256

/** Why a text is not JSON, and where (an offset in the file). */
export class JsonTrouble extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.name = 'JsonTrouble'
    this.offset = offset
  }
}

const blank = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const word = /-?\d[\d.eE+-]*|true|false|null/y
const plain = /[^"\\\n]*/y
const hex = /\\u([\da-fA-F]{4})/y

const escapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['/', '/'],
  ['\\', '\\'],
  ['"', '"'],
])

/** Reads JSON with the place of every value. Comments and trailing commas, which configuration files have, are let pass. */
class JsonReader {
  readonly #text: Text
  readonly #value: string
  #at = 0

  constructor(text: Text) {
    this.#text = text
    this.#value = text.value
  }

  read(): Node {
    if (this.#value.startsWith('\uFEFF')) this.#at = 1
    const node = this.#node(0)
    this.#skip()
    if (this.#at < this.#value.length) throw this.#trouble('more text after the value')
    return node
  }

  #trouble(message: string): JsonTrouble {
    return new JsonTrouble(message, this.#offset(this.#at))
  }

  #offset(index: number): number {
    return offsetAt(this.#text, index)
  }

  #skip(): void {
    blank.lastIndex = this.#at
    this.#at += blank.exec(this.#value)?.[0].length ?? 0
  }

  #node(depth: number): Node {
    if (depth > maxDepth) throw this.#trouble(`nested deeper than ${maxDepth}`)
    this.#skip()
    const start = this.#offset(this.#at)
    const character = this.#value[this.#at]
    if (character === '{') return {kind: 'object', start, members: this.#members(depth), isOpen: false}
    if (character === '[') return {kind: 'array', start, items: this.#items(depth)}
    if (character === '"') return {kind: 'text', start, ...this.#string()}
    word.lastIndex = this.#at
    const found = word.exec(this.#value)?.[0]
    if (found === undefined) throw this.#trouble(character === undefined ? 'the text ends early' : 'not a JSON value')
    this.#at += found.length
    return {kind: 'other', start, is: found === 'null' ? 'null' : 'plain'}
  }

  #members(depth: number): Member[] {
    const members: Member[] = []
    this.#list('}', () => {
      const start = this.#offset(this.#at)
      if (this.#value[this.#at] !== '"') throw this.#trouble('a member name in quotes was expected')
      const {value: name} = this.#string()
      this.#skip()
      if (this.#value[this.#at] !== ':') throw this.#trouble('a colon was expected')
      this.#at += 1
      members.push({name, start, value: this.#node(depth + 1)})
    })
    return members
  }

  #items(depth: number): Node[] {
    const items: Node[] = []
    this.#list(']', () => items.push(this.#node(depth + 1)))
    return items
  }

  #list(end: string, element: () => void): void {
    this.#at += 1
    for (;;) {
      this.#skip()
      if (this.#value[this.#at] === end) break
      element()
      this.#skip()
      if (this.#value[this.#at] === ',') this.#at += 1
      else if (this.#value[this.#at] !== end) throw this.#trouble(`a comma or ${end} was expected`)
    }
    this.#at += 1
  }

  #string(): Text {
    const spans: Span[] = []
    let value = ''
    this.#at += 1
    for (;;) {
      plain.lastIndex = this.#at
      const end = this.#at + (plain.exec(this.#value)?.[0].length ?? 0)
      const piece = sliceOf(this.#text, this.#at, end)
      for (const [index, offset] of piece.spans) spans.push([value.length + index, offset])
      value += piece.value
      this.#at = end
      const character = this.#value[end]
      if (character === '"') break
      if (character !== '\\') throw this.#trouble('a string without its end')
      spans.push([value.length, this.#offset(end)])
      value += this.#escape()
    }
    this.#at += 1
    return {value, spans}
  }

  #escape(): string {
    hex.lastIndex = this.#at
    const code = hex.exec(this.#value)?.[1]
    if (code !== undefined) {
      this.#at += 6
      return String.fromCharCode(Number.parseInt(code, 16))
    }
    const meant = escapes.get(this.#value[this.#at + 1] ?? '')
    if (meant === undefined) throw this.#trouble('an escape that JSON does not have')
    this.#at += 2
    return meant
  }
}

/** The tree of a JSON text. Throws JsonTrouble. */
export const readJson = (text: Text): Node => new JsonReader(text).read()

/** The tree of a JSON text, or nothing where it is none. */
export const tryJson = (text: Text): Node | undefined => {
  try {
    return readJson(text)
  } catch (error) {
    if (error instanceof JsonTrouble) return undefined
    throw error
  }
}
