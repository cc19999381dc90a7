import type {Predicate, SortKey} from '../../query/ast.js'
import {equalities} from '../../query/index-hints.js'
import {orderToSql, type SqlColumns, toSql} from '../../query/to-sql.js'
import type {Document, Facets, Found, Page} from '../store.js'
import type {Run} from './connection/connections.js'
import {frozenDocument} from './frozen-document.js'
import {facetExpression, indexedPart} from './schema/schema.js'
import {countDocuments, whole} from './schema/statements.js'
import {inStoredTerms, storable} from './schema/text-form.js'

/** A condition of SQL with its values: all documents of a kind, or those that match a predicate. */
interface Choice {
  readonly text: string
  readonly values: unknown[]
  /** Whether an index gives the documents, whatever the values are, so that one plan suits all of them. */
  readonly isIndexed: boolean
}

/** Queries that connections prepare, by their text; the first so many that come, since every connection keeps their plans. */
const names = new Map<string, string>()
const mostNames = 50
const longestNamed = 2_000

/** A query as a statement: prepared if one plan suits all its values and there is room. */
function named(text: string, isIndexed: boolean): {readonly name?: string; readonly text: string} {
  if (!isIndexed || text.length > longestNamed) return {text}
  const known = names.get(text)
  if (known === undefined && names.size === mostNames) return {text}
  const name = known ?? `frontdesk_query_${names.size + 1}`
  names.set(text, name)
  return {name, text}
}

const columns = (values: readonly unknown[]): SqlColumns => ({
  doc: 'doc',
  facets: 'facets',
  id: 'id',
  firstParameter: values.length + 1,
})

/** One page of the documents of a kind, selected, ordered and counted by the database. */
export async function select(
  run: Run,
  facets: Facets,
  project: string,
  kind: string,
  page: Page,
): Promise<Found<Document>> {
  const {limit, offset, count} = page
  const where = page.where && inStoredTerms(page.where)
  const choice = chosen(facets, project, kind, where)
  // The number of all is at hand: it is asked for together with the page.
  const all = count && !where ? run(countDocuments, [storable(project), storable(kind)]).then(numberIn) : undefined
  const reading = limit > 0 ? documents(run, choice, page.sort ?? [], page) : []
  const [results, ofAll] = await Promise.all([reading, all])
  if (!count) return {results}
  // A page that is not full is the last one, so that the total is known.
  const isEnd = results.length < limit && (results.length > 0 || offset === 0)
  const total = isEnd ? offset + results.length : (ofAll ?? (await counted(run, choice, count.cap)))
  return {results, total: Math.min(total, count.cap)}
}

/** The statement that reads one page. */
function pageStatement({text, values, isIndexed}: Choice, sort: readonly SortKey[], {limit, offset}: Page): Choice {
  const order = orderToSql(inStoredTerms(sort), columns(values))
  const all = [...values, ...order.values, limit, offset]
  const part = `LIMIT $${all.length - 1} OFFSET $${all.length}`
  return {text: `SELECT ${whole} FROM ${text} ORDER BY ${order.text} ${part}`, values: all, isIndexed}
}

async function documents(run: Run, choice: Choice, sort: readonly SortKey[], page: Page): Promise<Document[]> {
  const {text, values, isIndexed} = pageStatement(choice, sort, page)
  const {rows} = await run(named(text, isIndexed && sort.length === 0), values)
  return rows.map(([doc]) => frozenDocument(doc ?? ''))
}

async function counted(run: Run, {text, values, isIndexed}: Choice, cap: number): Promise<number> {
  const bounded = `SELECT 1 FROM ${text} LIMIT $${values.length + 1}`
  return numberIn(await run(named(`SELECT count(*) FROM (${bounded}) AS found`, isIndexed), [...values, cap]))
}

const numberIn = ({rows}: Awaited<ReturnType<Run>>): number => Number(rows[0]?.[0] ?? 0)

function chosen(facets: Facets, project: string, kind: string, where: Predicate | undefined): Choice {
  const values: unknown[] = [storable(project), storable(kind)]
  const terms = ['project = $1', 'kind = $2']
  let isIndexed = !where
  if (where) {
    const names = Object.hasOwn(facets, kind) ? Object.keys(facets[kind] ?? {}) : []
    const served = candidates(names, where, values)
    isIndexed = served.length > 0
    terms.push(...served)
    const condition = toSql(where, columns(values))
    values.push(...condition.values)
    terms.push(`(${condition.text})`)
  }
  return {text: `frontdesk.document WHERE ${terms.join(' AND ')}`, values, isIndexed}
}

/** Conditions that the predicate implies and an index serves; a facet with the name of a member serves that member. */
function candidates(names: readonly string[], where: Predicate, values: unknown[]): string[] {
  return equalities(where).flatMap(({path, values: wanted}) => {
    const texts = wanted.filter((value) => typeof value === 'string').map(indexedPart)
    if (!names.includes(path) || texts.length < wanted.length) return []
    values.push(texts.length === 1 ? texts[0] : texts)
    const place = `$${values.length}`
    return [`${facetExpression(path)} = ${texts.length === 1 ? `${place}::text` : `ANY (${place}::text[])`}`]
  })
}
