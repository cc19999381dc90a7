import {defined} from '../../domain/equal.js'
import {textLine} from '../../domain/search/search-text.js'
import {lettersOf} from '../../domain/search/words.js'
import type {Comparison, Predicate, Scalar} from '../../query/ast.js'
import {instantOf} from '../../query/instant.js'
import {literalOf, wantedBy} from '../../query/literal.js'
import {compareKeys} from '../../query/sort.js'
import {holdsFor} from '../../query/to-function.js'
import type {Contains} from '../../store/searchable.js'
import {limits} from '../../work/limits.js'
import type {SearchField} from './fields.js'
import {allOf, anyOf, type LineBegin, type Matching, none, tagsOf} from './full-text.js'
import {type Members, malformed, textIn} from './members.js'
import {lineEnd, lineHead, placesOf} from './steps.js'

/** The simple expressions that look at whole values. */

/** The strength of a value that equals what was asked for; of an identifier it is the greatest of all. */
const [identical, equal, begins, fits] = [1, 0.9, 0.6, 0.5]

/** The value as it is compared with those of the field. */
function literalFor({name, shape}: SearchField, value: unknown): Scalar {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value)
  const literal = isScalar ? literalOf(value as Scalar, shape) : undefined
  if (literal === undefined) throw malformed(`The value for '${name}' must be ${wantedBy(shape)}.`)
  return literal
}

const comparable = (field: SearchField, value: unknown): Scalar | undefined =>
  field.shape.leaf === 'datetime' ? instantOf(value) : (value as Scalar)

const lowered = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

interface Sought {
  readonly strength: number
  readonly contains?: Contains | undefined
  /** Whether a part of the search text has what a value that passes leaves there. */
  readonly mayPass?: (text: string) => boolean
  readonly line?: LineBegin | undefined
  readonly where?: Predicate | undefined
}

/** Matches documents of which a value passes, unless the search text shows already that none does. */
function ofValues(field: SearchField, passes: (value: unknown) => boolean, sought: Sought): Matching {
  const {strength, contains, mayPass, where, line} = sought
  return {
    ...defined({contains, where, line}),
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

export function exact(field: SearchField, {value, values, caseInsensitive}: Members): Matching {
  const given = values ?? [value]
  if (given.length === 0 || given.length > limits.listValues)
    throw malformed(`'exact' takes 1 to ${limits.listValues} values.`)
  for (const one of given) if (typeof one === 'string') textIn(field, one)
  const literals = given.map((one) => literalFor(field, one))
  const folded = new Set(literals.map((literal) => comparable(field, caseInsensitive ? lowered(literal) : literal)))
  const passes = (found: unknown) => folded.has(comparable(field, caseInsensitive ? lowered(found) : found) as Scalar)
  const [text] = field.hasLines ? field.texts : []
  const lines = text && literals.map((literal) => lineOf(text.words(String(literal)), text.tag))
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
  const mayPass = lines && ((found: string) => hasLine(found, lines))
  const strength = text?.tells === 'identity' ? identical : equal
  const line = lines?.length === 1 ? lines[0] : undefined
  const shown = mayPass ? {mayPass, line} : {}
  return ofValues(field, passes, {strength, contains, where, ...shown})
}

/** The line of a value, and what of it others look for as well. */
const lineOf = (words: readonly string[], tag: string) => ({
  line: textLine(tag, words),
  word: ` ${words[0] ?? ''}`,
  tag: tag.charCodeAt(0),
})

function hasLine(text: string, lines: readonly ReturnType<typeof lineOf>[]): boolean {
  for (const {line, word, tag} of lines) {
    for (const place of placesOf(word, text)) {
      const from = place - lineHead
      const end = from + line.length
      // Most places are in lines of other fields.
      if (text.charCodeAt(place - 1) !== tag || !text.startsWith(line, from)) continue
      if (end === text.length || text.charCodeAt(end) === lineEnd) return true
    }
  }
  return false
}

export function prefix(field: SearchField, {value, caseInsensitive}: Members): Matching {
  const start = textIn(field, value)
  const wanted = caseInsensitive ? start.toLowerCase() : start
  const passes = (found: unknown) =>
    typeof found === 'string' && (caseInsensitive ? found.toLowerCase() : found).startsWith(wanted)
  const [text] = field.texts
  const words = text?.name === 'id' || text?.name === 'dateOfBirth' ? text.words(start) : lettersOf(start)
  const pieces = words.map((word) => ` ${word}`)
  return ofPieces(field, passes, {pieces, strength: begins})
}

/** Characters of a text: of one beyond U+FFFF two units are one. */
type Characters = string | readonly string[]

const hasPairs = (text: string): boolean => /[\ud800-\udfff]/.test(text)

/** A piece of a pattern between two `*`. */
interface Piece {
  readonly length: number
  /** The characters that are given, by their places; `?` stands for any. */
  readonly given: readonly (readonly [at: number, character: string])[]
}

const pieceOf = (text: string): Piece => {
  const characters = hasPairs(text) ? [...text] : text
  const given: [at: number, character: string][] = []
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] as string
    if (character !== '?') given.push([at, character])
  }
  return {length: characters.length, given}
}

function standsAt(text: Characters, at: number, {given}: Piece): boolean {
  for (const [offset, character] of given) if (text[at + offset] !== character) return false
  return true
}

/** Whether a text fits: `*` stands for any characters, `?` for one. No piece is looked for before the end of the one before it. */
function patternOf(pattern: string): (text: string) => boolean {
  const [first, ...between] = pattern.split('*').map(pieceOf) as [Piece, ...Piece[]]
  const last = between.pop()
  return (text) => {
    const characters = hasPairs(text) ? [...text] : text
    if (!last) return characters.length === first.length && standsAt(characters, 0, first)
    const end = characters.length - last.length
    if (end < first.length || !standsAt(characters, 0, first) || !standsAt(characters, end, last)) return false
    let at = first.length
    for (const piece of between) {
      while (at + piece.length <= end && !standsAt(characters, at, piece)) at += 1
      at += piece.length
      if (at > end) return false
    }
    return true
  }
}

export function wildcard(field: SearchField, {value, caseInsensitive}: Members): Matching {
  const given = textIn(field, value)
  const hasFit = patternOf(caseInsensitive ? given.toLowerCase() : given)
  const passes = (found: unknown) => typeof found === 'string' && hasFit(caseInsensitive ? found.toLowerCase() : found)
  const pieces = [...new Set(given.split(/[*?]+/))].flatMap(lettersOf)
  return ofPieces(field, passes, {pieces, strength: fits})
}

function ofPieces(
  field: SearchField,
  passes: (value: unknown) => boolean,
  {pieces, ...sought}: {readonly pieces: readonly string[]; readonly strength: number},
): Matching {
  const tags = tagsOf(field.texts)
  const [first, ...others] = pieces
  /** Looks at each line with the first piece once. */
  const mayPass = (text: string): boolean => {
    if (!field.hasLines || first === undefined) return true
    let end = 0
    for (const at of placesOf(first, text)) {
      if (at < end) continue
      const from = text.lastIndexOf('\n', at) + 1
      end = text.indexOf('\n', at)
      if (end < 0) end = text.length
      if (!tags[text.charCodeAt(from)]) continue
      const line = text.slice(from, end)
      if (others.every((piece) => line.includes(piece))) return true
    }
    return false
  }
  const shown = {contains: containsPieces(field, pieces), mayPass}
  return ofValues(field, passes, {...sought, ...shown})
}

const bounds = {gte: '>=', gt: '>', lte: '<=', lt: '<'} as const satisfies Record<string, Comparison>

export function range(field: SearchField, members: Members): Matching {
  if (field.shape.leaf === 'boolean' || field.shape.leaf === 'string') {
    throw malformed(`'range' is for numbers, dates and times, which '${field.name}' is not.`)
  }
  const given = Object.entries(bounds).flatMap(([name, comparison]) => {
    const bound = members[name as keyof typeof bounds]
    return bound === undefined ? [] : [{comparison, value: literalFor(field, bound)}]
  })
  if (given.length === 0) throw malformed("'range' takes one of gte, gt, lte and lt.")
  const passes = (found: unknown) =>
    given.every(({comparison, value}) => {
      const [own, bound] = [comparable(field, found), comparable(field, value)]
      return typeof own === typeof bound && holdsFor[comparison](compareKeys(own, bound))
    })
  const where = field.predicate?.((at) => ({
    op: 'and',
    terms: given.map((one) => ({op: 'compare', field: at, ...one})),
  }))
  return ofValues(field, passes, {strength: fits, where})
}

export const exists = (field: SearchField, _: Members): Matching => ofValues(field, () => true, {strength: fits})
