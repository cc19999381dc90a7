import {textLine} from '../../domain/customers/search.js'
import {defined} from '../../domain/equal.js'
import {timeOf} from '../../domain/rules.js'
import {lettersOf} from '../../domain/search/words.js'
import {limits} from '../../limits.js'
import type {Comparison, Predicate, Scalar} from '../../query/ast.js'
import {instantOf} from '../../query/instant.js'
import {literalOf, wantedBy} from '../../query/literal.js'
import {compareKeys} from '../../query/sort.js'
import type {Contains} from '../../store/store.js'
import type {SearchField} from './fields.js'
import {allOf, anyOf, type Matching, none, tagsOf} from './full-text.js'
import {type Members, malformed, textIn} from './members.js'

/** The simple expressions that look at whole values. */

/** The strength of a value that equals what was asked for; of an identifier it is the greatest of all. */
const [identical, equal, begins, fits] = [1, 0.9, 0.6, 0.5]

/** The value as it is compared with those of the field. */
function literalFor({name, type}: SearchField, value: unknown, isTime: boolean): Scalar {
  const scalar = typeof value === 'string' && isTime ? (timeOf(value) ?? value) : (value as Scalar)
  const isScalar = ['string', 'number', 'boolean'].includes(typeof scalar)
  const literal = isScalar ? literalOf(scalar, type) : undefined
  if (literal === undefined) throw malformed(`The value for '${name}' must be ${wantedBy(type)}.`)
  return literal
}

/** A value as it is compared with others of its type. */
const comparable = (field: SearchField, value: unknown): Scalar | undefined =>
  field.type === 'datetime' && typeof value === 'string' ? instantOf(value) : (value as Scalar)

const lowered = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

/** Matches documents of which a value passes, unless the search text shows already that none does. */
function ofValues(
  field: SearchField,
  passes: (value: unknown) => boolean,
  found: {
    readonly strength: number
    readonly contains?: Contains | undefined
    readonly mayPass?: (text: string) => boolean
    readonly where?: Predicate | undefined
  },
): Matching {
  const {strength, contains, mayPass, where} = found
  return {
    ...defined({contains, where}),
    counts: true,
    strength: (candidate) => {
      if (mayPass && !mayPass(candidate.text())) return none
      const document = candidate.document()
      return document && (field.values(document).some(passes) ? strength : none)
    },
  }
}

/** What the search text contains if a value of the field has these pieces; undefined if it need not. */
function containsPieces({texts}: SearchField, pieces: readonly string[]): Contains | undefined {
  return texts.length === 0 || pieces.length === 0 ? undefined : allOf(pieces)
}

export function exact(field: SearchField, {value, values, caseInsensitive, isTime}: Members): Matching {
  const given = values ?? [value]
  if (given.length === 0 || given.length > limits.listValues)
    throw malformed(`'exact' takes 1 to ${limits.listValues} values.`)
  for (const one of given) if (typeof one === 'string') textIn(field, one)
  const literals = given.map((one) => literalFor(field, one, isTime))
  const folded = new Set(literals.map((literal) => comparable(field, caseInsensitive ? lowered(literal) : literal)))
  const passes = (found: unknown) => folded.has(comparable(field, caseInsensitive ? lowered(found) : found) as Scalar)
  const [text] = field.hasLines ? field.texts : []
  const lines = text && literals.map((literal) => textLine(text.tag, text.words(String(literal))))
  const each = literals.map((literal) =>
    containsPieces(
      field,
      (text?.words ?? lettersOf)(String(literal)).map((word) => ` ${word}`),
    ),
  )
  const contains = each.every((one) => one !== undefined) ? anyOf(each) : undefined
  const where = caseInsensitive
    ? undefined
    : field.predicate?.((at) => ({op: 'in', field: at, negated: false, values: literals}))
  const mayPass = lines && ((found: string) => lines.some((line) => hasLine(found, line)))
  const strength = text?.tells === 'identity' ? identical : equal
  return ofValues(field, passes, {strength, contains, where, ...(mayPass ? {mayPass} : {})})
}

function hasLine(text: string, line: string): boolean {
  const at = text.indexOf(line)
  if (at < 0) return false
  const end = text.charAt(at + line.length)
  return end === '' || end === '\n' || hasLine(text.slice(at + line.length), line)
}

export function prefix(field: SearchField, {value, caseInsensitive}: Members): Matching {
  const start = textIn(field, value)
  const wanted = caseInsensitive ? start.toLowerCase() : start
  const passes = (found: unknown) =>
    typeof found === 'string' && (caseInsensitive ? found.toLowerCase() : found).startsWith(wanted)
  const [text] = field.texts
  const words = text?.name === 'id' || text?.name === 'dateOfBirth' ? text.words(start) : lettersOf(start)
  return ofPieces(
    field,
    passes,
    words.map((word) => ` ${word}`),
    begins,
  )
}

export function wildcard(field: SearchField, {value, caseInsensitive}: Members): Matching {
  const given = textIn(field, value)
  const pattern = [...(caseInsensitive ? given.toLowerCase() : given)]
  const passes = (found: unknown) =>
    typeof found === 'string' && isFitting([...(caseInsensitive ? found.toLowerCase() : found)], pattern)
  return ofPieces(field, passes, given.split(/[*?]+/).flatMap(lettersOf), fits)
}

/** Matches values whose words have the pieces. */
function ofPieces(
  field: SearchField,
  passes: (value: unknown) => boolean,
  pieces: readonly string[],
  strength: number,
): Matching {
  const tags = tagsOf(field)
  const inLine = (line: string) => tags.has(line.charAt(0)) && pieces.every((piece) => line.includes(piece))
  const mayPass = (text: string) => !field.hasLines || pieces.length === 0 || text.split('\n').some(inLine)
  return ofValues(field, passes, {strength, contains: containsPieces(field, pieces), mayPass})
}

/** Whether a text fits a pattern: `*` stands for any characters, `?` for one. */
function isFitting(text: readonly string[], pattern: readonly string[]): boolean {
  let [at, in_, star, resume] = [0, 0, -1, 0]
  while (at < text.length) {
    if (pattern[in_] === '*') {
      star = in_
      resume = at
      in_ += 1
    } else if (in_ < pattern.length && (pattern[in_] === '?' || pattern[in_] === text[at])) {
      at += 1
      in_ += 1
    } else if (star >= 0) {
      resume += 1
      at = resume
      in_ = star + 1
    } else return false
  }
  while (pattern[in_] === '*') in_ += 1
  return in_ === pattern.length
}

const bounds = {gte: '>=', gt: '>', lte: '<=', lt: '<'} as const satisfies Record<string, Comparison>
const isWithin: Readonly<Record<string, (order: number) => boolean>> = {
  '>=': (order) => order >= 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '<': (order) => order < 0,
}

export function range(field: SearchField, members: Members): Matching {
  if (field.type === 'boolean' || (field.type === 'string' && !members.isTime)) {
    throw malformed(`'range' is for numbers, dates and times, which '${field.name}' is not.`)
  }
  const given = Object.entries(bounds).flatMap(([name, comparison]) => {
    const bound = members[name as keyof typeof bounds]
    return bound === undefined ? [] : [{comparison, value: literalFor(field, bound, members.isTime)}]
  })
  if (given.length === 0) throw malformed("'range' takes one of gte, gt, lte and lt.")
  const passes = (found: unknown) =>
    given.every(({comparison, value}) => {
      const [own, bound] = [comparable(field, found), comparable(field, value)]
      return typeof own === typeof bound && isWithin[comparison]?.(compareKeys(own, bound)) === true
    })
  const where = field.predicate?.((at) => ({
    op: 'and',
    terms: given.map((one) => ({op: 'compare', field: at, ...one})),
  }))
  return ofValues(field, passes, {strength: fits, where})
}

export const exists = (field: SearchField): Matching => ofValues(field, () => true, {strength: fits})
