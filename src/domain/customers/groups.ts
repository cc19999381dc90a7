import type {Facts} from '../action.js'
import {ApiError} from '../errors.js'
import type {ResourceIdentifier} from '../references.js'
import type {Customer} from './customer.js'

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
  checkGroupCount(groups.size, facts)
  return [...groups.values()].map((customerGroup) => ({customerGroup}))
}

export function checkGroupCount(count: number, {limits}: Facts): void {
  if (count <= limits.customerGroups) return
  throw ApiError.of('MaxResourceLimitExceeded', {limit: limits.customerGroups, exceededResource: 'customer-group'})
}
