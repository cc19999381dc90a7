import type {Leaf, Predicate, Scalar} from '../../src/query/ast.js'
import {reserved} from '../../src/query/lexer.js'

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/

const printName = (name: string): string =>
  plainName.test(name) && !reserved.has(name.toLowerCase()) ? name : `\`${name}\``

const printValue = (value: Scalar): string =>
  typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value)

const printList = (values: readonly Scalar[]): string => `(${values.map(printValue).join(', ')})`

/** The leaf at a path of one name; outer names become parentheses around it. */
function printField(path: readonly string[], leaf: (name: string) => string): string {
  const [name = '', ...rest] = path
  return rest.length === 0 ? leaf(printName(name)) : `${printName(name)}(${printField(rest, leaf)})`
}

function printLeaf(predicate: Leaf): string {
  return printField(predicate.field.path, (name) => {
    switch (predicate.op) {
      case 'compare':
        return `${name} ${predicate.comparison} ${printValue(predicate.value)}`
      case 'in':
        return `${name} ${predicate.negated ? 'not in' : 'in'} ${printList(predicate.values)}`
      case 'contains':
        return `${name} contains ${predicate.mode} ${printList(predicate.values)}`
      case 'defined':
      case 'empty':
        return `${name} is ${predicate.negated ? 'not ' : ''}${predicate.op}`
      case 'within':
        return `${name} within circle(${predicate.longitude}, ${predicate.latitude}, ${predicate.radiusMeters})`
    }
  })
}

/**
 * The text that parses to this predicate under the shape it was made for. Paths of several names, which the parser
 * never makes for a leaf, come out as parentheses. Names with a backtick have no text.
 */
export function printPredicate(predicate: Predicate): string {
  if ('field' in predicate) return printLeaf(predicate)
  switch (predicate.op) {
    case 'and':
    case 'or':
      return predicate.terms.map((term) => printTerm(term, predicate.op)).join(` ${predicate.op} `)
    case 'not':
      return `not(${printPredicate(predicate.term)})`
    case 'nested':
      return printField(predicate.path, (name) => `${name}(${printPredicate(predicate.term)})`)
  }
}

/** `and` binds stronger than `or`; any other mix keeps its parentheses. */
function printTerm(term: Predicate, parent: 'and' | 'or'): string {
  const bare = (term.op !== 'and' && term.op !== 'or') || (parent === 'or' && term.op === 'and')
  return bare ? printPredicate(term) : `(${printPredicate(term)})`
}
