import * as v from 'valibot'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {jsonOf} from '../../domain/json-text.js'
import type {CustomShapes, Predicate, Shape} from '../../query/ast.js'
import {type ExpandBudget, expandAll, parseExpand, type Reference, referenceKey} from '../../query/expand.js'
import {type PageParams, parsePage, readVars} from '../../query/page.js'
import {parseWhere} from '../../query/parser.js'
import {allOf, either, is, isAbsent} from '../../query/predicates.js'
import {QueryError} from '../../query/query-error.js'
import {parseSort} from '../../query/sort.js'
import type {Document, QueryResult} from '../../store/store.js'
import {withCustomShapes} from '../documents/custom-shapes.js'
import type {Name} from './by-id-and-key.js'
import {type Collection, collectionOf} from './collection-table.js'
import type {Context} from './context.js'
import type {AnyOperation, Query} from './operation.js'
import {opens} from './permit.js'

const texts = (query: Query, name: string): readonly string[] => query.get(name) ?? []

export const documentBy = <D extends Document>(
  {runtime, project}: Context,
  kind: string,
  name: Name,
): Promise<D | undefined> =>
  'id' in name
    ? runtime.state.get<D>(project.key, kind, name.id)
    : runtime.state.find<D>(project.key, kind, `key:${name.key}`)

/** `because` is for the request log alone. */
export const missing = (label: string, name: Name, because?: 'store'): ApiError => {
  const message = `The ${label} with ${'id' in name ? `ID '${name.id}'` : `key '${name.key}'`} was not found.`
  return ApiError.of('ResourceNotFound', {message, ...defined({because})})
}

/** Whether a store's caller may see a document: one of its store, or of none (decision 27). */
export function isVisible(document: object, storeKey: string | undefined): boolean {
  if (storeKey === undefined) return true
  const {store, stores} = document as {store?: {key?: string}; stores?: readonly {key: string}[]}
  if (store !== undefined) return store.key === storeKey
  return stores === undefined || stores.length === 0 || stores.some(({key}) => key === storeKey)
}

/** The same as a predicate, for kinds whose documents have one store; undefined where no store hides any. */
export const visibleIn = ({storeKey}: Context): Predicate | undefined =>
  storeKey === undefined ? undefined : either(isAbsent('store'), is(['store', 'key'], storeKey))

/** The ids of the customers or sessions that own a document; a business unit belongs to its associates. */
function ownersOf({typeId, owner}: Collection, document: Document): readonly unknown[] {
  if (owner === 'itself') return [document.id]
  const {customer, customerId, anonymousId, associates} = document as Owned
  const owners = [customer?.id, customerId, anonymousId].filter((id) => id !== undefined)
  return associates ? [...owners, typeId, ...associates.map((associate) => associate.customer?.id)] : owners
}

interface Owned {
  readonly customer?: {readonly id?: unknown}
  readonly customerId?: unknown
  readonly anonymousId?: unknown
  readonly associates?: readonly Owned[]
}

/**
 * Whether an expanded reference may show this document, or another document copy from it: the caller's scopes must permit
 * reading it, and a caller bound to a customer or session sees only own documents and reference data (decision 17).
 */
export function maySee({principal, project, storeKey}: Context, typeId: string, document: Document): boolean {
  const collection = collectionOf(typeId)
  if (!collection || principal.kind !== 'bearer' || !isVisible(document, storeKey)) return false
  const {view, describes, owner} = collection
  // What belongs to the whole project takes a scope and a token of the whole project.
  const ofProject = owner === 'project'
  const target = defined({projectKey: project.key, storeKey: ofProject ? undefined : storeKey})
  const isReadable = !(ofProject && principal.storeKey !== undefined) && opens({anyOf: view}, principal.scopes, target)
  const bound = principal.customerId ?? principal.anonymousId
  if (bound === undefined) return isReadable
  const owners = ownersOf(collection, document)
  return owners.length === 0 ? isReadable || describes === true : owners.includes(bound)
}

const load = (context: Context) => async (references: readonly Reference[]) => {
  const {runtime, project} = context
  const found = new Map<string, object>()
  const loading = references.map(async (reference) => {
    const document = await runtime.state.get<Document>(project.key, reference.typeId, reference.id)
    if (document && maySee(context, reference.typeId, document)) found.set(referenceKey(reference), document)
  })
  await Promise.all(loading)
  return found
}

const expandBudget = ({budget}: Context): ExpandBudget => ({
  bytesOf: (document) => jsonOf(document).bytes.length,
  fits: (bytes, references) => budget.fits(bytes, references),
  hasRoom: (bytes, references) => budget.hasRoom(bytes, references),
  pause: budget.pause,
})

/**
 * Adds `obj` to the references of a body that `expand` names; undefined if nothing is to be expanded, and for pages,
 * which expand what fits. Parses the paths at once, so that an ill-formed one is refused before anything is stored.
 * Throws QueryError for a document that is too large with its references; after a write, it leaves them out.
 */
export function expansionOf(
  context: Context,
  {method, query: declared = []}: AnyOperation,
  query: Query,
): ((body: object) => Promise<object>) | undefined {
  if (!query.has('expand') || !declared.includes('expand') || declared.includes('limit')) return undefined
  const paths = parseExpand(texts(query, 'expand'))
  return async (body) => {
    try {
      const {results} = await expandAll([body], paths, load(context), expandBudget(context))
      return results[0] ?? body
    } catch (error) {
      if (error instanceof QueryError && method !== 'GET') return body
      throw error
    }
  }
}

/** The texts that a reply may hold: only documents that are shown whole to a caller who may see all of them. */
const textsFor = ({runtime, takesTexts}: Context, query: Query) =>
  takesTexts && !query.has('expand') ? runtime.state.texts : undefined

/** The stored text of a document, for a reply that shows it whole; undefined if the reply needs its members. */
export function textOf<D extends object>(
  context: Context,
  kind: string,
  name: Name,
  query: Query,
): D | undefined | Promise<D | undefined> {
  const texts = textsFor(context, query)
  const {key} = context.project
  const text = 'id' in name ? texts?.get(key, kind, name.id) : texts?.find(key, kind, `key:${name.key}`)
  return text as D | undefined | Promise<D | undefined>
}

export const pageOf = <R>(schema: v.GenericSchema<R>) =>
  v.object({
    limit: v.number(),
    offset: v.number(),
    count: v.number(),
    total: v.exactOptional(v.number()),
    results: v.array(schema),
  }) as unknown as v.GenericSchema<PagedResult<R & {id: string; version: number}>>

export interface PagedResult<D> {
  readonly limit: number
  readonly offset: number
  readonly count: number
  readonly total?: number
  readonly results: readonly D[]
}

/** The maximum total that a query with a predicate counts up to (decision 18). */
export const maxTotal = 10_000

interface PageRequest {
  /** Absent: the project of the request. */
  readonly space?: string
  readonly kind: string
  readonly shape: Shape
  readonly query: Query
  /** What the documents match beside the predicates of the request. */
  readonly only?: Predicate | undefined
  /** For a reply that nobody looks into: the documents may be texts. */
  readonly asTexts?: true
  readonly shown?: ((document: Document) => Document) | undefined
}

/** A page of documents. Throws QueryError for ill-formed parameters. */
export async function page<D extends Document>(
  context: Context,
  {space = context.project.key, kind, shape, query, only, asTexts, shown}: PageRequest,
): Promise<PagedResult<D>> {
  const {runtime, budget} = context
  const source = (asTexts && !shown && textsFor(context, query)) || runtime.state
  const paged = parsePage(query)
  const {limit, offset, withTotal} = paged
  const [predicates, keys] = [texts(query, 'where'), texts(query, 'sort')]
  const paths = parseExpand(texts(query, 'expand'))
  const take = (bytes: number) => budget.fits(bytes)
  const reading = withCustomShapes(context, [...predicates, ...keys], (custom?: CustomShapes) => {
    const asked = parseWhere(predicates, shape, readVars(query), custom)
    const sort = parseSort(keys, shape, paged, custom)
    const cap = asked ? maxTotal : Number.MAX_SAFE_INTEGER
    const where = allOf(asked, only)
    const wanted = {sort, limit, offset, take, caller: budget, ...(where && {where}), ...(withTotal && {count: {cap}})}
    return source.query(space, kind, wanted) as QueryResult<D> | Promise<QueryResult<D>>
  })
  const read = reading instanceof Promise ? await reading : reading
  const found = shown ? {...read, results: read.results.map(shown) as unknown as readonly D[]} : read
  if (paths.length === 0) return pagedResult(paged, found)
  budget.again()
  const {results, isCut} = await expandAll(found.results, paths, load(context), expandBudget(context))
  return pagedResult(paged, {...found, results, ...(isCut ? {isCut} : {})})
}

/** A page that ended early names the number of its results as its `limit`: the next one begins behind them. */
const pagedResult = <D>({limit, offset}: PageParams, {results, total, isCut}: QueryResult<D>): PagedResult<D> => ({
  limit: isCut ? results.length : limit,
  offset,
  count: results.length,
  ...(total !== undefined && {total}),
  results,
})
