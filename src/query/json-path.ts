import type {Leaf, Predicate, Scalar} from './ast.js'

/** A filter of PostgreSQL's jsonpath with the values of its variables. */
export interface JsonPath {
  readonly path: string
  readonly variables: Readonly<Record<string, Scalar | readonly Scalar[]>>
}

/** The path finds the object that it is applied to if the object satisfies the predicate. */
export function jsonPath(predicate: Predicate): JsonPath {
  const writer = new Writer()
  return {path: `$ ? (${writer.filter(predicate)})`, variables: writer.variables}
}

/** The same condition made of `in`, orders, `defined`, `empty` and `within`; the leaf itself if it is one of these. */
export function simplified(leaf: Leaf): Predicate {
  const {field} = leaf
  const oneOf = (values: readonly Scalar[]): Predicate => ({op: 'in', field, negated: false, values})
  const noneOf = (values: readonly Scalar[]): Predicate => ({
    op: 'and',
    terms: [
      {op: 'defined', field, negated: false},
      {op: 'not', term: oneOf(values)},
    ],
  })
  if (leaf.op === 'compare' && leaf.comparison === '=') return oneOf([leaf.value])
  if (leaf.op === 'compare' && leaf.comparison === '!=') return noneOf([leaf.value])
  if (leaf.op === 'in' && leaf.negated) return noneOf(leaf.values)
  if (leaf.op !== 'contains') return leaf
  return leaf.mode === 'any' ? oneOf(leaf.values) : {op: 'and', terms: leaf.values.map((value) => oneOf([value]))}
}

const isObject = '@.type() == "object"'

/** The value at a path of objects. In lax mode a member of an array would be looked for in its elements. */
const at = (path: readonly string[]): string =>
  path.map((name, place) => `${place === 0 ? '@' : ` ? (${isObject})`}.${JSON.stringify(name)}`).join('')

/**
 * Writes filters on `@`, which is an object. Lax mode unwraps an array once, where it is filtered or compared: one element
 * that satisfies is enough. A comparison of two types is unknown; `exists` of a filter is true or false.
 */
class Writer {
  readonly variables: Record<string, Scalar | readonly Scalar[]> = {}
  #count = 0

  #variable(value: Scalar | readonly Scalar[]): string {
    const name = `v${this.#count}`
    this.#count += 1
    this.variables[name] = value
    return `$${name}`
  }

  filter(predicate: Predicate): string {
    if ('field' in predicate) return this.#leaf(predicate)
    switch (predicate.op) {
      case 'and':
        return this.#join(predicate.terms, ' && ', '1 == 1')
      case 'or':
        return this.#join(predicate.terms, ' || ', '1 == 0')
      case 'not':
        return `!exists(@ ? (${this.filter(predicate.term)}))`
      case 'nested': {
        const value = at(predicate.path)
        const holds = `exists(${value} ? (${isObject} && ${this.filter(predicate.term)}))`
        return predicate.single ? `(${value}.type() == "object" && ${holds})` : holds
      }
    }
  }

  #join(terms: readonly Predicate[], by: string, empty: string): string {
    return terms.length === 0 ? empty : `(${terms.map((term) => this.filter(term)).join(by)})`
  }

  #leaf(leaf: Leaf): string {
    const simple = simplified(leaf)
    if (simple !== leaf) return this.filter(simple)
    const {field} = leaf
    const value = at(field.path)
    const isOne = field.array || field.type === 'unknown' ? '' : `${value}.type() != "array" && `
    switch (leaf.op) {
      case 'defined':
        return `${leaf.negated ? '!' : ''}(${value}.type() != "null")`
      case 'empty': {
        const isNothing = `${value}.type() == "null" || ${value}.type() == "string" && ${value} == ""`
        const isBare = `${value}.type() == "object" && !exists(${value}.*)`
        return `${leaf.negated ? '!' : ''}(!exists(${value}[*]) || ${isNothing} || ${isBare})`
      }
      case 'in':
        return `(${isOne}${value} == ${this.#variable(leaf.values)}[*])`
      case 'compare':
        return `(${isOne}${value} ${leaf.comparison} ${this.#variable(leaf.value)})`
      default:
        throw new Error(`no filter of jsonpath says ${leaf.op}`)
    }
  }
}
