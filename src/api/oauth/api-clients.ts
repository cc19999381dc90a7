import * as v from 'valibot'
import {defined} from '../../domain/equal.js'
import {notFound} from '../../domain/errors.js'
import {dayMs} from '../../domain/iso-time.js'
import type {Predicate, Shape} from '../../query/ast.js'
import {parsePage, readVars} from '../../query/page.js'
import {allOf, either, isAbsent, isAfter, isFacet} from '../../query/predicates.js'
import {parseSort} from '../../query/sort.js'
import {parseWhere} from '../../query/where.js'
import {REALM} from '../../store/store.js'
import type {ApiClient} from '../documents/api-client.js'
import {timestamp} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {operation, type Query} from '../operation/operation.js'
import {type PagedResult, pagedResult, pageOf} from '../operation/read.js'
import {retrying} from '../operation/retrying.js'
import {liveClient} from '../pipeline/authenticate.js'
import {ApiClientDraft, draftedScope} from './api-client-draft.js'

const area = 'API clients'
const view = {kind: 'bearer', anyOf: ['view_api_clients']} as const
/** External tokens may not manage API clients, which would outlive the trust in the other authorization server. */
const manage = {kind: 'bearer', anyOf: ['manage_api_clients'], ownTokensOnly: true} as const

/** An API client as replies show it: without a version, with its secret only at creation. Source: API › API Clients. */
const ApiClientReply = v.object({
  id: v.string(),
  name: v.string(),
  scope: v.string(),
  createdAt: v.string(),
  lastUsedAt: v.exactOptional(v.string()),
  deleteAt: v.exactOptional(v.string()),
  accessTokenValiditySeconds: v.exactOptional(v.number()),
  refreshTokenValiditySeconds: v.exactOptional(v.number()),
  secret: v.exactOptional(v.string()),
})

type ShownApiClient = v.InferOutput<typeof ApiClientReply>

const shown = (client: ApiClient): ShownApiClient => {
  const {id, name, scope, createdAt, lastUsedAt, deleteAt} = client
  const {accessTokenValiditySeconds, refreshTokenValiditySeconds} = client
  const validity = {accessTokenValiditySeconds, refreshTokenValiditySeconds}
  return defined({id, name, scope, createdAt, lastUsedAt, deleteAt, ...validity}) as ShownApiClient
}

const text = {leaf: 'string'} as const

/** The fields that predicates may name: scalars that the reply shows. */
const shape: Shape = {
  members: {
    id: text,
    name: text,
    scope: text,
    createdAt: {leaf: 'datetime'},
    lastUsedAt: {leaf: 'date'},
    deleteAt: {leaf: 'datetime'},
    accessTokenValiditySeconds: {leaf: 'number'},
    refreshTokenValiditySeconds: {leaf: 'number'},
  },
}

/** Matches the project's clients, except those past their scheduled deletion. */
const ofProject = ({project, now}: Context): Predicate | undefined =>
  allOf(isFacet('projectKey', project.key), either(isAbsent('deleteAt'), isAfter('deleteAt', timestamp(now))))

async function pageOfClients(context: Context, query: Query): Promise<PagedResult<ShownApiClient>> {
  const paged = parsePage(query)
  const {limit, offset, withTotal} = paged
  const {budget} = context
  const asked = parseWhere(query.get('where') ?? [], shape, readVars(query))
  const found = await context.platform.state.query<ApiClient>(REALM, 'api-client', {
    ...defined({where: allOf(ofProject(context), asked)}),
    sort: parseSort(query.get('sort') ?? [], shape, paged),
    limit,
    offset,
    take: (bytes) => budget.fits(bytes),
    ...(withTotal ? {count: {cap: Number.MAX_SAFE_INTEGER}} : {}),
  })
  return pagedResult(paged, {...found, results: found.results.map(shown)})
}

const queryApiClients = operation({
  id: 'queryApiClients',
  head: 'apiClientExistsByQuery',
  method: 'GET',
  path: '/{projectKey}/api-clients',
  summary: 'find API clients by predicates',
  area,
  permission: view,
  query: ['where', 'sort', 'limit', 'offset', 'withTotal', 'var.*'],
  reply: pageOf(ApiClientReply) as unknown as v.GenericSchema<PagedResult<ShownApiClient>>,
  handle: async (context, {query}) => pageOfClients(context, query),
})

/** The project's client with this id. Throws ResourceNotFound. */
async function clientById({platform, project, now}: Context, id: string): Promise<ApiClient> {
  const client = await liveClient(platform.state, id, now)
  if (client?.projectKey === project.key) return client
  throw notFound(`The ApiClient with ID '${id}' was not found.`)
}

const getApiClient = operation({
  id: 'getApiClientById',
  head: 'apiClientExistsById',
  method: 'GET',
  path: '/{projectKey}/api-clients/{id}',
  summary: 'read an API client, without its secret',
  area,
  permission: view,
  reply: ApiClientReply,
  handle: async (context, {params}) => shown(await clientById(context, params.id)),
})

const createApiClient = operation({
  id: 'createApiClient',
  method: 'POST',
  path: '/{projectKey}/api-clients',
  summary: 'create an API client; its secret is in this answer and nowhere else',
  area,
  permission: manage,
  body: ApiClientDraft,
  success: 201,
  secrets: ['secret'],
  reply: ApiClientReply,
  handle: async (context, {body}) => {
    const {platform, project, now} = context
    const {secrets, state} = platform
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
      createdAt: timestamp(now),
      deleteAt: days === undefined ? undefined : timestamp(now + days * dayMs),
      accessTokenValiditySeconds: body.accessTokenValiditySeconds,
      refreshTokenValiditySeconds: body.refreshTokenValiditySeconds,
    }) as ApiClient
    await state.commit(REALM, [{kind: 'api-client', expect: 0, doc}])
    return {...shown(doc), secret}
  },
})

/** Deletes a client. Its tokens are refused from then on, since authentication looks up the client of a token. */
const deleteApiClient = operation({
  id: 'deleteApiClientById',
  method: 'DELETE',
  path: '/{projectKey}/api-clients/{id}',
  summary: 'delete an API client, and end its tokens',
  area,
  permission: manage,
  reply: ApiClientReply,
  handle: (context, {params}) =>
    retrying(async () => {
      const client = await clientById(context, params.id)
      await context.platform.state.commit(REALM, [{kind: 'api-client', expect: client.version, remove: client.id}])
      return shown(client)
    }),
})

export const apiClientOperations = [queryApiClients, createApiClient, getApiClient, deleteApiClient]
