import type {Customer} from '../customers/customer.js'
import {type CustomerUniqueKey, uniqueKeysOf as keysOfCustomer} from '../customers/identity.js'
import {customerGroups} from './customer-groups.js'
import {stores} from './stores.js'
import {types} from './types.js'
import type {AnyWritable} from './writable.js'

/** Every collection that can be written over HTTP (decision 35). */
export const writables: readonly AnyWritable[] = [customerGroups, stores, types]

const byTypeId = new Map(writables.map((collection) => [collection.typeId, collection]))

/** Whether resources of a kind can be deleted while others refer to them. */
export const isWritable = (typeId: string): boolean => byTypeId.has(typeId)

/** The values of a resource that are those of the project, which keeps them while a resource has them. */
export function valuesOfProject(typeId: string, resource: object): unknown {
  const member = byTypeId.get(typeId)?.ofProject
  return member === undefined ? undefined : Reflect.get(resource, member)
}

/** Text members of which a project holds each value once, of any collection but customers. */
export const uniqueMembersOf = (typeId: string): readonly string[] => byTypeId.get(typeId)?.unique ?? ['key']

export function uniqueKeysOf(typeId: string, resource: object): readonly CustomerUniqueKey[] {
  if (typeId === 'customer') return keysOfCustomer(resource as Customer)
  return uniqueMembersOf(typeId).flatMap((member) => {
    const value: unknown = Reflect.get(resource, member)
    return typeof value === 'string' ? [{key: `${member}:${value}`}] : []
  })
}
