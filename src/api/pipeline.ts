import {ApiError, errorBody, notFound} from '../domain/errors.js'
import {QueryError} from '../query/query-error.js'
import {REALM} from '../store/store.js'
import {authenticateBasic, authenticateBearer, checkAdmin} from './authenticate.js'
import type {Context, Platform, Principal} from './context.js'
import type {Project} from './documents/project.js'
import {parseFormBody} from './form-body.js'
import {parseJsonBody} from './json-body.js'
import type {AnyOperation, Query, Reply} from './operation.js'
import {permit} from './permit.js'
import {validated} from './validate.js'

/** One request, whatever brought it here. The body is asked for only when the caller may send one. */
export interface Exchange {
  readonly operation: AnyOperation
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  /** Lower-case names. */
  readonly header: (name: string) => string | undefined
  readonly body: () => Promise<Uint8Array>
}

const correlationForm = /^[A-Za-z0-9_/.:-]{1,256}$/

/** The caller's correlation id if it is safe to repeat, else a new one. */
export const correlationIdOf = (given: string | undefined, newId: () => string): string =>
  given !== undefined && correlationForm.test(given) ? given : `frontdesk-${newId()}`

const isOauth = (operation: AnyOperation): boolean => operation.path.startsWith('/oauth/')

/** The reply to a refusal. Internal errors keep their cause to themselves. */
export function refusal(error: unknown, oauth: boolean, correlationId: string): Reply {
  const known =
    error instanceof ApiError
      ? error
      : error instanceof QueryError
        ? ApiError.of('InvalidInput', {message: error.message})
        : ApiError.of('General', {
            message: `Something failed inside the server. Its log has it under ${correlationId}.`,
          })
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

const isFault = (error: unknown): boolean =>
  !(error instanceof QueryError) && !(error instanceof ApiError && error.statusCode !== 500)

/** What a server wants to know of failures that are its own. */
export type OnFault = (error: unknown, correlationId: string) => void

/** authenticate → permit → validate → handle → reply, in the order of decision 5. Never throws. */
export async function run(platform: Platform, exchange: Exchange, onFault?: OnFault): Promise<Reply> {
  const {operation} = exchange
  const correlationId = correlationIdOf(exchange.header('x-correlation-id'), platform.secrets.uuid)
  let reply: Reply
  try {
    reply = await answer(platform, exchange, correlationId)
  } catch (error) {
    if (isFault(error)) onFault?.(error, correlationId)
    reply = refusal(error, isOauth(operation), correlationId)
  }
  const headers = {
    'cache-control': 'no-store',
    ...(isOauth(operation) ? {pragma: 'no-cache'} : {}),
    'x-correlation-id': correlationId,
    ...reply.headers,
  }
  return operation.method === 'HEAD' ? {status: reply.status, headers} : {...reply, headers}
}

async function answer(platform: Platform, exchange: Exchange, correlationId: string): Promise<Reply> {
  const {operation, params, query, header} = exchange
  const now = platform.clock()
  const project = await projectOf(platform, params)
  const principal = await authenticate(platform, exchange, project, correlationId, now)
  if (operation.permission.kind === 'bearer' && principal.kind === 'bearer') {
    const {projectKey = '', storeKey} = params
    const place = {projectKey, projectExists: project !== undefined, ...(storeKey === undefined ? {} : {storeKey})}
    await permit(operation.permission, principal, place, platform.state, platform.settings.strictTokens)
  }
  const body = await readBody(exchange)
  await checkStore(platform, params)
  const externalUserId = header('x-external-user-id')
  const context: Context = {
    platform,
    project: project ?? noProject,
    principal,
    correlationId,
    now,
    ...(params['storeKey'] === undefined ? {} : {storeKey: params['storeKey']}),
    ...(externalUserId === undefined ? {} : {externalUserId: externalUserId.slice(0, 128)}),
  }
  const reply = await operation.handle(context, {params, query, body: body.valid})
  const notice = deprecationNotice(platform, operation, body.raw)
  return notice === undefined ? reply : {...reply, headers: {...reply.headers, 'x-deprecation-notice': notice}}
}

/** Stands in for the project of routes that name none; nothing reads it there. */
const noProject: Project = {
  id: '',
  version: 0,
  key: '',
  name: '',
  countries: [],
  currencies: [],
  languages: [],
  createdAt: '',
  lastModifiedAt: '',
  messages: {enabled: false, deleteDaysAfterCreation: 15},
}

async function projectOf({state}: Platform, {projectKey}: Exchange['params']): Promise<Project | undefined> {
  return projectKey === undefined ? undefined : state.get<Project>(REALM, 'project', projectKey)
}

async function authenticate(
  platform: Platform,
  {operation, params, header}: Exchange,
  project: Project | undefined,
  correlationId: string,
  now: number,
): Promise<Principal> {
  switch (operation.permission.kind) {
    case 'open':
      return {kind: 'nobody'}
    case 'basic': {
      const client = await authenticateBasic(platform, header('authorization'), now)
      // A client of another project learns nothing about this one.
      if (params['projectKey'] !== undefined && client.projectKey !== params['projectKey']) {
        throw ApiError.of('invalid_client', {})
      }
      return {kind: 'basic', client}
    }
    case 'admin':
      checkAdmin(platform, header('authorization'))
      return {kind: 'admin'}
    case 'bearer':
      return authenticateBearer(platform, header('authorization'), project, correlationId, now)
  }
}

async function readForm({operation, header, query, body}: Exchange): Promise<ReadonlyMap<string, string>> {
  const known = operation.formParameters ?? []
  try {
    checkMediaType(header('content-type'), 'application/x-www-form-urlencoded')
    const misplaced = known.find((name) => query.has(name))
    if (misplaced !== undefined) {
      throw ApiError.of('invalid_request', {message: `The parameter ${misplaced} belongs into the body.`})
    }
    return parseFormBody(await body(), known)
  } catch (error) {
    const isUnreadable = error instanceof ApiError && error.is('invalid_request')
    if (operation.lenientBody && isUnreadable) return new Map()
    throw error
  }
}

async function readBody(exchange: Exchange): Promise<{raw: unknown; valid: unknown}> {
  const {operation, header, body} = exchange
  if (!operation.body) return {raw: undefined, valid: undefined}
  if (operation.bodyKind === 'form') {
    return {raw: undefined, valid: validated(operation.body, Object.fromEntries(await readForm(exchange)))}
  }
  checkMediaType(header('content-type'), 'application/json')
  const encoding = header('content-encoding')
  if (encoding !== undefined && encoding !== 'identity') {
    throw ApiError.of('UnsupportedMediaType', {message: 'Bodies must come without a content encoding.'})
  }
  const raw = parseJsonBody(await body())
  return {raw, valid: validated(operation.body, raw)}
}

/** Only the media type that the route takes, in UTF-8. */
function checkMediaType(given: string | undefined, wanted: string): void {
  const [type = '', ...parameters] = (given ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length)
  const isUtf8 = charset === undefined || charset.replaceAll('"', '') === 'utf-8'
  if (type === wanted && isUtf8) return
  const message = `The body must have the content type ${wanted}${isUtf8 ? '' : ' in UTF-8'}.`
  throw ApiError.of(wanted === 'application/json' ? 'UnsupportedMediaType' : 'invalid_request', {message})
}

/** An unknown store of the path is missing like any resource; who lacks the project scope was refused before. */
async function checkStore({state}: Platform, {projectKey, storeKey}: Exchange['params']): Promise<void> {
  if (storeKey === undefined || projectKey === undefined || projectKey === '') return
  if (!(await state.find(projectKey, 'store', `key:${storeKey}`))) {
    throw notFound(`The Store with key '${storeKey}' was not found.`)
  }
}

function deprecationNotice({deprecatedUses}: Platform, operation: AnyOperation, body: unknown): string | undefined {
  const used = (operation.deprecations ?? []).filter((use) => use.usedBy(body))
  if (used.length === 0) return undefined
  for (const {feature} of used) deprecatedUses.set(feature, (deprecatedUses.get(feature) ?? 0) + 1)
  return used
    .map(({feature, alternative, since}) => `${feature} is deprecated since ${since}; use ${alternative}`)
    .join('; ')
}
