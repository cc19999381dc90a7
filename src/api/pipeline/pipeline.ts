import {defined} from '../../domain/equal.js'
import {ApiError, errorBody, StateError} from '../../domain/errors.js'
import {httpDate} from '../../domain/iso-time.js'
import type {Project} from '../../domain/project/project.js'
import {isCorrelationId} from '../../domain/redact.js'
import {QueryError} from '../../query/query-error.js'
import {nextTurn} from '../../work/time-slices.js'
import {Budget} from '../operation/budget.js'
import type {Context, OnFault, Principal, Runtime} from '../operation/context.js'
import {type AnyOperation, type Query, type Reply, type Schema, successOf} from '../operation/operation.js'
import {checkStore, permit} from '../operation/permit.js'
import {expansionOf} from '../operation/read.js'
import {authenticateBearer, checkAdmin} from './authenticate.js'
import {authenticateClient} from './client-authentication.js'
import {type Exchange, noteCaller} from './exchange.js'
import {parseJsonBody} from './json-body.js'
import {checkMediaType, readOauthForm} from './oauth-form.js'
import {projectOf} from './project.js'
import {validated} from './validate.js'

/** The caller's correlation id if it is well-formed, else a new one. */
export const correlationIdOf = (given: string | undefined, newId: () => string): string =>
  given !== undefined && isCorrelationId(given) ? given : `frontdesk-${newId()}`

/** Throws InvalidInput for a correlation id that is none (decision 66). */
export function checkCorrelationId(given: string | undefined): void {
  if (given === undefined || isCorrelationId(given)) return
  const rule =
    'It may only contain alphanumeric characters, underscores, hyphens and slashes and have a length of 8 to 256.'
  throw ApiError.of('InvalidInput', {message: `Invalid X-Correlation-ID header. ${rule}`})
}

const isOauth = (operation: AnyOperation): boolean => operation.path.startsWith('/oauth/')

/** The error for the caller, without the cause of an internal one. */
export function shownError(error: unknown, correlationId: string): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof QueryError) return ApiError.of('InvalidInput', {message: error.message})
  if (error instanceof StateError && error.code !== 'StateLocked') return ApiError.of('StateCorrupt', {})
  return ApiError.of('General', {
    message: `Something failed inside the server. Its log has it under ${correlationId}.`,
  })
}

export function refusal(error: unknown, oauth: boolean, correlationId: string): Reply {
  const known = shownError(error, correlationId)
  const headers: Record<string, string> = {}
  if (known.retryAfterSeconds !== undefined) headers['retry-after'] = String(known.retryAfterSeconds)
  if (known.is('invalid_client')) headers['www-authenticate'] = 'Basic realm="frontdesk", charset="UTF-8"'
  if (known.is('invalid_token')) {
    const bare = known.message !== 'invalid_token'
    headers['www-authenticate'] = bare ? 'Bearer realm="frontdesk"' : 'Bearer realm="frontdesk", error="invalid_token"'
  }
  if (known.is('insufficient_scope')) {
    const {missing} = known.details as {missing: readonly string[]}
    headers['www-authenticate'] = `Bearer realm="frontdesk", error="insufficient_scope", scope="${missing.join(' ')}"`
  }
  if (known.is('MethodNotAllowed')) headers['allow'] = (known.details as {allow: readonly string[]}).allow.join(', ')
  return {status: known.statusCode, body: errorBody(known, oauth), headers}
}

/** Whether an error is the server's own: unexpected, or of the state, not of who vouches for a token. The log gets the cause. */
export const isFault = (error: unknown): boolean => {
  if (!(error instanceof ApiError)) return !(error instanceof QueryError)
  const {statusCode, cause} = error
  return statusCode === 500 || (statusCode > 500 && cause !== undefined && !error.is('ExternalOAuthFailed'))
}

/** authenticate → permit → validate → handle → reply, in the order of decision 5. Never throws. */
export async function run(runtime: Runtime, exchange: Exchange, onFault?: OnFault): Promise<Reply> {
  const {operation} = exchange
  const correlationId =
    exchange.correlationId ?? correlationIdOf(exchange.header('x-correlation-id'), runtime.secrets.uuid)
  let reply: Reply
  try {
    reply = await answer(runtime, exchange, correlationId, onFault)
  } catch (error) {
    if (isFault(error)) onFault?.(error, correlationId)
    if (exchange.trace) exchange.trace.error = error
    const {headers, ...refused} = refusal(error, isOauth(operation), correlationId)
    reply = {...refused, headers: {'x-correlation-id': correlationId, ...headers}}
  }
  return operation.method === 'HEAD' ? {status: reply.status, ...defined({headers: reply.headers})} : reply
}

async function answer(
  runtime: Runtime,
  exchange: Exchange,
  correlationId: string,
  onFault: OnFault | undefined,
): Promise<Reply> {
  const {operation, params, query, header, trace} = exchange
  const {projectKey = '', storeKey} = params
  checkCorrelationId(header('x-correlation-id'))
  if (trace) trace.check = 'authentication'
  const now = runtime.clock()
  const reading = projectOf(runtime, params)
  // A store that has to be asked is asked for the caller and the project at once.
  if (reading instanceof Promise) reading.catch(() => undefined)
  // What is known is known at once: nothing is awaited on the way of most requests.
  const caller = authenticate(runtime, exchange, reading, correlationId, now)
  const principal = caller instanceof Promise ? await caller : caller
  const project = reading instanceof Promise ? await reading : reading
  if (trace) noteCaller(trace, principal)
  if (operation.permission.kind === 'bearer' && principal.kind === 'bearer') {
    const target = {projectKey, storeKey, projectExists: project !== undefined}
    const permitted = permit(operation.permission, principal, target, runtime.state, runtime.settings.strictTokens)
    if (permitted) await permitted
  }
  if (trace) trace.check = 'body'
  const body = operation.body ? await readBody(exchange, operation.body, principal) : noBody
  if (trace) trace.check = 'rules'
  if (storeKey !== undefined && !isOauth(operation)) await checkStore(runtime.state, projectKey, storeKey)
  const externalUserId = header('x-external-user-id')
  const context: Context = {
    runtime,
    // A route without a project reads none.
    project: project as Project,
    principal,
    correlationId,
    now,
    storeKey,
    externalUserId: externalUserId?.replace(/\p{Cc}/gu, '').slice(0, 128),
    takesTexts: exchange.takesTexts === true,
    budget: new Budget(exchange.making),
    onFault,
  }
  const expand = expansionOf(context, operation, query)
  const found = await operation.handle(context, {params, query, body: body.valid})
  const answered = expand ? await expand(found) : found
  const note = body.note
  const notice = deprecationNotice(runtime, operation, body.raw, query)
  const headers: Record<string, string> = {
    'x-correlation-id': correlationId,
    // By the clock that dates what is written, which a test may have moved.
    date: httpDate(runtime.clock()),
    ...operation.headers,
  }
  if (notice !== undefined) headers['x-deprecation-notice'] = notice
  const reply = {status: successOf(operation), body: answered, headers}
  return note === undefined ? reply : {...reply, note}
}

/** The API client of a caller, for which its customers and visitors count too. */
export const clientIdOf = (principal: Principal | undefined): string =>
  principal?.kind === 'bearer' ? principal.clientId : principal?.kind === 'basic' ? principal.client.id : ''

function authenticate(
  runtime: Runtime,
  {operation, params, header, query, source, principal}: Exchange,
  project: Project | undefined | Promise<Project | undefined>,
  correlationId: string,
  now: number,
): Principal | Promise<Principal> {
  if (principal) return principal
  switch (operation.permission.kind) {
    case 'open':
      return {kind: 'nobody'}
    case 'basic':
      return authenticateClient(runtime, header('authorization'), source, now).then((client) => {
        // A client of another project learns nothing about this one.
        if (params['projectKey'] !== undefined && client.projectKey !== params['projectKey']) {
          throw ApiError.of('invalid_client', {})
        }
        return {kind: 'basic', client}
      })
    case 'admin':
      checkAdmin(runtime, header('authorization'))
      return {kind: 'admin'}
    case 'bearer':
      checkTokenPlace(query, header('authorization'))
      return authenticateBearer(runtime, header('authorization'), project, correlationId, now)
  }
}

/** Refuses a token in the URL beside one in the header (RFC 6750 §2); alone it is ignored, as URLs end up in logs. */
export function checkTokenPlace(query: Query, authorization: string | undefined): void {
  if (authorization === undefined || !query.has('access_token')) return
  throw ApiError.of('invalid_request', {message: 'The access token belongs into the Authorization header alone.'})
}

interface ReadBody {
  readonly raw?: unknown
  readonly valid?: unknown
  readonly note?: string
}

const noBody: ReadBody = {}
const largeBodyBytes = 32_768

async function readBody(exchange: Exchange, schema: Schema, principal: Principal): Promise<ReadBody> {
  const {operation, header, body} = exchange
  if (operation.bodyKind === 'form') {
    const {form, ...noted} = await readOauthForm(exchange, principal)
    return {...noted, valid: validated(schema, Object.fromEntries(form))}
  }
  const type = header('content-type')
  // A request without type and body lacks the body (400), not the type (415).
  const untyped = type === undefined ? await body() : undefined
  if (untyped?.length !== 0) checkMediaType(type, 'application/json')
  const encoding = header('content-encoding')
  if (encoding !== undefined && encoding !== 'identity') {
    throw ApiError.of('UnsupportedMediaType', {message: 'Bodies must come without a content encoding.'})
  }
  const bytes = untyped ?? (await body())
  const raw = parseJsonBody(bytes)
  // Reading, validating and handling a large body each take long enough to yield in between.
  const isLarge = bytes.length > largeBodyBytes
  if (isLarge) await nextTurn()
  const valid = validated(schema, raw)
  if (isLarge) await nextTurn()
  return {raw, valid}
}

function deprecationNotice(
  {deprecatedUses}: Runtime,
  operation: AnyOperation,
  body: unknown,
  query: Query,
): string | undefined {
  if (operation.deprecations === undefined) return undefined
  const used = operation.deprecations.filter((use) => use.usedBy(body, query))
  if (used.length === 0) return undefined
  for (const {id} of used) deprecatedUses.set(id, (deprecatedUses.get(id) ?? 0) + 1)
  return used
    .map(({feature, alternative, since}) => `${feature} is deprecated since ${since}; use ${alternative}`)
    .join('; ')
}
