import type {AnyAction} from '../../domain/action.js'
import {ApiError, notFound} from '../../domain/errors.js'
import {grants} from '../../oauth/scopes.js'
import type {Store} from '../../store/store.js'
import type {Bearer, Context} from './context.js'
import type {AnyOperation, Permission} from './operation.js'

type BearerPermission = Extract<Permission, {kind: 'bearer'}>

const isBound = (principal: Bearer): boolean =>
  principal.customerId !== undefined || principal.anonymousId !== undefined

function fitsBinding({bound}: BearerPermission, principal: Bearer): boolean {
  const {customerId, anonymousId} = principal
  // An external token may claim both bindings, which identify nobody.
  if (customerId !== undefined && anonymousId !== undefined) return false
  if (bound === 'customer') return customerId !== undefined
  return bound === undefined || bound === 'optional' || isBound(principal)
}

/** The project and store that a request targets, in the terms of scopes. */
export interface ScopeTarget {
  /** Of the path; the project may not exist. */
  readonly projectKey: string
  readonly storeKey?: string | undefined
  readonly projectExists: boolean
}

/** Why a token may not pass. The caller learns the scopes alone; the request log tells the administrator. */
export type Denial = 'project' | 'external' | 'strict' | 'store' | 'scope' | 'binding'

/**
 * Throws insufficient_scope unless the token may use the route here (decisions 2 and 26); the same for a project that
 * does not exist, so that names cannot be probed.
 */
export function permit(
  permission: BearerPermission,
  principal: Bearer,
  target: ScopeTarget,
  state: Store,
  strictTokens: boolean,
): Promise<void> | undefined {
  const because = denialOf(permission, principal, target, state, strictTokens)
  if (because instanceof Promise) return because.then((found) => refuseFor(permission, found))
  refuseFor(permission, because)
  return undefined
}

function refuseFor({bound, anyOf}: BearerPermission, because: Denial | undefined): void {
  if (because === undefined) return
  const binding = bound === 'customer' ? ['customer_id'] : ['customer_id', 'anonymous_id']
  throw ApiError.of('insufficient_scope', {missing: because === 'binding' && bound ? binding : anyOf, because})
}

/** Reads the store only if its scope decides. */
function denialOf(
  permission: BearerPermission,
  principal: Bearer,
  target: ScopeTarget,
  state: Store,
  strictTokens: boolean,
): Denial | undefined | Promise<Denial | undefined> {
  if (!target.projectExists || principal.projectKey !== target.projectKey) return 'project'
  if (permission.byTouch) return undefined
  if (permission.ownTokensOnly && principal.external) return 'external'
  if (strictTokens && permission.bound === undefined && isBound(principal)) return 'strict'
  if (principal.storeKey !== undefined && principal.storeKey !== target.storeKey) return 'store'
  const held = holdsScope(permission, principal, target, state)
  const denial = (isHeld: boolean): Denial | undefined => {
    if (!isHeld) return 'scope'
    return fitsBinding(permission, principal) ? undefined : 'binding'
  }
  return held instanceof Promise ? held.then(denial) : denial(held)
}

/** As `permit`, for other resources that a request touches: in the store of its context, if it has one. */
export async function permitTouch(context: Context, permission: Permission): Promise<void> {
  const {principal, project, runtime, storeKey} = context
  if (permission.kind !== 'bearer' || principal.kind !== 'bearer') {
    throw ApiError.of('insufficient_scope', {missing: []})
  }
  const target = {projectKey: project.key, storeKey, projectExists: true}
  await permit(permission, principal, target, runtime.state, runtime.settings.strictTokens)
  if (storeKey !== undefined) await checkStore(runtime.state, project.key, storeKey)
}

/** Throws ResourceNotFound for a store that does not exist; callers without the scope were refused before. */
export async function checkStore(state: Store, projectKey: string, storeKey: string): Promise<void> {
  if (await state.find(projectKey, 'store', `key:${storeKey}`)) return
  throw notFound(`The Store with key '${storeKey}' was not found.`)
}

/** Whether one of the scopes permits an operation in a project or a store of it (decision 57); bindings are not considered. */
export const opens = (
  {anyOf}: Pick<BearerPermission, 'anyOf'>,
  scopes: readonly string[],
  target: {readonly projectKey: string; readonly storeKey?: string},
): boolean => anyOf.some((name) => grants(scopes, {name, ...target}))

function holdsScope(
  {anyOf}: BearerPermission,
  {scopes}: Bearer,
  {projectKey, storeKey}: ScopeTarget,
  state: Store,
): boolean | Promise<boolean> {
  if (anyOf.some((name) => grants(scopes, {name, projectKey}))) return true
  if (storeKey === undefined || !anyOf.some((name) => grants(scopes, {name, projectKey, storeKey}))) return false
  return state.find(projectKey, 'store', `key:${storeKey}`).then((store) => store !== undefined)
}

/** Whether the caller holds the scope for the whole project, not only for a store. */
export function holdsProjectWide({principal, project}: Context, name: string): boolean {
  if (principal.kind !== 'bearer' || principal.storeKey !== undefined) return false
  return grants(principal.scopes, {name, projectKey: project.key})
}

/** Throws insufficient_scope for an action that requires more than its operation. */
export function permitActions(context: Context, actions: readonly {readonly action: ActionPermission}[]): void {
  const {principal} = context
  const isForeign = principal.kind === 'bearer' && principal.external === true
  for (const {action} of actions) {
    const {scope, ownTokensOnly} = action
    const isHeld = scope === undefined || holdsProjectWide(context, scope)
    if (isHeld && !(ownTokensOnly && isForeign)) continue
    throw ApiError.of('insufficient_scope', {missing: scope === undefined ? [] : [scope]})
  }
}

type ActionPermission = Pick<AnyAction<never>, 'scope' | 'ownTokensOnly'>

const isDeclared = (permission: Permission | undefined): boolean =>
  permission !== undefined && (permission.kind !== 'bearer' || permission.anyOf.length > 0)

/** Throws for an operation whose permission lists no scope, so that the server does not start with such a route. */
export function checkPermissions(operations: readonly AnyOperation[]): void {
  const open = operations.find(({permission}) => !isDeclared(permission))
  if (open) throw new Error(`the operation ${open.id} declares no permission`)
}
