import {ApiError} from '../../domain/errors.js'
import {scopeNames} from '../../oauth/scopes.js'
import type {Platform} from '../operation/context.js'
import type {Query} from '../operation/operation.js'
import {authenticateBearer} from './authenticate.js'
import {permit} from './permit.js'
import {checkTokenPlace} from './pipeline.js'
import {projectOf} from './project.js'
import {noteCaller, type Trace} from './trace.js'

/** A request for a path of a project that no operation serves. */
export interface UnservedRequest {
  readonly projectKey: string
  /** Of a path below `/in-store/key={storeKey}`. */
  readonly storeKey?: string | undefined
  /** Whether the path is below `/me`. */
  readonly isMine: boolean
  readonly query: Query
  readonly authorization: string | undefined
  readonly correlationId: string
  /** Filled on the way; absent where nobody asks. */
  readonly trace?: Trace
}

/** These open nothing but the authorization service. */
const authorizationOnly: ReadonlySet<string> = new Set(['create_anonymous_token', 'introspect_oauth_tokens'])
const apiScopes = [...scopeNames].filter((name) => !authorizationOnly.has(name))

/**
 * Lets a request pass to the fallback server whose access token is valid and has a scope of the project, or of the store
 * of the path; which scope the path would take, only the other server knows (decision 43). Throws invalid_token,
 * invalid_request, and insufficient_scope for a project that is not here as well.
 */
export async function admit(platform: Platform, request: UnservedRequest): Promise<void> {
  const {projectKey, storeKey, isMine, query, authorization, correlationId} = request
  const project = await projectOf(platform, {projectKey})
  checkTokenPlace(query, authorization)
  const principal = await authenticateBearer(platform, authorization, project, correlationId, platform.clock())
  if (request.trace) noteCaller(request.trace, principal)
  const base = {kind: 'bearer', anyOf: apiScopes} as const
  const permission = isMine ? ({...base, bound: 'optional'} as const) : base
  const target = {projectKey, storeKey, projectExists: project !== undefined}
  try {
    await permit(permission, principal, target, platform.state, platform.settings.strictTokens)
  } catch (error) {
    // A hundred scopes would do; the one that always does is named.
    const isRefused = error instanceof ApiError && error.is('insufficient_scope')
    throw isRefused ? ApiError.of('insufficient_scope', {missing: ['manage_project']}) : error
  }
}
