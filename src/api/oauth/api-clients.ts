import * as v from 'valibot'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {dayMs, isoTime} from '../../domain/iso-time.js'
import {between, optional, rule, Text} from '../../domain/rules.js'
import {Day, Moment, membersOf} from '../../domain/shape-of.js'
import {grants, parseScope} from '../../oauth/scopes.js'
import type {Predicate, Shape} from '../../query/ast.js'
import {allOf, either, isAbsent, isAfter, isFacet} from '../../query/predicates.js'
import {REALM} from '../../store/store.js'
import {limits} from '../../work/limits.js'
import type {ApiClient} from '../documents/api-client.js'
import type {Context} from '../operation/context.js'
import {operation} from '../operation/operation.js'
import {missing, type PagedResult, page, pageOf} from '../operation/read.js'
import {retrying} from '../operation/retrying.js'
import {liveClient} from '../pipeline/authenticate.js'

/** U+0020 alone divides scopes (RFC 6749 §3.3); what else stands between two makes them one that is none. */
const wordsOf = (text: string): string[] => [...new Set(text.split(' ').filter((part) => part !== ''))]

/** Whether a scope text is well-formed. Checks the length first, so that an over-long text is never split. */
function isScopeText(text: string): boolean {
  if (text.length > limits.scopeCharacters) return false
  const {length} = wordsOf(text)
  return length > 0 && length <= limits.scopes
}

const ApiClientDraft = v.object({
  name: v.pipe(
    Text,
    rule((name: string) => name.trim() !== '' && name.length <= 256, 'It has 1 to 256 characters.'),
  ),
  scope: v.pipe(Text, rule(isScopeText, `It names 1 to ${limits.scopes} scopes.`)),
  deleteDaysAfterCreation: optional(between(1, 36_500)),
  accessTokenValiditySeconds: optional(between(3_600, 604_800)),
  refreshTokenValiditySeconds: optional(between(30, 31_536_000)),
})

/**
 * The scopes of a draft as a text without repeats. Throws InvalidField for a text that is not a scope of this project,
 * and insufficient_scope for one that the caller lacks: a client never gets more permissions than its creator.
 */
function draftedScope({project, principal}: Context, given: string): string {
  const parts = wordsOf(given)
  const scopes = parts.map((part) => {
    const scope = parseScope(part)
    if (scope?.projectKey === project.key) return scope
    throw ApiError.of('InvalidField', {field: 'scope', invalidValue: part, rule: 'It is no scope of this project.'})
  })
  const held = principal.kind === 'bearer' && principal.storeKey === undefined ? principal.scopes : []
  const missing = scopes.filter((scope) => !grants(held, scope)).map(({name}) => name)
  if (missing.length > 0) throw ApiError.of('insufficient_scope', {missing: [...new Set(missing)]})
  return parts.join(' ')
}

/** An API client as replies show it: without a version, with its secret only at creation. Source: API › API Clients. */
const ApiClientReply = v.object({
  id: v.string(),
  name: v.string(),
  scope: v.string(),
  createdAt: Moment,
  lastUsedAt: v.exactOptional(Day),
  deleteAt: v.exactOptional(Moment),
  accessTokenValiditySeconds: v.exactOptional(v.number()),
  refreshTokenValiditySeconds: v.exactOptional(v.number()),
  secret: v.exactOptional(v.string()),
})

type ShownApiClient = v.InferOutput<typeof ApiClientReply>

const area = 'API clients'
const viewing = {method: 'GET', area, permission: {kind: 'bearer', anyOf: ['view_api_clients']}} as const
/** External tokens may not manage API clients, which would outlive the trust in the other authorization server. */
const managing = {
  area,
  permission: {kind: 'bearer', anyOf: ['manage_api_clients'], ownTokensOnly: true},
  reply: ApiClientReply,
} as const

/** The members of the reply alone, which the digest of the secret is not. */
const shown = (client: ApiClient): ShownApiClient => v.parse(ApiClientReply, client)

const {secret: _, ...members} = membersOf(ApiClientReply.entries)

const shape: Shape = {members}

const ofProject = ({project, now}: Context): Predicate | undefined =>
  allOf(isFacet('projectKey', project.key), either(isAbsent('deleteAt'), isAfter('deleteAt', isoTime(now))))

const queryApiClients = operation({
  ...viewing,
  id: 'queryApiClients',
  head: 'apiClientExistsByQuery',
  path: '/{projectKey}/api-clients',
  summary: 'find API clients by predicates',
  query: ['where', 'sort', 'expand', 'limit', 'offset', 'withTotal', 'var.*'],
  reply: pageOf(ApiClientReply) as unknown as v.GenericSchema<PagedResult<ShownApiClient>>,
  handle: async (context, {query}) => {
    const clients = {space: REALM, kind: 'api-client', shape, query, only: ofProject(context)}
    const found = await page<ApiClient>(context, clients)
    return {...found, results: found.results.map(shown)}
  },
})

async function clientById({runtime, project, now}: Context, id: string): Promise<ApiClient> {
  const client = await liveClient(runtime.state, id, now)
  if (client?.projectKey === project.key) return client
  throw missing('ApiClient', {id})
}

const getApiClient = operation({
  ...viewing,
  id: 'getApiClientById',
  head: 'apiClientExistsById',
  path: '/{projectKey}/api-clients/{id}',
  summary: 'read an API client, without its secret',
  reply: ApiClientReply,
  handle: async (context, {params}) => shown(await clientById(context, params.id)),
})

const createApiClient = operation({
  ...managing,
  id: 'createApiClient',
  method: 'POST',
  path: '/{projectKey}/api-clients',
  summary: 'create an API client; its secret is in this answer and nowhere else',
  body: ApiClientDraft,
  success: 201,
  secrets: ['secret'],
  handle: async (context, {body}) => {
    const {runtime, project, now} = context
    const {secrets, state} = runtime
    const scope = draftedScope(context, body.scope)
    const secret = secrets.token(24)
    const days = body.deleteDaysAfterCreation
    const doc = defined({
      id: secrets.token(18),
      version: 1,
      projectKey: project.key,
      name: body.name,
      scope,
      secretDigest: secrets.digest(secret),
      createdAt: isoTime(now),
      deleteAt: days === undefined ? undefined : isoTime(now + days * dayMs),
      accessTokenValiditySeconds: body.accessTokenValiditySeconds,
      refreshTokenValiditySeconds: body.refreshTokenValiditySeconds,
    }) as ApiClient
    await state.commit(REALM, [{kind: 'api-client', expect: 0, doc}])
    return {...shown(doc), secret}
  },
})

/** Deletes a client. Its tokens are refused from then on, since authentication looks up the client of a token. */
const deleteApiClient = operation({
  ...managing,
  id: 'deleteApiClientById',
  method: 'DELETE',
  path: '/{projectKey}/api-clients/{id}',
  summary: 'delete an API client, and end its tokens',
  handle: (context, {params}) =>
    retrying(async () => {
      const client = await clientById(context, params.id)
      await context.runtime.state.commit(REALM, [{kind: 'api-client', expect: client.version, remove: client.id}])
      return shown(client)
    }),
})

export const apiClientOperations = [queryApiClients, createApiClient, getApiClient, deleteApiClient]
