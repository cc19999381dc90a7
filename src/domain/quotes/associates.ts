import type {KeyReference, Reference} from '../references.js'

/** Who may do what for a business unit: associates hold roles, roles hold permissions. Source: API › Business Units. */

export interface RoleAssignment {
  readonly associateRole: KeyReference
  /** Whether units below have it too. Absent: no. */
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
  /** What the service derived from units above; counts where the parent is not kept here. */
  readonly inheritedAssociates?: readonly Associate[]
}

export interface AssociateRole {
  readonly id: string
  readonly version: number
  readonly key: string
  readonly permissions?: readonly string[]
}

/** The parent whose associates a unit shares, if it shares any. */
export function sharedParent({associateMode, parentUnit}: BusinessUnit): KeyReference | undefined {
  return associateMode === 'Explicit' ? undefined : parentUnit
}

const assignmentsOf = (associates: readonly Associate[] | undefined, customerId: string): readonly RoleAssignment[] =>
  (associates ?? [])
    .filter(({customer}) => customer.id === customerId)
    .flatMap(({associateRoleAssignments}) => associateRoleAssignments)

/**
 * Keys of the roles that a customer has in a unit, each once. `line` is the unit and the units above it that it shares
 * associates with, nearest first; `isWhole` is false if the next one above is not kept here.
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
