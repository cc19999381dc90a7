import type {Facts} from '../../domain/action.js'
import {type AssociateRole, type BusinessUnit, roleKeysOf, sharedParent} from '../../domain/quotes/associates.js'
import type {Context} from '../operation/context.js'
import {documentBy} from '../operation/read.js'

/** Levels of business units; the platform's hierarchy is no deeper. */
const maxLevels = 5

/** A unit and its ancestors that share associates. `isWhole` is false if the next ancestor is not stored here. */
async function lineOf(context: Context, key: string): Promise<{line: readonly BusinessUnit[]; isWhole: boolean}> {
  const line: BusinessUnit[] = []
  let next: string | undefined = key
  while (next !== undefined && line.length < maxLevels) {
    const unit: BusinessUnit | undefined = await documentBy<BusinessUnit>(context, 'business-unit', {key: next})
    if (!unit) return {line, isWhole: false}
    line.push(unit)
    next = sharedParent(unit)?.key
  }
  return {line, isWhole: true}
}

/** A customer as an associate of a business unit: without permissions unless stored units and roles grant them. */
export async function associateOf(
  context: Context,
  customerId: string,
  unitKey: string,
): Promise<NonNullable<Facts['associate']>> {
  const {line, isWhole} = await lineOf(context, unitKey)
  const keys = roleKeysOf(line, isWhole, customerId)
  const roles = await Promise.all(keys.map((key) => documentBy<AssociateRole>(context, 'associate-role', {key})))
  return {customerId, permissions: new Set(roles.flatMap((role) => role?.permissions ?? []))}
}
