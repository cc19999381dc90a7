import type {CustomerGroup} from '../../domain/collections/customer-groups.js'
import type {Store} from '../../domain/collections/store.js'
import type {Type} from '../../domain/collections/type.js'
import type {AnyOperation, Operation} from '../operation/operation.js'
import type {PagedResult} from '../operation/read.js'
import {readingOperations} from './reading.js'
import {writingOperations} from './writing.js'

/** Operations of collections that callers name. The loops that make them all give each its id. */

const byId = new Map([...readingOperations, ...writingOperations].map((operation) => [operation.id, operation]))

export function named(id: string): AnyOperation {
  const found = byId.get(id)
  if (!found) throw new Error(`no operation of a collection is called ${id}`)
  return found
}

type Query<R extends {id: string; version: number}> = Operation<'', undefined, PagedResult<R>>
type Create<R> = Operation<'', object, R>

export const queryCustomerGroups: Query<CustomerGroup> = named('queryCustomerGroups')
export const queryStores: Query<Store> = named('queryStores')
export const queryTypes: Query<Type> = named('queryTypes')
export const createCustomerGroup: Create<CustomerGroup> = named('createCustomerGroup')
export const createStore: Create<Store> = named('createStore')
export const createType: Create<Type> = named('createType')
