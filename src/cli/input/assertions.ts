import type {LeafType, Scalar} from '../../query/ast.js'
import {candidatesOf, literalOf, wantedBy} from '../../query/literal.js'
import {compareKeys} from '../../query/sort.js'
import {cellText, valueAt} from '../output/fields.js'
import {Failure, usage} from '../process/failure.js'

/** Assertions for scripts: `--assert 'PATH OP VALUE'` and `--expect-count N|N..M`. A false one ends with code 9. */

export interface Assertion {
  readonly text: string
  readonly holds: (actual: unknown) => boolean
  readonly path: string
}

const words = /^\s*(\S+)\s+(exists|missing)\s*$/
const matches = /^\s*(\S+)\s+matches\s+(.+?)\s*$/s
/** Rejects two-character operators: `>= 1` would otherwise compare with the text `= 1`. */
const comparison = /^\s*([^\s=!<>]+)\s*(!=|=|<|>)(?![=<>])\s*(.*?)\s*$/s

export function parseAssertion(text: string): Assertion {
  const word = words.exec(text)
  if (word?.[1]) {
    const present = word[2] === 'exists'
    return {text, path: word[1], holds: (actual) => (actual !== undefined && actual !== null) === present}
  }
  const pattern = matches.exec(text)
  if (pattern?.[1]) {
    const expression = expressionOf(unquoted(pattern[2] ?? ''), text)
    return {text, path: pattern[1], holds: (actual) => actual !== undefined && expression.test(cellText(actual))}
  }
  const [, path, operator, value] = comparison.exec(text) ?? []
  if (path === undefined || operator === undefined || value === undefined) {
    throw usage(`'${text}' is not an assertion.`, "Write 'PATH OP VALUE' with OP = != < > exists missing matches.")
  }
  return {text, path, holds: compare(operator, unquoted(value), text)}
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

/** A value with its type: a text in the form of days, times or moments is one. Decision 62. */
function typed(actual: unknown): readonly [LeafType, Scalar] {
  if (typeof actual === 'number') return ['number', actual]
  if (typeof actual === 'boolean') return ['boolean', actual]
  const text = cellText(actual)
  for (const leaf of moments) {
    const value = literalOf(text, {leaf})
    if (value !== undefined) return [leaf, value]
  }
  return ['string', text]
}

/** One element of a list that satisfies is enough, as in predicates; `!=` holds where `=` does not. */
function compare(operator: string, expected: string, assertion: string): (actual: unknown) => boolean {
  const isOrder = operator === '<' || operator === '>'
  const one = (actual: unknown): boolean => {
    if (actual === undefined || actual === null) return false
    const [leaf, value] = typed(actual)
    const [bound] = candidatesOf(expected, {leaf})
    if (!isOrder) return bound === undefined ? cellText(actual) === expected : value === bound
    if (bound === undefined) {
      throw usage(`'${assertion}' gives no order to ${cellText(actual)}.`, `Write ${wantedBy({leaf})}.`)
    }
    const order = compareKeys(value, bound)
    return operator === '<' ? order < 0 : order > 0
  }
  const some = (actual: unknown) =>
    (Array.isArray(actual) && actual.some(one)) || (!(isOrder && Array.isArray(actual)) && one(actual))
  return operator === '!=' ? (actual) => !some(actual) : some
}

/** Throws AssertionFailed with all assertions that are false. */
export function assertAll(document: unknown, assertions: readonly Assertion[]): void {
  const failed = assertions
    .map(({text, path, holds}) => ({assertion: text, actual: valueAt(document, path) ?? null, holds}))
    .filter(({actual, holds}) => !holds(actual ?? undefined))
    .map(({assertion, actual}) => ({assertion, actual}))
  if (failed.length === 0) return
  const shown = failed.map(({assertion, actual}) => `${assertion}, but it is ${shownValue(actual)}`)
  throw new Failure('checkFailed', 'AssertionFailed', `Assertion failed: ${shown.join('; ')}.`, {
    hints: ['Correct the resource or the assertion; -o json shows the whole document.'],
    details: failed,
  })
}

/** Throws AssertionFailed where nothing matches, unless the expected count allows none: assertions over no rows say nothing. */
export function checkSome(count: number, assertions: readonly unknown[], expected: CountRange | undefined): void {
  if (count > 0 || assertions.length === 0 || expected?.least === 0) return
  throw new Failure('checkFailed', 'AssertionFailed', `Assertion failed: ${nothingMatches}`, {
    hints: ['Correct --where, or add --expect-count 0 if nothing may match.'],
  })
}

export const nothingMatches = 'nothing matches, so that there is nothing to assert over.'

function shownValue(actual: unknown): string {
  if (actual === null) return 'absent'
  return typeof actual === 'object' ? JSON.stringify(actual) : cellText(actual)
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

export function checkCount(count: number, {least, most}: CountRange): void {
  if (count >= least && count <= most) return
  const expected = least === most ? `${least}` : `${least}..${most === Number.POSITIVE_INFINITY ? '' : most}`
  throw new Failure('checkFailed', 'CountUnexpected', `${count} match, but ${expected} were expected.`, {
    hints: ['Correct the data or the count; without --expect-count the matches are shown.'],
    details: [{count, expected}],
  })
}
