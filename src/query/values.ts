import {limits} from '../work/limits.js'
import type {LeafShape, Scalar} from './ast.js'
import type {Cursor, Token} from './lexer.js'
import {candidatesOf, literalOf, numberOf, orTime, wantedBy} from './literal.js'

const maxListValues = limits.listValues

/** Characters that PostgreSQL cannot store; refused here, so that all adapters behave alike. */
export const unstorable = /[\0\p{Surrogate}]/u

export type Vars = ReadonlyMap<string, readonly string[]>

/** How much of a request's limits its predicates have used so far. */
export interface Spent {
  conditions: number
  /** Literals and values of variables, counted at each use. */
  values: number
}

/** Reads the values of a predicate, literals and variables, and checks them against the type of their field. */
export class Values {
  readonly #cursor: Cursor
  readonly #vars: Vars
  readonly #spent: Spent

  constructor(cursor: Cursor, vars: Vars, spent: Spent) {
    this.#cursor = cursor
    this.#vars = vars
    this.#spent = spent
  }

  number(what: string, min: number, max: number): number {
    const {at} = this.#cursor.peek()
    const [value] = this.value({leaf: 'number'})
    if (typeof value !== 'number' || value < min || value > max) {
      throw this.#cursor.error(at, `Expected ${what} in the range of [${min}..${max}]`)
    }
    return value
  }

  /** The candidates of each value of a list. */
  list(shape: LeafShape): (readonly Scalar[])[] {
    const token = this.#cursor.peek()
    if (token.kind === 'variable') {
      this.#cursor.take()
      const texts = this.#texts(token)
      if (texts.length > maxListValues) throw this.#cursor.error(token.at, `More than ${maxListValues} values`)
      this.#spend(token, texts.length)
      return texts.map((text) => this.#candidates(token, text, shape))
    }
    if (!this.#cursor.symbol('(')) throw this.#cursor.unexpected("'(' or a variable")
    const values = [this.value(shape)]
    while (this.#cursor.symbol(',')) values.push(this.value(shape))
    if (!this.#cursor.symbol(')')) throw this.#cursor.unexpected("',' or ')'")
    return values
  }

  #spend({at}: Token, count: number): void {
    this.#spent.values += count
    if (this.#spent.values <= limits.queryValues) return
    throw this.#cursor.error(at, `The predicates of a request have more than ${limits.queryValues} values`)
  }

  /** The candidates of one value; a literal has exactly one, unless it may be a time. */
  value(shape: LeafShape): readonly Scalar[] {
    const token = this.#cursor.peek()
    this.#spend(token, 1)
    if (token.kind === 'variable') {
      this.#cursor.take()
      const [text, ...others] = this.#texts(token)
      if (text === undefined || others.length > 0) {
        throw this.#cursor.error(token.at, `The variable '${token.text}' has several values where one is expected`)
      }
      return this.#candidates(token, text, shape)
    }
    const literal = this.#literal(token)
    const value = literal === undefined ? undefined : literalOf(literal, shape)
    if (literal === undefined || value === undefined) throw this.#cursor.unexpected(wantedBy(shape))
    this.#cursor.take()
    return orTime(value, shape)
  }

  #literal(token: Token): Scalar | undefined {
    if (token.kind === 'string') return token.text
    if (token.kind === 'number') return numberOf(token.text)
    if (this.#cursor.isWord('true')) return true
    return this.#cursor.isWord('false') ? false : undefined
  }

  #texts(token: Token): readonly string[] {
    const texts = this.#vars.get(token.text)
    if (texts === undefined || texts.length === 0) {
      throw this.#cursor.error(token.at, `The variable '${token.text}' has no value: send it as 'var.${token.text}'`)
    }
    return texts
  }

  #candidates(token: Token, text: string, shape: LeafShape): readonly Scalar[] {
    const candidates = unstorable.test(text) ? [] : candidatesOf(text, shape)
    if (candidates.length === 0) {
      throw this.#cursor.error(token.at, `The value of the variable '${token.text}' is not ${wantedBy(shape)}`)
    }
    return candidates
  }
}
