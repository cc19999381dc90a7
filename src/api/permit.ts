import {ApiError} from '../domain/errors.js'
import {grants} from '../oauth/scopes.js'
import type {Store} from '../store/store.js'
import type {Bearer, Context} from './context.js'
import type {Permission} from './operation.js'

type BearerPermission = Extract<Permission, {kind: 'bearer'}>

const isBound = (principal: Bearer): boolean =>
  principal.customerId !== undefined || principal.anonymousId !== undefined

function fitsBinding({bound}: BearerPermission, principal: Bearer): boolean {
  const {customerId, anonymousId} = principal
  // Both at once is nobody: an external server might say so.
  if (customerId !== undefined && anonymousId !== undefined) return false
  if (bound === 'customer') return customerId !== undefined
  if (bound === 'anonymous') return anonymousId !== undefined
  return bound === undefined || isBound(principal)
}

export interface Place {
  /** Of the path; the project may not exist. */
  readonly projectKey: string
  readonly storeKey?: string
  readonly projectExists: boolean
}

/**
 * Whether the token may use the route here (decisions 2 and 26). Throws insufficient_scope, the same for a project
 * that does not exist, so that names cannot be probed.
 */
export async function permit(
  permission: BearerPermission,
  principal: Bearer,
  place: Place,
  state: Store,
  strictTokens: boolean,
): Promise<void> {
  const {projectKey, storeKey} = place
  const refused = ApiError.of('insufficient_scope', {missing: permission.anyOf})
  if (!place.projectExists || principal.projectKey !== projectKey) throw refused
  if (!fitsBinding(permission, principal)) throw refused
  if (strictTokens && permission.bound === undefined && isBound(principal)) throw refused
  if (principal.storeKey !== undefined && principal.storeKey !== storeKey) throw refused
  if (permission.anyOf.some((name) => grants(principal.scopes, {name, projectKey}))) return
  const inStore =
    storeKey !== undefined && permission.anyOf.some((name) => grants(principal.scopes, {name, projectKey, storeKey}))
  if (!inStore) throw refused
  if (!(await state.find(projectKey, 'store', `key:${storeKey}`))) throw refused
}

/** Whether the caller holds the scope for the whole project, not only for a store. */
export function holdsProjectWide({principal, project}: Context, name: string): boolean {
  if (principal.kind !== 'bearer' || principal.storeKey !== undefined) return false
  return grants(principal.scopes, {name, projectKey: project.key})
}
