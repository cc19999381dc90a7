import type {Leaf, Predicate, Scalar} from './ast.js'
import {simplified} from './predicates.js'

type Variables = Record<string, Scalar | readonly Scalar[]>

/** A path of PostgreSQL's jsonpath that finds the object it is applied to if that satisfies the predicate. */
export function jsonPath(predicate: Predicate): {readonly path: string; readonly variables: Variables} {
  const variables: Variables = {}
  return {path: `$ ? (${filterOf(predicate, variables)})`, variables}
}

/** The terms of `and` and `or` in the words of a language. */
export function written(
  {op, terms}: Extract<Predicate, {op: 'and' | 'or'}>,
  words: Readonly<Record<'and' | 'or' | 'all' | 'none', string>>,
  write: (term: Predicate) => string,
): string {
  if (terms.length === 0) return op === 'and' ? words.all : words.none
  return `(${terms.map(write).join(words[op])})`
}

const pathWords = {and: ' && ', or: ' || ', all: '1 == 1', none: '1 == 0'}
const isObject = '@.type() == "object"'

/**
 * A filter on `@`, an object. Lax mode unwraps an array once, where it is filtered or compared, so one element is enough. A
 * comparison of two types is unknown; `exists` of a filter is true or false.
 */
function filterOf(predicate: Predicate, variables: Variables): string {
  if ('field' in predicate) return leafOf(predicate, variables)
  if (predicate.op === 'not') return `!exists(@ ? (${filterOf(predicate.term, variables)}))`
  if (predicate.op !== 'nested') return written(predicate, pathWords, (term) => filterOf(term, variables))
  const value = at(predicate.path)
  const holds = `exists(${value} ? (${isObject} && ${filterOf(predicate.term, variables)}))`
  return predicate.single ? `(${value}.type() == "object" && ${holds})` : holds
}

/** The value at a path of objects. In lax mode a member of an array would be looked for in its elements. */
const at = (path: readonly string[]): string =>
  path.map((name, place) => `${place === 0 ? '@' : ` ? (${isObject})`}.${JSON.stringify(name)}`).join('')

function leafOf(leaf: Leaf, variables: Variables): string {
  const simple = simplified(leaf)
  if (simple !== leaf) return filterOf(simple, variables)
  const {field, op} = leaf
  const value = at(field.path)
  if (op === 'defined') return `${leaf.negated ? '!' : ''}(${value}.type() != "null")`
  if (op === 'empty') {
    const isBlank = `${value} == null || ${value}.type() == "string" && ${value} == ""`
    const isBare = `${isBlank} || ${value}.type() == "object" && !exists(${value}.*)`
    return `${leaf.negated ? '!' : ''}(!exists(${value}[*]) || ${value}.type() != "array" && (${isBare}))`
  }
  if (op !== 'in' && op !== 'compare') throw new Error(`no filter of jsonpath says ${op}`)
  const name = `v${Object.keys(variables).length}`
  variables[name] = op === 'in' ? leaf.values : leaf.value
  const isOne = field.array || field.type === 'unknown' ? '' : `${value}.type() != "array" && `
  return `(${isOne}${value} ${op === 'in' ? `== $${name}[*]` : `${leaf.comparison} $${name}`})`
}
