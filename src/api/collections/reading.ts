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
import {documentBy, missing, pageOf, repliedPage} from '../operation/read.js'

/** Read-only operations on referenced collections, which are stored as seeded (decision 35). */

/** Seeded resources are shown as they came: beside id and version they may have any members. */
export const ResourceReply = v.looseObject({
  id: v.string(),
  version: v.number(),
}) as unknown as v.GenericSchema<Document>

/** The part of a collection that exists for a caller: both members describe the same documents. */
export interface Visibility {
  readonly where: Predicate | undefined
  readonly has: (document: Document) => boolean
}

/** The resource of a collection, or of a part of it, by id or key. Throws ResourceNotFound. */
export async function documentOf(
  context: Context,
  {typeId, label}: Pick<Collection, 'typeId' | 'label'>,
  name: Name,
  visible?: Visibility,
): Promise<Document> {
  const found = await documentBy<Document>(context, typeId, name)
  if (found && (visible?.has(found) ?? true)) return found
  throw missing(label, name)
}

/** How a collection, or a part of it, is read. */
export interface ReadAccess {
  readonly collection: Collection
  readonly area: string
  readonly path: string
  /** In the ids of the operations: `getCartById`. */
  readonly label: string
  readonly permission: Permission
  /** Whether it can be read below a store as well. */
  readonly inStore?: true
  /** What exists for the caller. Absent: everything. */
  readonly visible?: (context: Context) => Visibility
}

/** The reading operations of a collection or a part of it. */
export function readingOf(view: ReadAccess): AnyOperation[] {
  const {collection, label, path, area, permission, visible} = view
  const {segment, shape, typeId} = collection
  const lower = label.charAt(0).toLowerCase() + label.slice(1)
  const shared = {area, path, permission, ...defined({inStore: view.inStore})} as const
  const [byId, byKey] = byIdAndKey<string, undefined, Document>({
    ...shared,
    id: `get${label}`,
    head: `${lower}Exists`,
    method: 'GET',
    summary: `read one of the ${segment}`,
    query: ['expand'],
    reply: ResourceReply,
    handle: (context, name) => documentOf(context, collection, name, visible?.(context)),
  })
  const filter = label === collection.label ? deprecatedFilterOf(typeId) : undefined
  const query = operation({
    ...shared,
    id: `query${label.replace(/y$/, 'ie')}s`,
    head: `${lower}ExistsByQuery`,
    method: 'GET',
    summary: `find ${segment} by predicates`,
    query: ['where', 'sort', 'expand', 'limit', 'offset', 'withTotal', 'var.*', ...(filter ? [filter.parameter] : [])],
    ...(filter ? {deprecations: [deprecatedFilterUse(filter)]} : {}),
    reply: pageOf(ResourceReply),
    handle: async (context, {query: asked}) => {
      const where = allOf(visible?.(context).where, await deprecatedlyOnly(filter, context, asked))
      return await repliedPage<Document>(context, typeId, shape, asked, where)
    },
  })
  return [byId, byKey, query]
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
    }),
  )
