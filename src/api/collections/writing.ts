import {writables} from '../../domain/collections/index.js'
import type {Resource, WritableCollection} from '../../domain/collections/writable.js'
import {ApiError} from '../../domain/errors.js'
import type {Project} from '../../domain/project/project.js'
import {either, names} from '../../query/predicates.js'
import {REALM} from '../../store/store.js'
import {byIdAndKey, type Name} from '../operation/by-id-and-key.js'
import {changed, taking} from '../operation/change.js'
import {collections, ownCollection} from '../operation/collection-table.js'
import {commit, projectRequired, putOf, revised} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {factsFor} from '../operation/facts.js'
import {type AnyOperation, operation} from '../operation/operation.js'
import {checkVersion, versionOf} from '../operation/parameters.js'
import {retrying} from '../operation/retrying.js'
import {fieldNames} from '../operation/stored-kinds.js'
import {documentOf, ResourceReply} from './reading.js'
import {agreedNames, dropValues} from './type-fields.js'

/** The writing operations of the collections that can be written (decision 35). */

const area = 'Collections'

const typeReads = Object.fromEntries(
  collections
    .filter(({references}) => references?.['type'])
    .map(({typeId}) => [typeId, 'what has a value of a lost field is read again, and expected']),
)

/** Works on the project as the request found it, and again on the one that is there by then if the commit required another. */
function onProject<T>(context: Context, work: (context: Context) => Promise<T>): Promise<T> {
  const {runtime, project} = context
  let current: Project | undefined = project
  return retrying(async () => {
    current ??= await runtime.state.get<Project>(REALM, 'project', project.id)
    const worked = work({...context, project: current ?? project})
    current = undefined
    return worked
  }, ['project', fieldNames])
}

async function create<R extends Resource, D>(
  context: Context,
  collection: WritableCollection<R, D>,
  draft: D,
): Promise<R> {
  const {typeId, messages} = collection
  const facts = await factsFor(context, collection.references(draft))
  const base = {id: context.runtime.secrets.uuid(), version: 1, createdAt: facts.now, lastModifiedAt: facts.now}
  const resource = {...base, ...collection.membersOf(draft, facts)} as R
  const created = messages ? [{...messages.created(resource), resourceVersion: 1}] : []
  const revision = revised(context, typeId, resource, created)
  const put = putOf(typeId, 0, revision.resource)
  const required = [...facts.required, ...projectRequired(context, typeId, resource)]
  const checked = typeId === 'type' ? await agreedNames(context, resource) : []
  await commit(context, revision.resource, [...required, ...checked, put, ...revision.messages])
  return revision.resource
}

/** Throws ReferenceExists if a resource of any kind refers to this one, by the paths that its row declares. */
async function checkUnreferenced({runtime, project}: Context, typeId: string, {id, key}: Resource) {
  for (const {typeId: kind, references} of collections) {
    const terms = (references?.[typeId] ?? []).flatMap((path) => {
      const name = path.endsWith('.key') ? key : id
      return name === undefined ? [] : [names(path, name)]
    })
    if (terms.length === 0) continue
    const {results} = await runtime.state.query(project.key, kind, {where: either(...terms), limit: 1, offset: 0})
    if (results.length > 0) throw ApiError.of('ReferenceExists', {typeId, referencedBy: kind})
  }
}

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
  const isType = collection.typeId === 'type'
  const otherTypes = {type: 'changes that bring fields exclude each other'}
  const table = ownCollection(collection.typeId)
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
      unexpected: isType ? otherTypes : {},
      ...(messages ? {messages: [`${label}Created`]} : {}),
      handle: (context, {body}) => onProject(context, (current) => create(current, collection, body)),
    }),
    ...byIdAndKey({
      ...shared,
      id: `update${label}`,
      method: 'POST',
      path,
      summary: `change one of the ${segment} by update actions`,
      query: ['expand'],
      ...taking(actions),
      unexpected: isType ? {...typeReads, ...otherTypes} : {},
      handle: (given, name, {body}) =>
        onProject(given, async (context) => {
          const before = await named(context, name)
          if (!isType) return changed(context, collection.typeId, before, body)
          const beside = (next: R) => agreedNames(context, next, before)
          const after = await changed(context, collection.typeId, before, body, {beside})
          if (after !== before) await dropValues(context, before, after)
          return after
        }),
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
