import type {Facts} from '../action.js'
import {ApiError, checkRoom} from '../errors.js'
import type {ResourceIdentifier} from '../references.js'
import {isLocale} from '../rules.js'
import type {Customer} from './customer.js'

/** What a draft or an action names, groups, stores and a language, as the customer keeps it. */

type Assignment = Customer['customerGroupAssignments'][number]

/** The group's reference by id. Throws ReferencedResourceNotFound. */
export const groupOf = (group: ResourceIdentifier, facts: Facts) =>
  ({typeId: 'customer-group', id: facts.resolve({...group, typeId: 'customer-group'}).id}) as const

/** Assignments by id, without repeats (decision 12). Throws MaxResourceLimitExceeded. */
export function assignmentsOf(
  drafts: readonly {readonly customerGroup: ResourceIdentifier}[],
  facts: Facts,
): Assignment[] {
  if (drafts.length === 0) return []
  const groups = new Map(
    drafts.map(({customerGroup}) => groupOf(customerGroup, facts)).map((group) => [group.id, group]),
  )
  checkRoom(groups.size, facts.limits.customerGroups, 'customer-group')
  return [...groups.values()].map((customerGroup) => ({customerGroup}))
}

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

/** The locale in the project's spelling, or any without languages (decisions 2 and 9). Throws InvalidInput. */
export function projectLocale(locale: string, languages: readonly string[]): string {
  if (languages.length === 0) {
    if (isLocale(locale)) return locale
    throw ApiError.of('InvalidInput', {message: `The locale '${locale}' is no language tag, such as de or de-AT.`})
  }
  const wanted = locale.toLowerCase()
  const language = languages.find((tag) => tag.toLowerCase() === wanted)
  if (language !== undefined) return language
  const message = `The locale '${locale}' is not a language of the project: ${languages.join(', ')}.`
  throw ApiError.of('InvalidInput', {message})
}
