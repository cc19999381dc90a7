import {createCustomerGroup, createStore, createType} from '../../api/collections/operations.js'
import type {Client} from '../../client/client.js'
import type {ReferencedResource} from '../../domain/action.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined, isObject, pick} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {WantedReference} from '../../domain/references.js'
import {isKey} from '../../domain/rules.js'
import type {ReadOptions} from '../output/all-customers.js'
import {withReferences} from '../output/references.js'
import {Sender, sendingOf} from '../send/sender.js'
import {type ListedType, nameOf, TargetReferences} from './target-references.js'

/** Ids of references in the target by those in the source. */
export type NewIds = ReadonlyMap<string, string>

/**
 * A tree of JSON whose references are named as another project knows them: by key where the resource stands beside the
 * reference and has one, else by the id that it has there.
 */
export const byKey = (value: unknown, newIds: NewIds): unknown =>
  withReferences(value, ({typeId, id, obj}) =>
    typeof obj?.key === 'string' ? {typeId, key: obj.key} : {typeId, id: newIds.get(String(id)) ?? id},
  )

/** What customers refer to and a fresh project lacks: types, customer groups and stores, brought before the customers. */

interface Kind {
  readonly name: 'types' | 'customerGroups' | 'stores'
  readonly typeId: ListedType
  readonly create: typeof createType | typeof createCustomerGroup | typeof createStore
  readonly draftOf: (resource: ReferencedResource) => object
  /** What tells two projects' resources apart that have no key. */
  readonly sameName?: true
}

/** In the order in which they refer to each other. Channels and product selections stay behind: no customer needs them. */
const kinds: readonly Kind[] = [
  {
    name: 'types',
    typeId: 'type',
    create: createType,
    draftOf: (type) => defined(pick(type, ['key', 'name', 'description', 'resourceTypeIds', 'fieldDefinitions'])),
  },
  {
    name: 'customerGroups',
    typeId: 'customer-group',
    create: createCustomerGroup,
    draftOf: (group) => ({...defined(pick(group, ['key', 'custom'])), groupName: group['name']}),
    sameName: true,
  },
  {
    name: 'stores',
    typeId: 'store',
    create: createStore,
    draftOf: (store) => defined(pick(store, ['key', 'name', 'languages', 'countries', 'custom'])),
  },
]

/** How many of each were missing in the target: created, or to be created. */
export type BroughtReferences = Readonly<Record<Kind['name'], number>>

export interface ReferencesOptions extends Pick<ReadOptions, 'retries' | 'runtime' | 'signal'> {
  /** Counts what is missing and creates nothing. */
  readonly isDry?: boolean
}

/**
 * Creates the types, customer groups and stores of the source that the target lacks, told apart by key, and groups
 * without a key by name. `values` leaves out of customers what points elsewhere. Throws what a creation is refused with.
 */
export async function bringReferences(
  source: Client,
  target: Client,
  {isDry = false, retries, runtime, signal}: ReferencesOptions = {},
) {
  const sender = new Sender(sendingOf({concurrency: 1, ...defined({retries, runtime, signal})}))
  const references = new TargetReferences(target, sender)
  const newIds = new Map<string, string>()
  /** In the target, or about to be. */
  const theirs = new Set<string>()
  const brought: Record<Kind['name'], number> = {types: 0, customerGroups: 0, stores: 0}
  const names: string[] = []
  for (const kind of kinds) {
    const there = await references.list(kind.typeId, {expand})
    for (const resource of await new TargetReferences(source, sender).list(kind.typeId, {expand})) {
      theirs.add(resource.id)
      const same = there.find((other) => isSame(kind, resource, other))
      if (!same) {
        brought[kind.name] += 1
        names.push(`${kind.typeId} ${resource.key === undefined ? resource['name'] : `key ${resource.key}`}`)
      }
      if (!same && isDry) continue
      const {id} = same ?? (await created(resource, kind, {target, sender, references, newIds}))
      newIds.set(resource.id, id)
    }
  }
  return {brought, names, newIds, values: knownValues(references, theirs)}
}

const expand = 'custom.type'

const isSame = ({sameName}: Kind, one: ReferencedResource, other: ReferencedResource): boolean =>
  one.key === undefined
    ? sameName === true && other.key === undefined && one['name'] === other['name']
    : one.key === other.key

interface Target {
  readonly target: Client
  readonly sender: Sender
  readonly references: TargetReferences
  readonly newIds: NewIds
}

/** A creation, which its key makes harmless to repeat: who finds it taken finds what was created. */
async function created(
  resource: ReferencedResource,
  kind: Kind,
  {target, sender, references, newIds}: Target,
): Promise<ReferencedResource> {
  const body = byKey(kind.draftOf(resource), newIds) as object
  const find = async () => (await references.list(kind.typeId)).find((other) => isSame(kind, resource, other))
  const create = () =>
    target.call(kind.create as typeof createType, {}, {body}) as Promise<unknown> as Promise<ReferencedResource>
  try {
    return await sender.send(create, find)
  } catch (error) {
    const taken = error instanceof ApiError && error.is('DuplicateField') ? await find() : undefined
    if (taken) return taken
    throw error
  }
}

/** A customer group or store by a key that one can have. */
export type NamedReference = WantedReference & {readonly typeId: 'customer-group' | 'store'; readonly key: string}

export const isNamedReference = (one: WantedReference): one is NamedReference =>
  (one.typeId === 'customer-group' || one.typeId === 'store') && one.key !== undefined && isKey(one.key)

/** Notes what is about to be created, or was refused after all. */
export type NoteReference = (name: string, isRefused?: true) => Promise<void>

/** Creates a customer group or store of which no more is known than the key. Throws what it is refused with. */
export async function createNamed(
  target: Client,
  sender: Sender,
  one: NamedReference,
  note: NoteReference,
): Promise<void> {
  const at = {target, sender, references: new TargetReferences(target, sender), newIds: new Map<string, string>()}
  const {typeId, key} = one
  const kind = kinds.find((each) => each.typeId === typeId) as Kind
  await note(nameOf(one))
  try {
    await created({key, ...(kind.sameName ? {name: key} : {})} as object as ReferencedResource, kind, at)
  } catch (error) {
    if (error instanceof ApiError && error.statusCode < 500) await note(nameOf(one), true)
    throw error
  }
}

type Pointer = WantedReference & {readonly id: string}

const isPointer = (value: unknown): value is Pointer =>
  isObject(value) && typeof value['typeId'] === 'string' && typeof value['id'] === 'string'

const fieldsOf = ({custom}: Pick<Customer, 'custom'>): readonly unknown[] => Object.values(custom?.fields ?? {})

/**
 * Values of custom fields that point at what the target has. The others, to products or customers that it lacks, are left
 * out and counted: a row that has one would be refused as a whole.
 */
function knownValues(references: TargetReferences, brought: ReadonlySet<string>) {
  let leftOut = 0
  /** Of a set what the target has; a field of which nothing is left goes. */
  const kept = <T extends Pick<Customer, 'custom'>>(holder: T, isThere: (value: unknown) => boolean): T => {
    const {custom} = holder
    if (custom === undefined) return holder
    const fields = Object.entries(custom.fields).flatMap(([name, value]): [string, unknown][] => {
      const values: readonly unknown[] = Array.isArray(value) ? value : [value]
      const left = values.filter(isThere)
      leftOut += values.length - left.length
      if (left.length === values.length) return [[name, value]]
      return left.length === 0 ? [] : [[name, left]]
    })
    return {...holder, custom: {...custom, fields: Object.fromEntries(fields)}}
  }
  return {
    get leftOut() {
      return leftOut
    },
    of: async (customer: Customer): Promise<Customer> => {
      const pointers = [customer, ...customer.addresses].flatMap(fieldsOf).flat().filter(isPointer)
      if (pointers.length === 0) return customer
      const {found, isUnchecked} = await references.lookUp(pointers.filter(({id}) => !brought.has(id)))
      const isThere = (value: unknown): boolean =>
        !isPointer(value) || brought.has(value.id) || isUnchecked(value) || found.find(value) !== undefined
      const addresses = customer.addresses.map((address) => kept(address, isThere))
      return kept({...customer, addresses}, isThere)
    },
  }
}
