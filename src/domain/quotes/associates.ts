import type {KeyReference, Reference} from '../references.js'

/** Who may do what for a business unit: associates hold roles, roles hold permissions. Source: API › Business Units. */

export interface RoleAssignment {
  readonly associateRole: KeyReference
  /** Whether child units inherit the role. Absent: no. */
  readonly inheritance?: 'Enabled' | 'Disabled'
}

export interface Associate {
  readonly customer: Reference
  readonly associateRoleAssignments: readonly RoleAssignment[]
}

export interface BusinessUnit {
  readonly id: string
  readonly version: number
  readonly key: string
  /** Absent: a unit with a parent inherits, one without does not. */
  readonly associateMode?: 'Explicit' | 'ExplicitAndFromParent'
  readonly parentUnit?: KeyReference
  readonly associates?: readonly Associate[]
  /** Associates that the service derived from parent units; used if the parent is not stored here. */
  readonly inheritedAssociates?: readonly Associate[]
}

export interface AssociateRole {
  readonly id: string
  readonly version: number
  readonly key: string
  readonly permissions?: readonly string[]
}

/** The parent from which a unit inherits associates, if it does. */
export function sharedParent({associateMode, parentUnit}: BusinessUnit): KeyReference | undefined {
  return associateMode === 'Explicit' ? undefined : parentUnit
}

const assignmentsOf = (associates: readonly Associate[] | undefined, customerId: string): readonly RoleAssignment[] =>
  (associates ?? [])
    .filter(({customer}) => customer.id === customerId)
    .flatMap(({associateRoleAssignments}) => associateRoleAssignments)

/**
 * Keys of the roles that a customer has in a unit, without repeats. `line` is the unit and the ancestors that it
 * inherits associates from, nearest first; `isWhole` is false if the next ancestor is not stored here.
 */
export function roleKeysOf(line: readonly BusinessUnit[], isWhole: boolean, customerId: string): readonly string[] {
  const [unit, ...above] = line
  const own = assignmentsOf(unit?.associates, customerId)
  const inherited = above
    .flatMap(({associates}) => assignmentsOf(associates, customerId))
    .filter(({inheritance}) => inheritance === 'Enabled')
  const derived = isWhole ? [] : assignmentsOf(line.at(-1)?.inheritedAssociates, customerId)
  return [...new Set([...own, ...inherited, ...derived].map(({associateRole}) => associateRole.key))]
}
