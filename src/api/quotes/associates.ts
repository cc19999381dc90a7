import type {Facts} from '../../domain/action.js'
import {type AssociateRole, type BusinessUnit, roleKeysOf, sharedParent} from '../../domain/quotes/associates.js'
import type {Context} from '../operation/context.js'

/** Levels of units that share associates; the platform has no deeper ones. */
const maxLevels = 5

const find = async <D extends {readonly id: string; readonly version: number}>(
  {platform, project}: Context,
  kind: string,
  key: string,
): Promise<D | undefined> => platform.state.find<D>(project.key, kind, `key:${key}`)

/** A unit and those above it that it shares associates with, and whether the one above the last is kept here. */
async function lineOf(context: Context, key: string): Promise<{line: readonly BusinessUnit[]; isWhole: boolean}> {
  const line: BusinessUnit[] = []
  let next: string | undefined = key
  while (next !== undefined && line.length < maxLevels) {
    const unit: BusinessUnit | undefined = await find<BusinessUnit>(context, 'business-unit', next)
    if (!unit) return {line, isWhole: false}
    line.push(unit)
    next = sharedParent(unit)?.key
  }
  return {line, isWhole: true}
}

/** A customer as an associate of a business unit: nobody unless units and roles that are kept here say otherwise. */
export async function associateOf(
  context: Context,
  customerId: string,
  unitKey: string,
): Promise<NonNullable<Facts['associate']>> {
  const {line, isWhole} = await lineOf(context, unitKey)
  const keys = roleKeysOf(line, isWhole, customerId)
  const roles = await Promise.all(keys.map((key) => find<AssociateRole>(context, 'associate-role', key)))
  return {customerId, permissions: new Set(roles.flatMap((role) => role?.permissions ?? []))}
}
