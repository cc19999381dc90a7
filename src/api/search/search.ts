import {defined} from '../../domain/equal.js'
import {searchText, stampIn, stampOf} from '../../domain/search/search-text.js'
import type {CustomShapes} from '../../query/ast.js'
import {instantOf} from '../../query/instant.js'
import {either, allOf as inAll} from '../../query/predicates.js'
import {QueryError} from '../../query/query-error.js'
import {compareKeys, type Key, type Reader} from '../../query/sort.js'
import type {Candidate, Contains, Ranked, Search} from '../../store/searchable.js'
import type {Document} from '../../store/store.js'
import {limits} from '../../work/limits.js'
import {strengthOfAny} from './alternatives.js'
import {type SearchField, searchField} from './fields.js'
import {allOf, anyOf, type Matching, none} from './full-text.js'
import {malformed, membersOf, type Sorting} from './members.js'
import {simpleExpressions} from './simple.js'
import {kept} from './steps.js'

/** Compiles the request of a search to what stores run. */

export interface SearchRequest {
  readonly query?: unknown
  readonly sort?: readonly Sorting[] | undefined
  readonly limit: number
  readonly offset: number
  readonly groupKeys: ReadonlyMap<string, string>
  readonly custom?: CustomShapes | undefined
}

/** Throws QueryError for an ill-formed request. */
export function customerSearch({query, sort = [], limit, offset, groupKeys, custom}: SearchRequest): Search {
  const compiler = new Compiler(groupKeys, custom)
  const matching = query === undefined ? everybody : compiler.expression(query)
  const sorts = sort.map((one) => compiler.sorting(one))
  const {where, strength} = matching
  const contains = piecesIn(matching.contains) > mostPieces ? undefined : matching.contains
  return {
    ...defined({contains, where}),
    order: [
      ...sorts,
      {read: ({relevance}) => relevance, sign: -1},
      // Of two that are equal the one changed last comes first.
      {read: ({candidate}) => (contains === undefined ? changed(candidate) : stampIn(candidate.text())), sign: -1},
    ],
    limit,
    offset,
    relevance: (candidate) => {
      const relevance = strength(candidate)
      return relevance !== none && sorts.length > 0 && !candidate.document() ? undefined : relevance
    },
  }
}

/** The stamp of a candidate whose document is at hand, without the rest of its text. */
const changed = (candidate: Candidate): string => stampOf(Reflect.get(candidate.document() ?? {}, 'lastModifiedAt'))

/** Beyond so many pieces, looking for them takes longer than ranking every document. */
const mostPieces = 200

function piecesIn(contains: Contains | undefined): number {
  if (typeof contains !== 'object') return 1
  return ('all' in contains ? contains.all : contains.any).reduce((sum, one) => sum + piecesIn(one), 0)
}

/** Every search text has lines. */
const everybody: Matching = {contains: '\n', strength: () => 0, counts: false}

class Compiler {
  readonly #groupKeys: ReadonlyMap<string, string>
  readonly #custom: CustomShapes | undefined
  #count = 0

  constructor(groupKeys: ReadonlyMap<string, string>, custom: CustomShapes | undefined) {
    this.#groupKeys = groupKeys
    this.#custom = custom
  }

  expression(given: unknown): Matching {
    this.#count += 1
    if (this.#count > limits.searchExpressions) {
      throw malformed(`A query has at most ${limits.searchExpressions} expressions.`)
    }
    const names = typeof given === 'object' && given !== null ? Object.keys(given) : []
    const [name] = names
    if (name === undefined || names.length > 1) {
      throw malformed(
        `An expression is an object with one member, not ${names.length === 0 ? 'with none' : names.join(', ')}.`,
      )
    }
    const content: unknown = Reflect.get(given as object, name)
    const compound = Object.hasOwn(compounds, name) ? compounds[name as keyof typeof compounds] : undefined
    if (compound) {
      if (!Array.isArray(content) || content.length === 0) throw malformed(`'${name}' takes a list of expressions.`)
      return compound(content.map((one) => this.expression(one)))
    }
    const simple = simpleExpressions.get(name)
    if (!simple) throw malformed(`There is no expression '${name}'.`)
    const members = membersOf(name, content)
    const field = this.#field(members.field, members.fieldType, members.language)
    if (field.isText && !simple.isFullText) throw malformed(`'${name}' does not take the field '${field.name}'.`)
    const matching = simple.compile(field, members)
    return members.boost === undefined ? matching : boosted(matching, members.boost)
  }

  sorting({field: name, mode, filter, order, ...rest}: Sorting): Reader<Ranked> {
    const sign = order === 'asc' ? 1 : -1
    if (name === 'score') return {read: ({relevance}) => relevance, sign}
    const field = this.#field(name, rest.fieldType, rest.language)
    if (field.isText) throw new QueryError('sort', `The field '${name}' has no order.`)
    const shown = filter === undefined ? documentOf : withElements(name, this.expression(filter))
    const key = kept((candidate) =>
      keyOf(field, field.values(shown(candidate)), mode ?? (order === 'asc' ? 'min' : 'max')),
    )
    return {read: ({candidate}) => key(candidate), sign}
  }

  #field(name: string, fieldType: string | undefined, language: string | undefined): SearchField {
    return searchField(name, {fieldType, language, groupKeys: this.#groupKeys, custom: this.#custom})
  }
}

/** A match is ordered with its document at hand. */
const documentOf = (candidate: Candidate): Document => candidate.document() as Document

function keyOf({shape}: SearchField, values: readonly unknown[], mode: NonNullable<Sorting['mode']>): Key {
  const keys = values
    .map((value) => (shape.leaf === 'datetime' && typeof value === 'string' ? instantOf(value) : (value as Key)))
    .filter((key) => ['string', 'number', 'boolean'].includes(typeof key))
  if (keys.length < 2) return keys[0]
  if (mode === 'min' || mode === 'max') {
    return keys.reduce((best, key) => (compareKeys(key, best) < 0 === (mode === 'min') ? key : best))
  }
  const numbers = keys.filter((key) => typeof key === 'number')
  const sum = numbers.reduce((total, number) => total + number, 0)
  return mode === 'sum' ? sum : sum / numbers.length
}

/** Reads the strength once: a matching is a spread, and V8 gives each a hidden class of its own. */
const boosted = ({strength: plain, ...matching}: Matching, boost: number): Matching => ({
  ...matching,
  strength: (candidate) => {
    const strength = plain(candidate)
    return strength === undefined || strength === none ? strength : strength * boost
  },
})

const strengthsOf = (terms: readonly Matching[], candidate: Candidate) => terms.map(({strength}) => strength(candidate))

const implied = (terms: readonly Matching[]) => {
  const contained = terms.flatMap(({contains}) => contains ?? [])
  const where = inAll(...terms.map(({where}) => where))
  return defined({contains: contained.length > 0 ? allOf(contained) : undefined, where})
}

const compounds = {
  and: (terms: readonly Matching[]): Matching => ({
    ...implied(terms),
    counts: terms.some(({counts}) => counts),
    strength: (candidate) => {
      let [sum, counted, isOpen] = [0, 0, false]
      for (const {strength, counts} of terms) {
        const own = strength(candidate)
        if (own === none) return none
        isOpen ||= own === undefined
        sum += counts ? (own ?? 0) : 0
        counted += Number(counts)
      }
      return isOpen ? undefined : sum / Math.max(counted, 1)
    },
  }),
  or: (terms: readonly Matching[]): Matching => {
    const contained = terms.map(({contains}) => contains)
    const wheres = terms.map(({where}) => where)
    return {
      ...defined({
        contains: contained.every((one) => one !== undefined) ? anyOf(contained) : undefined,
        where: wheres.every((one) => one !== undefined) ? either(...wheres) : undefined,
      }),
      counts: terms.some(({counts}) => counts),
      strength: strengthOfAny(terms),
    }
  },
  not: (terms: readonly Matching[]): Matching => ({
    counts: false,
    strength: (candidate) => {
      const strengths = strengthsOf(terms, candidate)
      if (strengths.some((strength) => strength !== undefined && strength !== none)) return none
      return strengths.includes(undefined) ? undefined : 0
    },
  }),
  filter: (terms: readonly Matching[]): Matching => ({
    ...implied(terms),
    counts: false,
    strength: (candidate) => {
      const strengths = strengthsOf(terms, candidate)
      return strengths.includes(none) ? none : strengths.includes(undefined) ? undefined : 0
    },
  }),
}

/** The document of a candidate with those elements of the list of a field of which each, alone in it, matches. */
export function withElements(name: string, {strength}: Matching): (candidate: Candidate) => Document {
  const [list = ''] = name.split('.')
  return (candidate) => {
    const document = candidate.document() as Document
    const all: unknown = Reflect.get(document, list)
    if (!Array.isArray(all)) return document
    return {...document, [list]: all.filter((element) => strength(alone(document, list, element)) !== none)}
  }
}

function alone(document: Document, list: string, element: unknown): Candidate {
  const one = {...document, [list]: [element]}
  let text: string | undefined
  return {
    id: document.id,
    text: () => {
      text ??= searchText(one)
      return text
    },
    document: () => one,
  }
}
