import {writables} from '../../domain/collections/index.js'
import type {Resource, WritableCollection} from '../../domain/collections/writable.js'
import {ApiError} from '../../domain/errors.js'
import {either, names} from '../../query/predicates.js'
import {byIdAndKey, type Name} from '../operation/by-id-and-key.js'
import {foldedOver, taking, type Update} from '../operation/change.js'
import {collectionOf, collections} from '../operation/collection-table.js'
import {commit, putOf, revised} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {factsFor} from '../operation/facts.js'
import {type AnyOperation, operation} from '../operation/operation.js'
import {checkVersion, versionOf} from '../operation/parameters.js'
import {dropValues} from './field-removal.js'
import {documentOf, ResourceReply} from './reading.js'

/** The writing operations of the collections that can be written (decision 35). */

const area = 'Collections'

/** What a change means for other resources, once it is stored: by type id. */
const consequences: ReadonlyMap<string, (context: Context, before: never, after: never) => Promise<void>> = new Map([
  ['type', dropValues],
])

async function create<R extends Resource, D>(
  context: Context,
  collection: WritableCollection<R, D>,
  draft: D,
): Promise<R> {
  const {typeId, messages} = collection
  const facts = await factsFor(context, collection.references(draft))
  const base = {id: context.platform.secrets.uuid(), version: 1, createdAt: facts.now, lastModifiedAt: facts.now}
  const resource = {...base, ...collection.membersOf(draft, facts)} as R
  const created = messages ? [{...messages.created(resource), resourceVersion: 1}] : []
  const revision = revised(context, typeId, resource, created)
  const put = putOf(typeId, 0, revision.resource)
  await commit(context, revision.resource, [...facts.required, put, ...revision.messages])
  return revision.resource
}

/** Folds the actions over a resource and commits it with its messages; without a change nothing is written (decision 6). */
async function change<R extends Resource>(
  context: Context,
  collection: WritableCollection<R>,
  before: R,
  update: Update<R>,
): Promise<R> {
  const {next, messages, required} = await foldedOver(context, before, update)
  if (next === before) return before
  const {resource, messages: stored} = revised(context, collection.typeId, next, messages)
  await commit(context, resource, [...required, putOf(collection.typeId, before.version, resource), ...stored])
  await consequences.get(collection.typeId)?.(context, before as never, resource as never)
  return resource
}

/** Throws ReferenceExists if a resource of any kind refers to this one, by the paths that its row declares. */
async function checkUnreferenced({platform, project}: Context, typeId: string, {id, key}: Resource) {
  for (const {typeId: kind, references} of collections) {
    const terms = (references?.[typeId] ?? []).flatMap((path) => {
      const name = path.endsWith('.key') ? key : id
      return name === undefined ? [] : [names(path, name)]
    })
    if (terms.length === 0) continue
    const {results} = await platform.state.query(project.key, kind, {where: either(...terms), limit: 1, offset: 0})
    if (results.length > 0) throw ApiError.of('ReferenceExists', {typeId, referencedBy: kind})
  }
}

/** Deletes a resource that nothing refers to. Throws ReferenceExists. */
async function remove<R extends Resource>(context: Context, collection: WritableCollection<R>, resource: R) {
  const {typeId, messages: declared} = collection
  const version = resource.version + 1
  const deleted = declared ? [{...declared.deleted, resourceVersion: version}] : []
  const {messages} = revised(context, typeId, {...resource, version}, deleted)
  const removal = {kind: typeId, expect: resource.version, remove: resource.id}
  await commit(context, resource, [removal, ...messages], async () => {
    await checkUnreferenced(context, typeId, resource)
    return []
  })
}

function writingOf<R extends Resource, D>(collection: WritableCollection<R, D>): AnyOperation[] {
  const {actions, draft, messages} = collection
  const table = collectionOf(collection.typeId)
  if (!table) throw new Error(`${collection.typeId} is not in the table of collections`)
  const {segment, label, view} = table
  const named = async (context: Context, name: Name): Promise<R> => (await documentOf(context, table, name)) as R
  const manage = view.map((scope) => scope.replace(/^view_/, 'manage_'))
  const shared = {area, permission: {kind: 'bearer', anyOf: manage} as const, reply: ResourceReply}
  const path = `/{projectKey}/${segment}`
  return [
    operation<string, D, object>({
      ...shared,
      id: `create${label}`,
      method: 'POST',
      path,
      summary: `add one of the ${segment}`,
      query: ['expand'],
      body: draft,
      success: 201,
      ...(messages ? {messages: [`${label}Created`]} : {}),
      handle: async (context, {body}) => create(context, collection, body),
    }),
    ...byIdAndKey({
      ...shared,
      id: `update${label}`,
      method: 'POST',
      path,
      summary: `change one of the ${segment} by update actions`,
      query: ['expand'],
      ...taking(actions),
      handle: async (context, name, {body}) => change(context, collection, await named(context, name), body),
    }),
    ...byIdAndKey({
      ...shared,
      id: `delete${label}`,
      method: 'DELETE',
      path,
      summary: `delete one of the ${segment} that nothing refers to`,
      query: ['version', 'expand'],
      ...(messages ? {messages: [`${label}Deleted`]} : {}),
      handle: async (context, name, {query}) => {
        const version = versionOf(query)
        const resource = await named(context, name)
        checkVersion(resource, version)
        await remove(context, collection, resource)
        return resource
      },
    }),
  ]
}

export const writingOperations: readonly AnyOperation[] = writables.flatMap(writingOf)
