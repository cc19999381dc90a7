import type {Field, Predicate, Scalar} from '../../../query/ast.js'
import {hasOneForm} from '../../../query/literal.js'

/** Texts in the JSON of a document, in quotes, a character for each byte. Matches have one of each group. */
export type Literals = readonly (readonly string[])[]

/** Groups with more literals are left out: a document is parsed sooner. */
const fewLiterals = 8

/**
 * What the JSON of every match holds. Documents are written with their texts as `JSON.stringify` makes them, so a scan
 * sees without parsing that a document has none of them. Numbers are left out, which JSON can write in several ways, and
 * so is what stands between a name and its value.
 */
export function literalsOf(predicate: Predicate): Literals {
  switch (predicate.op) {
    case 'and':
      return predicate.terms.flatMap(literalsOf)
    case 'or':
      return alternatives(predicate.terms.map(literalsOf))
    case 'nested':
      return literalsOf(predicate.term)
    case 'compare':
      return predicate.comparison === '=' ? oneOf(predicate.field, [predicate.value]) : nameOf(predicate.field)
    case 'in':
      return predicate.negated ? nameOf(predicate.field) : oneOf(predicate.field, predicate.values)
    case 'contains':
      if (predicate.mode === 'any') return oneOf(predicate.field, predicate.values)
      return predicate.values.flatMap((value) => oneOf(predicate.field, [value]))
    case 'defined':
      return predicate.negated ? [] : nameOf(predicate.field)
    case 'empty':
      return predicate.negated ? nameOf(predicate.field) : []
    case 'within':
      return nameOf(predicate.field)
    case 'not':
      return []
  }
}

/** Whether JSON, a character for each byte, has none of the literals of one group, so that its document cannot match. */
export const lacks = (json: string, literals: Literals): boolean =>
  literals.some((group) => !group.some((literal) => json.includes(literal)))

const literal = (value: string): string => Buffer.from(JSON.stringify(value)).toString('latin1')

/** One of the values, if all are written in one way; else the name. */
function oneOf(field: Field, values: readonly Scalar[]): Literals {
  if (field.facet !== undefined) return []
  const texts = values.filter((value) => typeof value === 'string')
  const isText = texts.length === values.length && texts.length <= fewLiterals && hasOneForm(field.type)
  return isText ? [texts.map(literal)] : nameOf(field)
}

/** A value that satisfies a condition is that of a member. */
function nameOf({facet, path}: Field): Literals {
  const name = path.at(-1)
  return facet !== undefined || name === undefined ? [] : [[literal(name)]]
}

const leastLength = (group: readonly string[]): number => Math.min(...group.map(({length}) => length))

/** Groups, the ones that are likely to be rare first: of long literals, and few. */
const rarestFirst = (literals: Literals): Literals =>
  [...literals].sort((a, b) => leastLength(b) - leastLength(a) || a.length - b.length)

/** Each alternative of an `or` has a group, or there is nothing that all matches hold. */
function alternatives(terms: readonly Literals[]): Literals {
  const groups = terms.map((term) => rarestFirst(term)[0])
  const all = groups.flatMap((group) => group ?? [])
  return groups.includes(undefined) || all.length > fewLiterals ? [] : [all]
}

/** What a text in JSON has that is not itself, as bytes. */
const encoded = /[\\\x80-\xff]/

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [opened, openedList, closed, closedList] = [0x7b, 0x5b, 0x7d, 0x5d]

/**
 * The text of a member of a document, from its JSON as `JSON.stringify` makes it, a character for each byte: what stands
 * behind it is not looked at. Undefined if there is no such member, or its value is no text in plain ASCII.
 */
export function plainMember(json: string, name: string): string | undefined {
  const wanted = `"${name}":`
  for (let at = 1; json.charCodeAt(at) === quote; ) {
    const isWanted = json.startsWith(wanted, at)
    const start = endOfText(json, at) + 1
    const end = endOfValue(json, start)
    if (isWanted) return json.charCodeAt(start) === quote ? plain(json.slice(start + 1, end - 1)) : undefined
    at = end + 1
  }
  return undefined
}

const plain = (text: string): string | undefined => (encoded.test(text) ? undefined : text)

function endOfText(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json.charCodeAt(at) !== quote) at += json.charCodeAt(at) === backslash ? 2 : 1
  return at + 1
}

function endOfValue(json: string, start: number): number {
  let depth = 0
  for (let at = start; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === quote) {
      at = endOfText(json, at) - 1
      if (depth === 0) return at + 1
    } else if (code === opened || code === openedList) depth += 1
    else if (code === closed || code === closedList) {
      if (depth <= 1) return depth === 1 ? at + 1 : at
      depth -= 1
    } else if (code === comma && depth === 0) return at
  }
  return json.length
}
