/**
 * What a payload says, with the place of everything in the file: JSON and arguments of GraphQL fields
 * both become this one tree, so that one set of rules reads them.
 */
export type Node = ObjectNode | ArrayNode | TextNode | OtherNode

export interface ObjectNode {
  readonly kind: 'object'
  readonly start: number
  readonly members: readonly Member[]
}

export interface Member {
  readonly name: string
  readonly start: number
  readonly value: Node
}

interface ArrayNode {
  readonly kind: 'array'
  readonly start: number
  readonly items: readonly Node[]
}

export interface TextNode extends Text {
  readonly kind: 'text'
  readonly start: number
}

/** A number, a literal name, or a variable whose value the text does not show. */
interface OtherNode {
  readonly kind: 'other'
  readonly start: number
  readonly is: 'null' | 'plain' | 'unknown'
}

/** A text as it reads, and from which of its indices on which offsets of the file belong to it. */
export interface Text {
  readonly value: string
  readonly spans: readonly Span[]
}

export type Span = readonly [index: number, offset: number]

/** The index of the last of so many ascending values that is at most another; 0 if none is. */
export const lastUpTo = (count: number, valueAt: (index: number) => number | undefined, most: number): number => {
  let low = 0
  let high = count - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((valueAt(middle) ?? 0) <= most) low = middle
    else high = middle - 1
  }
  return low
}

/** The place in the list of the last span that begins at or before an index. */
const spanBefore = (spans: readonly Span[], index: number): number =>
  lastUpTo(spans.length, (at) => spans[at]?.[0], index)

/** The offset in the file of a character of a text. */
export const offsetAt = ({spans}: Text, index: number): number => {
  const [from, offset] = spans[spanBefore(spans, index)] ?? [0, 0]
  return offset + index - from
}

/** A stretch of a text as a text of its own. */
export const sliceOf = (text: Text, start: number, end: number): Text => {
  const {spans} = text
  const cut: Span[] = [[0, offsetAt(text, start)]]
  for (let at = spanBefore(spans, start) + 1; at < spans.length; at += 1) {
    const [index, offset] = spans[at] ?? [end, 0]
    if (index >= end) break
    if (index > start) cut.push([index - start, offset])
  }
  return {value: text.value.slice(start, end), spans: cut}
}

/** Where brackets nest deeper than `most`: parsers go down by recursion, and no person nests so deep. */
export const nestedDeeper = (text: string, brackets: RegExp, most: number): number | undefined => {
  let depth = 0
  for (const {0: found, index} of text.matchAll(brackets)) {
    if (found.length > 1) continue
    depth += '{[('.includes(found) ? 1 : -1
    if (depth > most) return index
  }
  return undefined
}

export const fileText = (value: string): Text => ({value, spans: [[0, 0]]})

/** A member of an object; undefined for any other node. */
export const memberOf = (node: Node | undefined, name: string): Node | undefined =>
  node?.kind === 'object' ? node.members.find((member) => member.name === name)?.value : undefined

export const textIn = (node: Node | undefined, name: string): TextNode | undefined => {
  const member = memberOf(node, name)
  return member?.kind === 'text' ? member : undefined
}

/** What a dotted path leads to; 'unknown' where a variable hides it. */
export const followPath = (object: ObjectNode, path: string): Node | undefined | 'unknown' => {
  let at: Node = object
  for (const name of path.split('.')) {
    if (at.kind === 'other' && at.is === 'unknown') return 'unknown'
    const next = memberOf(at, name)
    if (next === undefined) return undefined
    at = next
  }
  return at
}

/** A node of a tree, and the way to it. */
export interface Located {
  readonly node: Node
  /** Names of the members that lead to it, `[]` behind those that hold arrays. The elements of a root array are roots. */
  readonly labels: readonly string[]
  /** The objects passed, outermost first. */
  readonly objects: readonly ObjectNode[]
  /** The elements of the array that it is one of; empty for a member and the root. */
  readonly siblings: readonly Node[]
}

/** All nodes of a tree, each before its children. */
export function* nodesOf(
  node: Node,
  {labels, objects, siblings}: Omit<Located, 'node'> = {labels: [], objects: [], siblings: []},
): Generator<Located> {
  yield {node, labels, objects, siblings}
  if (node.kind === 'object') {
    const inner = [...objects, node]
    for (const {name, value} of node.members) {
      yield* nodesOf(value, {labels: [...labels, name], objects: inner, siblings: []})
    }
  }
  if (node.kind === 'array') {
    const inList = labels.length === 0 ? labels : labels.with(-1, `${labels.at(-1)}[]`)
    for (const item of node.items) yield* nodesOf(item, {labels: inList, objects, siblings: node.items})
  }
}
