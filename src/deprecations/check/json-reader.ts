import {type Node as JsonNode, type ParseError, parseTree, printParseErrorCode} from 'jsonc-parser'
import {type Node, nestedDeeper, offsetAt, type Span, sliceOf, type Text} from './tree.js'

const maxDepth = 256
const stringOrBracket = /"(?:[^"\\\n]|\\.)*"|[{}[\]]/g

/** Why a text is not JSON, and where (an offset in the file). */
export class JsonTrouble extends Error {
  override readonly name = 'JsonTrouble'
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
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

/** The same tree with places in the file. */
function nodeOf(node: JsonNode, text: Text): Node {
  const {type, offset, length, children = []} = node
  const start = offsetAt(text, offset)
  if (type === 'array') return {kind: 'array', start, items: children.map((item) => nodeOf(item, text))}
  if (type === 'string') {
    return {kind: 'text', start, ...contentOf(sliceOf(text, offset + 1, offset + length - 1), node.value as string)}
  }
  if (type !== 'object') return {kind: 'other', start, is: type === 'null' ? 'null' : 'plain'}
  const members = children.flatMap(({children: [key, value] = []}) =>
    key && value ? [{name: key.value as string, start: offsetAt(text, key.offset), value: nodeOf(value, text)}] : [],
  )
  return {kind: 'object', start, members}
}

/** `ColonExpected` as `colon expected`. */
const messageOf = ({error}: ParseError): string =>
  printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()

/**
 * The tree of a JSON text, with the place of every value in the file. Comments and trailing commas, which configuration
 * files have, and control characters in strings are let pass. Throws JsonTrouble.
 */
export function readJson(text: Text): Node {
  // A byte order mark becomes a blank, so that indices do not shift.
  const source = text.value.replace(/^\uFEFF/, ' ')
  const deeper = nestedDeeper(source, stringOrBracket, maxDepth + 1)
  if (deeper !== undefined) throw new JsonTrouble(`nested deeper than ${maxDepth}`, offsetAt(text, deeper))
  const errors: ParseError[] = []
  const root = parseTree(source, errors, {allowTrailingComma: true})
  const error = errors.find((one) => messageOf(one) !== 'invalid character')
  if (error) throw new JsonTrouble(messageOf(error), offsetAt(text, error.offset))
  if (root) return nodeOf(root, text)
  throw new JsonTrouble('value expected', offsetAt(text, 0))
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
