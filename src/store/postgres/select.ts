import {callerGone} from '../../domain/errors.js'
import {isoTimeOf} from '../../domain/iso-time.js'
import type {Predicate, SortKey} from '../../query/ast.js'
import {equalities, isMember, momentsOf} from '../../query/index-hints.js'
import {orderToSql, toSql} from '../../query/to-sql.js'
import type {Facets, Page, QueryResult} from '../store.js'
import type {Row, Run, Statement} from './connection/connections.js'
import {ofKind} from './documents.js'
import {facetExpression, indexedPart} from './schema/schema.js'
import * as sql from './schema/statements.js'
import {inStoredTerms, storable} from './schema/text-form.js'

/** A condition of SQL with its values: all documents of a kind, or those that match a predicate. */
interface Choice {
  readonly text: string
  readonly values: unknown[]
  /** Whether an index gives the documents, whatever the values are, so that one plan suits all of them. */
  readonly isIndexed: boolean
  /** Whether that index finds few. */
  readonly isSelective: boolean
}

/** Queries that connections prepare, by their text; the first so many that come, since every connection keeps their plans. */
const prepared = new Map<string, Statement>()
const mostPrepared = 50
const longestNamed = 2_000

/** A query as a statement: prepared if one plan suits all its values and there is room. */
function named(text: string, isIndexed: boolean): Statement {
  if (!isIndexed || text.length > longestNamed) return {text}
  const known = prepared.get(text)
  if (known || prepared.size === mostPrepared) return known ?? {text}
  const made = sql.statement(`query_${prepared.size + 1}`, text)
  prepared.set(text, made)
  return made
}

/** Results of a page for which others can wait. */
const shortPage = 20

/** Values whose unique keys are looked up one by one. */
const mostNarrowed = 20

/** A page of the documents of a kind, selected, ordered and counted by the database. */
export class Selection<D> {
  #choice: Choice
  readonly #facets: Facets
  readonly #place: readonly string[]
  readonly #page: Page
  readonly #read: (column: string) => D

  /** `read` makes a result of the text of a document. */
  constructor(facets: Facets, [project, kind]: readonly [string, string], page: Page, read: (column: string) => D) {
    this.#choice = chosen(facets, project, kind, page.where && inStoredTerms(page.where))
    this.#facets = facets
    this.#place = [storable(project), storable(kind)]
    this.#page = page
    this.#read = read
  }

  /**
   * Narrows the choice to the documents that a unique key names, if the predicate implies one: where rows are spread, the
   * node of the key knows them, and an index would be asked on every node.
   */
  async narrow(run: Run): Promise<void> {
    const [, kind = ''] = this.#place
    const known = ofKind(this.#facets, kind) ?? {}
    const {where} = this.#page
    for (const {path, values} of where ? equalities(where) : []) {
      const keyOf = known[path]?.uniqueKey
      if (!keyOf || values.length > mostNarrowed || values.some((value) => typeof value !== 'string')) continue
      const keys = values.map((value) => [...this.#place, storable(keyOf(String(value)))])
      const answers = await Promise.all(keys.flatMap((key) => [run(sql.readUniqueKey, key), run(sql.readSharers, key)]))
      const holders = answers.flatMap(({rows}) => rows.flatMap(([, , holder]) => holder ?? []))
      const {text, values: before} = this.#choice
      this.#choice = {
        ...{isIndexed: false, isSelective: true},
        text: `${text} AND id = ANY ($${before.length + 1}::text[])`,
        values: [...before, holders],
      }
      return
    }
  }

  /** Whether an index finds the few documents that it reads. */
  get isShort(): boolean {
    return this.#choice.isSelective && this.#page.limit <= shortPage
  }

  async read(run: Run): Promise<QueryResult<D>> {
    const {limit, offset, count, where} = this.#page
    // The number of all is at hand: it is asked for together with the page.
    const counting = count && !where ? run(sql.countDocuments, this.#place).then(numberIn) : undefined
    const [found, all] = await Promise.all([this.#documents(run), counting])
    if (!count) return found
    const {results, isCut} = found
    if (this.#page.caller?.isGone()) throw callerGone()
    // A page that is not full is the last one, so that the total is known.
    const isEnd = !isCut && results.length < limit && (results.length > 0 || offset === 0)
    const total = isEnd ? offset + results.length : (all ?? (await matches(run, this.#choice, count.cap)))
    return {...found, total: Math.min(total, count.cap)}
  }

  async #documents(run: Run): Promise<QueryResult<D>> {
    const {sort = [], limit, take} = this.#page
    if (limit === 0) return {results: []}
    const {text, values, isIndexed} = pageStatement(this.#choice, sort, this.#page, this.#orderOf(sort[0]))
    const {rows} = await run(named(text, isIndexed && sort.length === 0), values)
    const bytesOf = ([body, , bytes]: Row): number =>
      typeof body === 'string' ? Buffer.byteLength(body) : Number(bytes)
    const most = take ? rows.findIndex((row, at) => !take(bytesOf(row)) && at > 0) : -1
    const taken = most < 0 ? rows : rows.slice(0, most)
    const bodies = await Promise.all(taken.map(([body, id]) => body ?? this.#long(run, id)))
    const found = bodies.filter((body) => typeof body === 'string')
    // One was removed meanwhile.
    if (found.length < bodies.length) return this.#documents(run)
    return {results: found.map((body) => this.#read(body)), ...(most < 0 ? {} : {isCut: true})}
  }

  /** The order in which an index has what comes first by a sort key. */
  #orderOf(key: SortKey | undefined): string | undefined {
    const [, kind = ''] = this.#place
    const [name] = momentFacets(this.#facets, kind).find(([, member]) => key && isMember(key.field, member)) ?? []
    if (name === undefined) return undefined
    return `${facetExpression(name)} ${key?.direction === 'asc' ? 'ASC NULLS LAST' : 'DESC NULLS FIRST'}`
  }

  async #long(run: Run, id: string | null | undefined): Promise<string | null | undefined> {
    return (await run(sql.getDocument, [...this.#place, id])).rows[0]?.[0]
  }
}

/** The sql.statement that reads one page. */
function pageStatement(
  {text, values, ...choice}: Choice,
  sort: readonly SortKey[],
  {limit, offset}: Page,
  first: string | undefined,
): Choice {
  // Until the database has looked at a table, it takes every condition for one of few rows, and would rather walk all ids
  // in their order than sort what an index finds. An expression is in no index's order.
  const ids = choice.isSelective ? {id: "(id || '')"} : {}
  const order = orderToSql(inStoredTerms(sort), {firstParameter: values.length + 1, ...ids})
  const all = [...values, ...order.values, limit, offset]
  const [most, skipped] = [`$${all.length - 1}`, `$${all.length}`]
  // Moments that are equal stay together, so that the other keys can order them.
  const found = first
    ? `(SELECT * FROM ${text} ORDER BY ${first} FETCH FIRST (${most}::bigint + ${skipped}::bigint) ROWS WITH TIES) AS document`
    : text
  return {
    text: `SELECT ${sql.wholeUnlessLong}, ${sql.longOne} FROM ${found} ORDER BY ${order.text} LIMIT ${most} OFFSET ${skipped}`,
    values: all,
    ...choice,
  }
}

const momentLength = '2026-11-28T15:28:34.000Z'.length

/** The facets that have the moments of a member. */
const momentFacets = (facets: Facets, kind: string): readonly (readonly [facet: string, member: string])[] =>
  Object.entries(ofKind(facets, kind) ?? {}).flatMap(([name, {orders}]) =>
    orders === undefined ? [] : [[name, orders]],
  )

async function matches(run: Run, {text, values, isIndexed}: Choice, cap: number): Promise<number> {
  const bounded = `SELECT 1 FROM ${text} LIMIT $${values.length + 1}`
  return numberIn(await run(named(`SELECT count(*) FROM (${bounded}) AS found`, isIndexed), [...values, cap]))
}

const numberIn = ({rows}: Awaited<ReturnType<Run>>): number => Number(rows[0]?.[0] ?? 0)

function chosen(facets: Facets, project: string, kind: string, where: Predicate | undefined): Choice {
  const values: unknown[] = [storable(project), storable(kind)]
  const terms = ['project = $1', 'kind = $2']
  let isIndexed = !where
  let isSelective = false
  if (where) {
    const known = ofKind(facets, kind) ?? {}
    // What the predicate implies and an index serves; a facet with the name of a member serves that member.
    for (const {path, values: equal} of equalities(where)) {
      const texts = equal.filter((value) => typeof value === 'string').map(indexedPart)
      if (!Object.hasOwn(known, path) || texts.length < equal.length) continue
      isIndexed = true
      isSelective ||= !known[path]?.isCommon
      terms.push(`${facetExpression(path)} = ANY ($${values.push(texts)}::text[])`)
    }
    for (const [name, member] of momentFacets(facets, kind)) {
      const {from, until} = momentsOf(where, member)
      for (const [operator, at] of [['>=', from] as const, ['<=', until] as const]) {
        // A year of more digits would be in another order.
        const moment = isoTimeOf(at)
        if (moment?.length === momentLength)
          terms.push(`${facetExpression(name)} ${operator} $${values.push(moment)}::text`)
      }
    }
    const whole = toSql(where, {firstParameter: values.length + 1})
    values.push(...whole.values)
    terms.push(`(${whole.text})`)
  }
  return {text: `frontdesk.document WHERE ${terms.join(' AND ')}`, values, isIndexed, isSelective}
}
