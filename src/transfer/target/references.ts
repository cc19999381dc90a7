import {
  createCustomerGroup,
  createStore,
  createType,
  queryCustomerGroups,
  queryStores,
  queryTypes,
} from '../../api/collections/operations.js'
import type {Client} from '../../client/client.js'
import {inIdOrder} from '../../client/walk.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {ReadOptions} from '../output/all-customers.js'
import {pageSize} from '../send/customer-calls.js'
import {Sender, sendingOf} from '../send/sender.js'
import {UnknownReferences} from './unknown-references.js'

/** Ids of references in the target by those in the source. */
export type NewIds = ReadonlyMap<string, string>

/**
 * A tree of JSON whose references are named as another project knows them: by key where the resource stands beside the
 * reference and has one, else by the id that it has there.
 */
export function byKey(value: unknown, newIds: NewIds): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => byKey(entry, newIds))
  if (typeof value !== 'object' || value === null) return value
  if ('typeId' in value && 'id' in value) {
    const {typeId, id, obj} = value as {typeId: unknown; id: unknown; obj?: {readonly key?: unknown}}
    return typeof obj?.key === 'string' ? {typeId, key: obj.key} : {typeId, id: newIds.get(String(id)) ?? id}
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, byKey(member, newIds)]))
}

/** What customers refer to and a fresh project lacks: types, customer groups and stores, brought before the customers. */

type Resource = {readonly id: string; readonly key?: string; readonly [member: string]: unknown}

interface Kind {
  /** Its name in results. */
  readonly name: 'types' | 'customerGroups' | 'stores'
  readonly query: typeof queryTypes | typeof queryCustomerGroups | typeof queryStores
  readonly create: typeof createType | typeof createCustomerGroup | typeof createStore
  readonly draftOf: (resource: Resource) => object
  /** What tells two projects' resources apart that have no key. */
  readonly sameName?: true
}

const picked = (resource: Resource, names: readonly string[]): object =>
  defined(Object.fromEntries(names.map((name) => [name, resource[name]])))

/** In the order in which they refer to each other. Channels and product selections stay behind: no customer needs them. */
const kinds: readonly Kind[] = [
  {
    name: 'types',
    query: queryTypes,
    create: createType,
    draftOf: (type) => picked(type, ['key', 'name', 'description', 'resourceTypeIds', 'fieldDefinitions']),
  },
  {
    name: 'customerGroups',
    query: queryCustomerGroups,
    create: createCustomerGroup,
    draftOf: (group) => ({...picked(group, ['key', 'custom']), groupName: group['name']}),
    sameName: true,
  },
  {
    name: 'stores',
    query: queryStores,
    create: createStore,
    draftOf: (store) => picked(store, ['key', 'name', 'languages', 'countries', 'custom']),
  },
]

/** How many of each were missing in the target: created, or to be created. */
export type BroughtReferences = Readonly<Record<Kind['name'], number>>

export interface Brought {
  readonly brought: BroughtReferences
  /** Which id in the target an id of the source became. */
  readonly newIds: NewIds
  /** What else customers point at in custom fields, and the target may not have. */
  readonly unknown: UnknownReferences
}

export interface ReferencesOptions extends Pick<ReadOptions, 'retries' | 'runtime' | 'signal'> {
  /** Counts what is missing and creates nothing. */
  readonly isDry?: boolean
}

/**
 * Creates the types, customer groups and stores of the source that the target lacks, told apart by key, and groups
 * without a key by name. Throws what a creation is refused with.
 */
export async function bringReferences(
  source: Client,
  target: Client,
  {isDry = false, retries, runtime, signal}: ReferencesOptions = {},
): Promise<Brought> {
  const sender = new Sender(sendingOf({concurrency: 1, ...defined({retries, runtime, signal})}))
  const newIds = new Map<string, string>()
  /** In the target, or about to be. */
  const theirs = new Set<string>()
  const brought = {types: 0, customerGroups: 0, stores: 0}
  for (const kind of kinds) {
    const there = await allOf(sender, target, kind)
    for (const resource of await allOf(sender, source, kind)) {
      theirs.add(resource.id)
      const same = there.find((other) => isSame(kind, resource, other))
      if (same) {
        newIds.set(resource.id, same.id)
        continue
      }
      brought[kind.name] += 1
      if (isDry) continue
      const created = await creation(sender, target, kind, resource, byKey(kind.draftOf(resource), newIds) as object)
      newIds.set(resource.id, created.id)
    }
  }
  return {brought, newIds, unknown: new UnknownReferences(sender, target, (id) => theirs.has(id))}
}

const isSame = ({sameName}: Kind, one: Resource, other: Resource): boolean =>
  one.key === undefined
    ? sameName === true && other.key === undefined && one['name'] === other['name']
    : one.key === other.key

async function allOf(sender: Sender, client: Client, {query}: Kind): Promise<Resource[]> {
  const all: Resource[] = []
  const ask = (after: string | undefined) =>
    sender.send(async () => {
      const behind = after === undefined ? {} : {where: 'id > :after', 'var.after': after}
      const asked = {sort: 'id asc', limit: pageSize, expand: 'custom.type', withTotal: false, ...behind}
      const page = await client.call(query as typeof queryTypes, {}, {query: asked})
      return {results: page.results as unknown as Resource[]}
    })
  for await (const page of inIdOrder(ask)) all.push(...page)
  return all
}

/** A creation, which its key makes harmless to repeat: who finds it taken finds what was created. */
async function creation(
  sender: Sender,
  target: Client,
  kind: Kind,
  resource: Resource,
  body: object,
): Promise<Resource> {
  const find = async () => (await allOf(sender, target, kind)).find((other) => isSame(kind, resource, other))
  const create = () =>
    target.call(kind.create as typeof createType, {}, {body}) as Promise<unknown> as Promise<Resource>
  try {
    return await sender.send(create, find)
  } catch (error) {
    const taken = error instanceof ApiError && error.is('DuplicateField') ? await find() : undefined
    if (taken) return taken
    throw error
  }
}
