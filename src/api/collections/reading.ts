import * as v from 'valibot'
import {defined} from '../../domain/equal.js'
import type {Predicate} from '../../query/ast.js'
import {allOf} from '../../query/predicates.js'
import type {Document} from '../../store/store.js'
import {byIdAndKey, type Name} from '../operation/by-id-and-key.js'
import {type Collection, collections} from '../operation/collection-table.js'
import type {Context} from '../operation/context.js'
import {deprecatedFilterOf, deprecatedFilterUse, deprecatedlyOnly} from '../operation/deprecated-filters.js'
import {type AnyOperation, operation, type Permission} from '../operation/operation.js'
import {documentBy, missing, type PagedResult, page, pageOf, textOf} from '../operation/read.js'
import {priceSelection} from './price-selection.js'

/** What reads collections. Those that are not written here are stored as seeded (decision 35). */

/** Seeded resources are shown as they came: beside id and version they may have any members. */
export const ResourceReply = v.looseObject({
  id: v.string(),
  version: v.number(),
}) as unknown as v.GenericSchema<Document>

/** The part of a collection that exists for a caller: both members describe the same documents. */
export interface Visibility<R extends Document = Document> {
  /** Absent: all of them exist. */
  readonly where: Predicate | undefined
  readonly has: (document: R) => boolean
  /** What hides the others, for the request log. */
  readonly because?: 'store'
}

/** The resource of a collection, or of a part of it, by id or key. Throws ResourceNotFound. */
export async function documentOf<R extends Document>(
  context: Context,
  {typeId, label}: Pick<Collection, 'typeId' | 'label'>,
  name: Name,
  visible?: Visibility<R>,
): Promise<R> {
  const found = await documentBy<R>(context, typeId, name)
  if (found && (visible?.has(found) ?? true)) return found
  throw missing(label, name, found && visible?.because)
}

export interface ReadAccess<P extends string, R extends Document> {
  readonly collection: Collection
  readonly area: string
  readonly path: P
  /** In the ids of the operations: `getCartById`. */
  readonly label: string
  /** In summaries: one of its resources, and several of them. Absent: the path segment says it. */
  readonly things?: readonly [one: string, many: string]
  readonly permission: Permission
  readonly reply: v.GenericSchema<R>
  readonly inStore?: true
  readonly visible?: (context: Context) => Visibility<R>
  readonly selecting?: typeof priceSelection
}

/** The reading operations of a collection or a part of it: by id, by key, and by predicates. */
export function readingOf<const P extends string, R extends Document>(access: ReadAccess<P, R>) {
  const {collection, label, path, area, permission, reply, visible, selecting} = access
  const {segment, shape, typeId} = collection
  const [one, many] = access.things ?? [`one of the ${segment}`, segment]
  const lower = label.charAt(0).toLowerCase() + label.slice(1)
  const shared = {area, path, permission, method: 'GET', ...defined({inStore: access.inStore})} as const
  const [byId, byKey] = byIdAndKey<P, undefined, R>({
    ...shared,
    id: `get${label}`,
    head: `${lower}Exists`,
    summary: `read ${one}`,
    query: ['expand', ...(selecting?.parameters ?? [])],
    reply,
    handle: async (context, name, {query}) => {
      const part = visible?.(context)
      const select = selecting?.of(context, query)
      if (select) return select(await documentOf(context, collection, name, part))
      const text = part?.where ? undefined : textOf<R>(context, typeId, name, query)
      const shown = text instanceof Promise ? await text : text
      return shown ?? documentOf(context, collection, name, part)
    },
  })
  const filter = label === collection.label ? deprecatedFilterOf(typeId) : undefined
  const query = operation<P, undefined, PagedResult<R>>({
    ...shared,
    id: `query${label.replace(/y$/, 'ie')}s`,
    head: `${lower}ExistsByQuery`,
    summary: `find ${many} by predicates`,
    query: [
      ...['where', 'sort', 'expand', 'limit', 'offset', 'withTotal', 'var.*'],
      ...(filter ? [filter.parameter] : []),
      ...(selecting?.parameters ?? []),
    ],
    ...(filter ? {deprecations: [deprecatedFilterUse(filter)]} : {}),
    reply: pageOf(reply),
    handle: async (context, request) => {
      const deprecated = filter && (await deprecatedlyOnly(filter, context, request.query))
      const only = allOf(visible?.(context).where, deprecated)
      const {query} = request
      return page<R>(context, {kind: typeId, shape, query, only, asTexts: true, shown: selecting?.of(context, query)})
    },
  })
  return [byId, byKey, query] as const
}

/** Read elsewhere, where they exist for some callers in part: customers, and carts below stores. */
const elsewhere: ReadonlySet<string> = new Set(['customer', 'cart'])

export const readingOperations: readonly AnyOperation[] = collections
  .filter(({typeId}) => !elsewhere.has(typeId))
  .flatMap((collection) =>
    readingOf({
      collection,
      area: 'Collections',
      path: `/{projectKey}/${collection.segment}`,
      label: collection.label,
      permission: {kind: 'bearer', anyOf: collection.view},
      reply: ResourceReply,
      ...(collection.typeId === 'product' ? {selecting: priceSelection} : {}),
    }),
  )
