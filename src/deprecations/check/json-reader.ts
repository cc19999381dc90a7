import {type ParseErrorCode, printParseErrorCode, visit} from 'jsonc-parser'
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

const escapeSequence = /\\(?:u[\da-f]{4}|.)/gi

/** The content of a string between its quotes, decoded. An escape stands for one UTF-16 unit, so that every unit keeps its place. */
function contentOf(raw: Text, value: string): Text {
  const spans: Span[] = []
  let begin = 0
  let index = 0
  const addUpTo = (end: number): void => {
    for (const [at, offset] of sliceOf(raw, begin, end).spans) spans.push([index + at, offset])
    index += end - begin
  }
  for (const {0: sequence, index: at} of raw.value.matchAll(escapeSequence)) {
    addUpTo(at)
    spans.push([index, offsetAt(raw, at)])
    index += 1
    begin = at + sequence.length
  }
  addUpTo(raw.value.length)
  return {value, spans}
}

/** Builds the tree from the parser's events. */
class TreeBuilder {
  root: Node | undefined
  readonly #text: Text
  readonly #open: {readonly add: (node: Node) => void}[] = []
  #name: {readonly name: string; readonly start: number} | undefined

  constructor(text: Text) {
    this.#text = text
  }

  /** The offset in the file of an index of the text. */
  offset(index: number): number {
    return offsetAt(this.#text, index)
  }

  name(name: string, index: number): void {
    this.#name = {name, start: this.offset(index)}
  }

  value(value: unknown, index: number, length: number): void {
    const start = this.offset(index)
    if (typeof value === 'string') {
      const raw = sliceOf(this.#text, index + 1, index + length - 1)
      this.#add({kind: 'text', start, ...contentOf(raw, value)})
    } else this.#add({kind: 'other', start, is: value === null ? 'null' : 'plain'})
  }

  beginObject(index: number): void {
    const members: Member[] = []
    this.#begin({kind: 'object', start: this.offset(index), members, isOpen: false}, index, (value) => {
      if (this.#name) members.push({...this.#name, value})
    })
  }

  beginArray(index: number): void {
    const items: Node[] = []
    this.#begin({kind: 'array', start: this.offset(index), items}, index, (item) => items.push(item))
  }

  end(): void {
    this.#open.pop()
  }

  #begin(node: Node, index: number, add: (node: Node) => void): void {
    if (this.#open.length > maxDepth) throw new JsonTrouble(`nested deeper than ${maxDepth}`, this.offset(index))
    this.#add(node)
    this.#open.push({add})
  }

  #add(node: Node): void {
    const parent = this.#open.at(-1)
    if (parent) parent.add(node)
    else this.root ??= node
  }
}

/** `ColonExpected` as `colon expected`. */
const messageOf = (code: ParseErrorCode): string =>
  printParseErrorCode(code)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()

/**
 * The tree of a JSON text, with the place of every value in the file. Comments and trailing commas, which configuration
 * files have, and control characters in strings are let pass. Throws JsonTrouble.
 */
export function readJson(text: Text): Node {
  const tree = new TreeBuilder(text)
  visit(
    // A byte order mark becomes a blank, so that indices do not shift.
    text.value.replace(/^\uFEFF/, ' '),
    {
      onObjectBegin: (index) => tree.beginObject(index),
      onObjectProperty: (name, index) => tree.name(name, index),
      onObjectEnd: () => tree.end(),
      onArrayBegin: (index) => tree.beginArray(index),
      onArrayEnd: () => tree.end(),
      onLiteralValue: (value, index, length) => tree.value(value, index, length),
      onError: (code, index) => {
        const message = messageOf(code)
        if (message !== 'invalid character') throw new JsonTrouble(message, tree.offset(index))
      },
    },
    {allowTrailingComma: true},
  )
  if (tree.root) return tree.root
  throw new JsonTrouble('value expected', tree.offset(0))
}

/** The tree of a JSON text, or nothing where it is none. */
export function tryJson(text: Text): Node | undefined {
  try {
    return readJson(text)
  } catch (error) {
    if (error instanceof JsonTrouble) return undefined
    throw error
  }
}
