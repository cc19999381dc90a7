import {queryTypes} from '../../api/collections/operations.js'
import type {Client} from '../../client/client.js'
import {ApiError} from '../../domain/errors.js'
import type {LeafShape, Scalar, Shape} from '../../query/ast.js'
import {shapesIn} from '../../query/field-shapes.js'
import {candidatesOf, literalOf, wantedBy} from '../../query/literal.js'
import {memberOf} from '../../query/path-reader.js'
import {compareKeys} from '../../query/sort.js'
import {cellText, textAt, valueAt} from '../output/fields.js'
import {Failure, usage} from '../process/failure.js'

/** Assertions for scripts: `--assert 'PATH OP VALUE'` and `--expect-count N|N..M`. A false one ends with code 9. */

interface Assertion {
  readonly text: string
  readonly path: string
  readonly compares: boolean
  /** Of a value, null if absent, of the type that its custom field has. */
  readonly holds: (actual: unknown, shape?: Shape) => boolean
}

const matches = /^\s*(\S+)\s+matches\s+(.+?)\s*$/s
/** Rejects two-character operators: `>= 1` would otherwise compare with the text `= 1`. */
const comparison = /^\s*([^\s=!<>]+)\s*(!=|=|<|>)(?![=<>])\s*(.*?)\s*$/s

export function parseAssertion(text: string): Assertion {
  const word = /^\s*(\S+)\s+(exists|missing)\s*$/.exec(text)
  if (word?.[1]) {
    const present = word[2] === 'exists'
    return {text, path: word[1], compares: false, holds: (actual) => (actual !== null) === present}
  }
  const pattern = matches.exec(text)
  if (pattern?.[1]) {
    const expression = expressionOf(unquoted(pattern[2] ?? ''), text)
    const holds = (actual: unknown): boolean => actual !== null && expression.test(cellText(actual))
    return {text, path: pattern[1], compares: false, holds}
  }
  const [, path, operator, value] = comparison.exec(text) ?? []
  if (path === undefined || operator === undefined || value === undefined) {
    throw usage(`'${text}' is not an assertion.`, "Write 'PATH OP VALUE' with OP = != < > exists missing matches.")
  }
  return {text, path, compares: true, holds: compare(operator, unquoted(value), text)}
}

const unquoted = (text: string): string => /^"(.*)"$/s.exec(text)?.[1] ?? text

function expressionOf(source: string, text: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch {
    throw usage(`'${text}' holds no valid regular expression.`, 'Correct the expression after `matches`.')
  }
}

const moments = ['date', 'time', 'datetime'] as const

/** A value with its type. Under a name that no type has, a text in the form of days, times or moments is one. Decision 62. */
function typed(actual: unknown, shape: Shape | undefined): readonly [LeafShape, Scalar] {
  if (typeof actual === 'number') return [{leaf: 'number'}, actual]
  if (typeof actual === 'boolean') return [{leaf: 'boolean'}, actual]
  const text = cellText(actual)
  if (shape && 'leaf' in shape) return [shape, literalOf(text, {leaf: shape.leaf}) ?? text]
  for (const leaf of moments) {
    const value = literalOf(text, {leaf})
    if (value !== undefined) return [{leaf}, value]
  }
  return [{leaf: 'string'}, text]
}

/** One element of a list that satisfies is enough, as in predicates; `!=` holds where `=` does not. */
function compare(operator: string, expected: string, assertion: string): Assertion['holds'] {
  const isOrder = operator === '<' || operator === '>'
  const one = (actual: unknown, shape?: Shape): boolean => {
    if (actual === null) return false
    const [kind, value] = typed(actual, shape)
    const [bound] = candidatesOf(expected, kind)
    if (bound === undefined && (isOrder || typeof actual !== 'string' || (shape && 'leaf' in shape))) {
      throw usage(`The value in '${assertion}' is not ${wantedBy(kind)}.`, 'Correct the assertion.')
    }
    if (!isOrder) return bound === undefined ? actual === expected : value === bound
    if (typeof actual === 'object') throw usage(`'${assertion}' gives an object an order.`, 'Name a member of it.')
    const order = compareKeys(value, bound)
    return operator === '<' ? order < 0 : order > 0
  }
  const some = (actual: unknown, shape?: Shape): boolean =>
    Array.isArray(actual)
      ? (!isOrder && cellText(actual) === expected) || actual.some((element: unknown) => one(element, shape))
      : one(actual, shape)
  return operator === '!=' ? (actual, shape) => !some(actual, shape) : some
}

/** The path of what names a type, and the one below its fields: of `custom.fields.tier`, `['custom', ['tier']]`. */
function divided(path: string): readonly [holder: string, below: readonly string[]] {
  const [holder = '', ...rest] = path.split('.fields.')
  return [holder, rest.length === 0 ? [] : rest.join('.fields.').split('.')]
}

/** The shape of the value at a path below the fields of a type, as `['tier']`. */
type ShapeOf = (typeId: string, below: readonly string[]) => Shape | undefined

/** Reads the types of the project that have these fields, by one request. Decision 62. */
async function shapesOf(client: Client, names: readonly string[]): Promise<ShapeOf> {
  const query = {where: 'fieldDefinitions(name in :names)', 'var.names': names, limit: 500, withTotal: false}
  const {results} = await client.call(queryTypes, {}, {query}).catch((error: unknown) => {
    throw error instanceof ApiError && error.statusCode === 403 ? refusal(error) : error
  })
  const shapes = shapesIn(results)
  return (typeId, below) => {
    const kind = results.find(({id}) => id === typeId)?.resourceTypeIds?.[0] ?? ''
    return below.reduce<Shape | undefined>(
      (shape, step) => (shape?.array && /^\d+$/.test(step) ? shape : shape && memberOf(shape, step, shapes)),
      {fieldsOf: kind},
    )
  }
}

const refusal = ({code, message, statusCode}: ApiError): Failure =>
  new Failure('denied', code, `Without their types, custom fields are not compared: ${message}`, {
    hints: ['Use a client that holds view_types as well; `exists`, `missing` and `matches` need no types.'],
    statusCode,
  })

/** The run of a command that makes assertions. */
interface AssertingRun {
  asClient<R>(work: (client: Client) => Promise<R>): Promise<R>
}

/** The assertions of a command. Throws usage for a text that is none. */
export class Assertions {
  readonly #all: readonly Assertion[]
  readonly #run: AssertingRun
  #shapes: Promise<ShapeOf> | undefined

  constructor(texts: readonly string[] | undefined, run: AssertingRun) {
    this.#all = (texts ?? []).map(parseAssertion)
    this.#run = run
  }

  get isEmpty(): boolean {
    return this.#all.length === 0
  }

  /** What is false of a document. Throws where the type of a custom field decides and cannot be read. */
  async falseOf(document: unknown) {
    const found: {readonly assertion: string; readonly path: string; readonly actual: unknown}[] = []
    for (const {text, path, compares, holds} of this.#all) {
      const actual = valueAt(document, path) ?? null
      // Of a number or a switch JSON tells what it is.
      const isTyped = compares && [actual].flat().some((one) => typeof one === 'string')
      const shape = isTyped ? await this.#shapeAt(document, path) : undefined
      if (!holds(actual, shape)) found.push({assertion: text, path, actual})
    }
    return found
  }

  async #shapeAt(document: unknown, path: string): Promise<Shape | undefined> {
    const [holder, below] = divided(path)
    const typeId = textAt(document, `${holder}.type.id`)
    if (typeId === '' || below.length === 0) return undefined
    const names = this.#all.flatMap((one) => (one.compares ? divided(one.path)[1].slice(0, 1) : []))
    this.#shapes ??= this.#run.asClient((client) => shapesOf(client, names))
    return (await this.#shapes)(typeId, below)
  }

  /** Throws AssertionFailed with all that is false of a document. */
  async check(document: unknown): Promise<void> {
    const failed = await this.falseOf(document)
    if (failed.length === 0) return
    const shown = failed.map(({assertion, actual}) => `${assertion}, but it is ${shownValue(actual)}`)
    throw new Failure('checkFailed', 'AssertionFailed', `Assertion failed: ${shown.join('; ')}.`, {
      hints: ['Correct the resource or the assertion; -o json shows the whole document.'],
      details: failed.map(({path: _, ...detail}) => detail),
    })
  }
}

/** Throws AssertionFailed where nothing matches, unless the expected count allows none: assertions over no rows say nothing. */
export function checkSome(count: number, {isEmpty}: Assertions, expected: CountRange | undefined): void {
  if (count > 0 || isEmpty || expected?.least === 0) return
  throw new Failure('checkFailed', 'AssertionFailed', `Assertion failed: ${nothingMatches}`, {
    hints: ['Correct --where, or add --expect-count 0 if nothing may match.'],
  })
}

export const nothingMatches = 'nothing matches, so that there is nothing to assert over.'

const maxShown = 200

/** A value in a sentence. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return 'absent'
  const text = cellText(value)
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}

export interface CountRange {
  readonly least: number
  readonly most: number
}

/** `3`, `1..5`, `1..` or `..5`. */
export function parseCountRange(text: string): CountRange {
  const exact = /^\d{1,9}$/.exec(text)
  if (exact) return {least: Number(text), most: Number(text)}
  const [, least = '', most = ''] = /^(\d{0,9})\.\.(\d{0,9})$/.exec(text) ?? []
  if (least === '' && most === '') throw usage(`'${text}' is not a count.`, 'Write N, N..M, N.. or ..M.')
  return {least: least === '' ? 0 : Number(least), most: most === '' ? Number.POSITIVE_INFINITY : Number(most)}
}

const rangeText = ({least, most}: CountRange): string =>
  least === most ? `${least}` : `${least}..${most === Number.POSITIVE_INFINITY ? '' : most}`

/** Why a count is not as expected; undefined if it is. */
export const countFault = (count: number, range: CountRange): string | undefined =>
  count >= range.least && count <= range.most ? undefined : `${count} match, but ${rangeText(range)} were expected.`

export function checkCount(count: number, range: CountRange): void {
  const fault = countFault(count, range)
  if (fault === undefined) return
  throw new Failure('checkFailed', 'CountUnexpected', fault, {
    hints: ['Correct the data or the count; without --expect-count the matches are shown.'],
    details: [{count, expected: rangeText(range)}],
  })
}
