import {writables} from '../../domain/collections/index.js'
import type {Type} from '../../domain/collections/type.js'
import type {Resource, WritableCollection} from '../../domain/collections/writable.js'
import {isObject} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {isoTime} from '../../domain/iso-time.js'
import type {Project} from '../../domain/project/project.js'
import {either, names} from '../../query/predicates.js'
import {type Document, REALM} from '../../store/store.js'
import {byIdAndKey, type Name} from '../operation/by-id-and-key.js'
import {changed, taking} from '../operation/change.js'
import {collections, ownCollection} from '../operation/collection-table.js'
import {commit, projectRequired, putOf, revised} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {factsFor} from '../operation/facts.js'
import {type AnyOperation, operation} from '../operation/operation.js'
import {checkVersion, versionOf} from '../operation/parameters.js'
import {retrying} from '../operation/retrying.js'
import {walked} from '../operation/walk.js'
import {documentOf, ResourceReply} from './reading.js'

/** The writing operations of the collections that can be written (decision 35). */

const area = 'Collections'

/** What becomes of the values of custom fields whose definition was removed (decision 35). */

const namesIn = ({fieldDefinitions = []}: Type): readonly string[] => fieldDefinitions.map(({name}) => name)

/** A tree of JSON without the values of some fields of a type; the same tree if it has none of them. */
function without(value: unknown, typeId: string, names: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const next = value.map((entry: unknown) => without(entry, typeId, names))
    return next.every((entry, at) => entry === value[at]) ? value : next
  }
  if (!isObject(value)) return value
  const {type, fields} = value
  if (isObject(type) && type['id'] === typeId && isObject(fields)) {
    const kept = Object.entries(fields).filter(([name]) => !names.includes(name))
    return kept.length === Object.keys(fields).length ? value : {...value, fields: Object.fromEntries(kept)}
  }
  const entries = Object.entries(value).map(([name, member]) => [name, without(member, typeId, names)] as const)
  return entries.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(entries)
}

/**
 * Removes the values of the fields that a type has lost wherever resources have them, page by page; each resource that
 * had some gets a new version. The type is stored already, so that no values come to be behind it.
 */
async function dropValues(context: Context, before: Type, after: Type): Promise<void> {
  const {platform, project} = context
  const typeId = after.id
  const left = namesIn(after)
  const names = namesIn(before).filter((name) => !left.includes(name))
  if (names.length === 0) return
  for (const {typeId: kind, references} of collections) {
    if (!references?.['type']) continue
    for await (const document of walked<Document>(platform.state, project.key, kind)) {
      if (without(document, typeId, names) === document) continue
      await retrying(async () => {
        const current = await platform.state.get<Document>(project.key, kind, document.id)
        const next = current && (without(current, typeId, names) as Document)
        if (next === undefined || next === current) return
        await platform.state.commit(project.key, [putOf(kind, next.version, revisedBy(context, next))])
      })
    }
  }
}

function revisedBy({now}: Context, document: Document): Document {
  const at = isoTime(now)
  return Object.assign({}, document, {version: document.version + 1, versionModifiedAt: at, lastModifiedAt: at})
}

/** What a change means for other resources, once it is stored: by type id. */
const consequences: ReadonlyMap<string, (context: Context, before: never, after: never) => Promise<void>> = new Map([
  ['type', dropValues],
])

/** What a change looks at for its consequences: everything that may have a value of a lost field. */
const unexpectedBy = (typeId: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (consequences.has(typeId) ? collections : [])
      .filter(({references}) => references?.[typeId])
      .map((one) => [one.typeId, 'what has a value of a lost field is read again, and expected']),
  )

/** Works on the project as the request found it, and again on the one that is there by then if the commit required another. */
function onProject<T>(context: Context, work: (context: Context) => Promise<T>): Promise<T> {
  const {platform, project} = context
  let current: Project | undefined = project
  return retrying(async () => {
    current ??= await platform.state.get<Project>(REALM, 'project', project.id)
    const worked = work({...context, project: current ?? project})
    current = undefined
    return worked
  }, ['project'])
}

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
  const required = [...facts.required, ...projectRequired(context, typeId, resource)]
  await commit(context, revision.resource, [...required, put, ...revision.messages])
  return revision.resource
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
      unexpected: unexpectedBy(collection.typeId),
      handle: (given, name, {body}) =>
        onProject(given, async (context) => {
          const before = await named(context, name)
          const after = await changed(context, collection.typeId, before, body)
          if (after !== before) await consequences.get(collection.typeId)?.(context, before as never, after as never)
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
