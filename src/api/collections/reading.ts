import * as v from 'valibot'
import {notFound} from '../../domain/errors.js'
import type {Document} from '../../store/store.js'
import {pageOf} from '../customers/operations.js'
import {byIdAndKey, existence, type Name} from '../operation/by-id-and-key.js'
import {type Collection, collections} from '../operation/collection-table.js'
import type {Context} from '../operation/context.js'
import {deprecatedFilterOf, deprecatedFilterUse, deprecatedlyOnly} from '../operation/deprecated-filters.js'
import {type AnyOperation, operation} from '../operation/operation.js'
import {checkExists, expanded, page} from '../operation/read.js'

/** Read-only operations on referenced collections, which are stored as seeded (decision 35). */

/** Seeded resources are shown as they came: beside id and version they may have any members. */
export const ResourceReply = v.looseObject({
  id: v.string(),
  version: v.number(),
}) as unknown as v.GenericSchema<Document>

/** The resource of a collection by id or key. Throws ResourceNotFound. */
export async function documentOf(context: Context, {typeId, label}: Collection, name: Name): Promise<Document> {
  const {state} = context.platform
  const found =
    'id' in name
      ? await state.get<Document>(context.project.key, typeId, name.id)
      : await state.find<Document>(context.project.key, typeId, `key:${name.key}`)
  if (found) return found
  throw notFound(
    'id' in name
      ? `The ${label} with ID '${name.id}' was not found.`
      : `The ${label} with key '${name.key}' was not found.`,
  )
}

/** The reading operations of one collection. */
function readingOf(collection: Collection): AnyOperation[] {
  const {segment, label, view, shape, typeId} = collection
  const area = 'Collections'
  const permission = {kind: 'bearer', anyOf: [view]} as const
  const path = `/{projectKey}/${segment}`
  const [byId, byKey] = byIdAndKey<string, undefined, Document>({
    id: `get${label}`,
    method: 'GET',
    path,
    summary: `read one of the ${segment}`,
    area,
    permission,
    query: ['expand'],
    success: 200,
    reply: ResourceReply,
    handle: async (context, name, {query}) => ({
      status: 200,
      body: await expanded(context, await documentOf(context, collection, name), query),
    }),
  })
  const filter = deprecatedFilterOf(typeId)
  const lower = label.charAt(0).toLowerCase() + label.slice(1)
  const exists = operation({
    id: `${lower}ExistsByQuery`,
    method: 'HEAD',
    path,
    summary: `tell whether any of the ${segment} satisfies the predicates`,
    area,
    permission,
    query: ['where', 'var.*'],
    success: 200,
    handle: async (context, {query: asked}) => {
      await checkExists(context, typeId, shape, asked)
      return {status: 200}
    },
  })
  const query = operation({
    id: `query${label}s`,
    method: 'GET',
    path,
    summary: `find ${segment} by predicates`,
    area,
    permission,
    query: ['where', 'sort', 'expand', 'limit', 'offset', 'withTotal', 'var.*', ...(filter ? [filter.parameter] : [])],
    ...(filter ? {deprecations: [deprecatedFilterUse(filter)]} : {}),
    success: 200,
    reply: pageOf(ResourceReply),
    handle: async (context, {query: asked}) => ({
      status: 200,
      body: await page<Document>(context, typeId, shape, asked, await deprecatedlyOnly(filter, context, asked)),
    }),
  })
  return [
    byId,
    byKey,
    query,
    existence(`${lower}ExistsById`, byId as never, `tell whether one of the ${segment} exists`),
    existence(`${lower}ExistsByKey`, byKey as never, `tell whether one of the ${segment} exists`),
    exists,
  ]
}

export const readingOperations: readonly AnyOperation[] = collections
  .filter(({typeId}) => typeId !== 'customer')
  .flatMap(readingOf)
