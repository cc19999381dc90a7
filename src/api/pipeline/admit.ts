import {scopesOfCollection} from '../../oauth/scopes.js'
import type {Runtime} from '../operation/context.js'
import type {Query} from '../operation/operation.js'
import {permit} from '../operation/permit.js'
import {authenticateBearer} from './authenticate.js'
import {noteCaller, type Trace} from './exchange.js'
import {checkTokenPlace} from './pipeline.js'
import {projectOf} from './project.js'

/** A request for a path of a project that no operation serves. */
export interface UnservedRequest {
  readonly method: string
  readonly projectKey: string
  /** Of a path below `/in-store/key={storeKey}`. */
  readonly storeKey?: string | undefined
  readonly isMine: boolean
  /** The segments of the path from the collection on. */
  readonly resource: readonly string[]
  /** Whether the other server is given an authorization that is not the caller's. */
  readonly isLent: boolean
  readonly query: Query
  readonly authorization: string | undefined
  readonly correlationId: string
  /** Set by the HTTP front, for `server requests`. */
  readonly trace?: Trace
}

/** A search reads, whatever its method. */
const reads = ({method, resource}: UnservedRequest): boolean =>
  method === 'GET' || method === 'HEAD' || (method === 'POST' && resource.length === 2 && resource[1] === 'search')

/**
 * Lets a request pass to the fallback server whose access token is valid and has a scope of the collection, for the
 * project or the store of the path (decision 43). With a lent authorization, tokens of customers and visitors pass below
 * `/me` only. Throws invalid_token, invalid_request, and insufficient_scope for a project that is not
 * here as well.
 */
export async function admit(runtime: Runtime, request: UnservedRequest): Promise<void> {
  const {projectKey, storeKey, isMine, isLent, resource, query, authorization, correlationId} = request
  const reading = projectOf(runtime, {projectKey})
  if (reading instanceof Promise) reading.catch(() => undefined)
  checkTokenPlace(query, authorization)
  const principal = await authenticateBearer(runtime, authorization, reading, correlationId, runtime.clock())
  if (request.trace) noteCaller(request.trace, principal)
  const access = isMine ? 'manage_my' : reads(request) ? 'view' : 'manage'
  const base = {kind: 'bearer', anyOf: scopesOfCollection(resource[0] ?? '', access)} as const
  const permission = isMine ? ({...base, bound: 'optional'} as const) : base
  const target = {projectKey, storeKey, projectExists: (await reading) !== undefined}
  await permit(permission, principal, target, runtime.state, runtime.settings.strictTokens || isLent)
}
