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

/** A text in JSON, or where an object or a list begins or ends. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g

/**
 * The text of a member of a document, from its JSON as `JSON.stringify` makes it, a character for each byte: what stands
 * behind it is not looked at. Undefined if there is no such member, or its value is no text in plain ASCII.
 */
export function plainMember(json: string, name: string): string | undefined {
  const wanted = `"${name}"`
  let depth = 0
  token.lastIndex = 0
  while (token.test(json)) {
    const end = token.lastIndex
    const last = json[end - 1]
    if (last === '{' || last === '[') depth += 1
    else if (last === '}' || last === ']') depth -= 1
    // Within a text a backslash would stand before the first quote.
    else if (depth === 1 && json[end] === ':' && json.endsWith(wanted, end) && json[end - wanted.length - 1] !== '\\') {
      if (json[end + 1] !== '"' || !token.test(json)) return undefined
      const text = json.slice(end + 2, token.lastIndex - 1)
      return encoded.test(text) ? undefined : text
    }
  }
  return undefined
}
