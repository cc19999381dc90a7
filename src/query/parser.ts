import {limits} from '../work/limits.js'
import type {Comparison, CustomShapes, Field, LeafShape, Predicate, Shape} from './ast.js'
import {Cursor, reserved, syntaxError, type Token} from './lexer.js'
import {timeOfDay} from './literal.js'
import {memberOf} from './path-reader.js'
import {QueryError} from './query-error.js'
import {type Spent, unstorable, Values, type Vars} from './values.js'

const comparisons = new Map<string, Comparison>([
  ...(['=', '!=', '<', '>', '<=', '>='] as const).map((one) => [one, one] as const),
  ['<>', '!='],
])

/**
 * Parses one `where`. Fields must exist in `shape`; `vars` are the raw values of `:name`; `custom` has the shapes of custom
 * fields; all predicates of a request share `spent`, the use of its limits. Throws QueryError; for syntax errors with line,
 * column and a caret. Decision 15.
 */
export function parsePredicate(
  text: string,
  shape: Shape,
  vars: Vars,
  custom?: CustomShapes,
  spent: Spent = {conditions: 0, values: 0},
): Predicate {
  const most = limits.predicateCharacters
  if (text.length > most) throw syntaxError(text, most, `The predicate is longer than ${most} characters`)
  const bad = text.search(unstorable)
  if (bad !== -1) throw syntaxError(text, bad, 'A character that no text can hold')
  return new Parser(text, vars, custom, spent).parse(shape)
}

/**
 * The `where` parameters of a request as one predicate, AND-ed; undefined without any. At most ten, which share the
 * limits on conditions and values. `custom` has the shapes of custom fields. Decisions 15 and 62.
 *
 *     parseWhere(['key = "ada"'], {members: {key: {leaf: 'string'}}}, new Map())
 *     // {op: 'compare', field: {path: ['key'], type: 'string'}, comparison: '=', value: 'ada'}
 */
export function parseWhere(
  texts: readonly string[],
  shape: Shape,
  vars: ReadonlyMap<string, readonly string[]>,
  custom?: CustomShapes,
): Predicate | undefined {
  if (texts.length > limits.where) {
    throw new QueryError('where', `The where parameter may be given at most ${limits.where} times`)
  }
  const spent = {conditions: 0, values: 0}
  const terms = texts.map((text) => parsePredicate(text, shape, vars, custom, spent))
  return terms.length > 1 ? {op: 'and', terms} : terms[0]
}

class Parser {
  readonly #cursor: Cursor
  readonly #values: Values
  readonly #custom: CustomShapes | undefined
  readonly #spent: Spent
  #depth = 0
  /** Whether the condition that is read is below what may be an array. */
  #mayBeInList = false

  constructor(input: string, vars: Vars, custom: CustomShapes | undefined, spent: Spent) {
    this.#cursor = new Cursor(input)
    this.#values = new Values(this.#cursor, vars, spent)
    this.#custom = custom
    this.#spent = spent
  }

  parse(shape: Shape): Predicate {
    const predicate = this.#or(shape)
    if (this.#cursor.peek().kind !== 'end') throw this.#cursor.unexpected('and, or or end of input')
    return predicate
  }

  #node<P extends Predicate>(predicate: P): P {
    this.#spent.conditions += 1
    if (this.#spent.conditions > limits.conditions) {
      throw this.#cursor.error(
        this.#cursor.peek().at,
        `The predicates of a request have more than ${limits.conditions} conditions`,
      )
    }
    return predicate
  }

  #or(shape: Shape): Predicate {
    return this.#chain('or', () => this.#chain('and', () => this.#not(shape)))
  }

  #chain(op: 'and' | 'or', operand: () => Predicate): Predicate {
    const first = operand()
    const terms = [first]
    while (this.#cursor.word(op)) terms.push(operand())
    return terms.length === 1 ? first : this.#node({op, terms})
  }

  #not(shape: Shape): Predicate {
    if (this.#cursor.word('not')) {
      if (!this.#cursor.isSymbol('(')) throw this.#cursor.unexpected("'('")
      return this.#node({op: 'not', term: this.#group(shape)})
    }
    return this.#cursor.isSymbol('(') ? this.#group(shape) : this.#condition(shape)
  }

  #group(shape: Shape): Predicate {
    const open = this.#cursor.peek().at
    this.#cursor.expect('(')
    this.#depth += 1
    if (this.#depth > limits.predicateDepth) {
      throw this.#cursor.error(open, `The predicate is nested deeper than ${limits.predicateDepth} levels`)
    }
    const predicate = this.#or(shape)
    if (!this.#cursor.symbol(')')) throw this.#cursor.unexpected("and, or or ')'")
    this.#depth -= 1
    return predicate
  }

  #condition(shape: Shape): Predicate {
    const token = this.#cursor.peek()
    const isName = token.kind === 'quoted-name' || (token.kind === 'name' && !reserved.has(token.text.toLowerCase()))
    if (!isName) throw this.#cursor.unexpected("a field name, not or '('")
    this.#cursor.take()
    const member = memberOf(shape, token.text, this.#custom)
    if (member === undefined) throw new QueryError('where', `The field '${token.text}' does not exist.`)
    if (this.#cursor.isSymbol('(')) return this.#nested(token, member)
    return this.#leaf(token, member)
  }

  #nested(name: Token, shape: Shape): Predicate {
    if ('leaf' in shape)
      throw this.#cursor.error(this.#cursor.peek().at, `The field '${name.text}' has no fields below it`)
    const single = ('members' in shape || 'fieldsOf' in shape) && !shape.array
    const wasInList = this.#mayBeInList
    this.#mayBeInList ||= !single
    const term = this.#group(shape)
    this.#mayBeInList = wasInList
    return this.#node({op: 'nested', path: [name.text], ...(single ? {single} : {}), term})
  }

  #leaf(name: Token, shape: Shape): Predicate {
    const field = fieldOf(name.text, shape)
    const symbol = this.#cursor.peek()
    const comparison = symbol.kind === 'symbol' ? comparisons.get(symbol.text) : undefined
    if (comparison !== undefined) {
      this.#cursor.take()
      return this.#compare(field, this.#comparable(name, shape), comparison)
    }
    if (this.#cursor.word('in')) return this.#in(field, this.#comparable(name, shape), false)
    if (this.#cursor.word('not')) {
      if (!this.#cursor.word('in')) throw this.#cursor.unexpected('in')
      return this.#in(field, this.#comparable(name, shape), true)
    }
    if (this.#cursor.word('contains')) return this.#contains(field, this.#comparable(name, shape))
    if (this.#cursor.word('is')) return this.#is(field)
    if (this.#cursor.word('within')) return this.#within(name, field, shape)
    throw this.#cursor.unexpected("comparison operator, not, in, contains, is, within or '('")
  }

  #comparable({text, at}: Token, shape: Shape): LeafShape {
    if ('leaf' in shape) return shape
    if ('open' in shape && !shape.of) return {leaf: 'unknown'}
    const example = 'example' in shape && shape.example ? `: ${shape.example.replace('(', () => `${text}(`)}` : ''
    throw this.#cursor.error(at, `The field '${text}' holds fields, not a value: ask for them in parentheses${example}`)
  }

  #compare(field: Field, shape: LeafShape, comparison: Comparison): Predicate {
    const all = this.#values.value(shape)
    // What may be a time is ordered in the form in which times are kept.
    const isPlain = shape.leaf !== 'unknown' || comparison === '=' || comparison === '!='
    const [value, ...others] = isPlain ? all : all.filter((one) => (timeOfDay(one) ?? one) === one)
    if (value === undefined) throw this.#cursor.unexpected('a value')
    if (others.length === 0) return this.#node({op: 'compare', field, comparison, value})
    const values = [value, ...others]
    if (comparison === '=') return this.#node({op: 'in', field, negated: false, values})
    if (comparison === '!=') return this.#node({op: 'in', field, negated: true, values})
    const terms = values.map((candidate) => this.#node({op: 'compare' as const, field, comparison, value: candidate}))
    return this.#node({op: 'or', terms})
  }

  #in(field: Field, shape: LeafShape, negated: boolean): Predicate {
    return this.#node({op: 'in', field, negated, values: this.#values.list(shape).flat()})
  }

  #contains(field: Field, shape: LeafShape): Predicate {
    const mode = this.#cursor.word('all') ? 'all' : this.#cursor.word('any') ? 'any' : undefined
    if (mode === undefined) throw this.#cursor.unexpected('all or any')
    const list = this.#values.list(shape)
    if (mode === 'any' || list.every((candidates) => candidates.length === 1)) {
      return this.#node({op: 'contains', field, mode, values: list.flat()})
    }
    const terms = list.map((values) => this.#node({op: 'contains' as const, field, mode: 'any' as const, values}))
    const [only] = terms
    return terms.length === 1 && only ? only : this.#node({op: 'and', terms})
  }

  #is(field: Field): Predicate {
    const negated = this.#cursor.word('not')
    const op = this.#cursor.word('defined') ? 'defined' : this.#cursor.word('empty') ? 'empty' : undefined
    if (op === undefined) throw this.#cursor.unexpected(negated ? 'defined or empty' : 'not, defined or empty')
    return this.#node({op, field, negated})
  }

  #within(name: Token, field: Field, shape: Shape): Predicate {
    if (!('open' in shape) || shape.of || shape.array || this.#mayBeInList) {
      throw this.#cursor.error(name.at, `The field '${name.text}' is not a place`)
    }
    if (!this.#cursor.word('circle')) throw this.#cursor.unexpected('circle')
    this.#cursor.expect('(')
    const longitude = this.#values.number('a longitude', -180, 180)
    this.#cursor.expect(',')
    const latitude = this.#values.number('a latitude', -90, 90)
    this.#cursor.expect(',')
    const radiusMeters = this.#values.number('a radius in metres', 0, Number.MAX_SAFE_INTEGER)
    this.#cursor.expect(')')
    return this.#node({op: 'within', field, longitude, latitude, radiusMeters})
  }
}

function fieldOf(name: string, shape: Shape): Field {
  const array = shape.array ? {array: true as const} : {}
  if (!('leaf' in shape)) return {path: [name], type: 'unknown', ...array}
  return {path: [name], type: shape.leaf, ...array, ...(shape.facet ? {facet: shape.facet} : {})}
}
