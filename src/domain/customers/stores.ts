import type {Facts} from '../action.js'
import type {ResourceIdentifier} from '../references.js'
import type {Customer} from './customer.js'

type StoreReference = Customer['stores'][number]

/** The key reference of a store given by id or key. Throws ReferencedResourceNotFound. */
export function storeOf(store: ResourceIdentifier, facts: Facts): StoreReference {
  const {key} = facts.resolve({...store, typeId: 'store'})
  return {typeId: 'store', key: key ?? ''}
}

/** Key references in the given order, without repeats (decision 12). */
export function storesOf(stores: readonly ResourceIdentifier[], facts: Facts): StoreReference[] {
  if (stores.length === 0) return []
  const references = stores.map((store) => storeOf(store, facts))
  return [...new Map(references.map((reference) => [reference.key, reference])).values()]
}
