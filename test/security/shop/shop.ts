import type {AddressInfo} from 'node:net'
import {type ApiClient, withScope} from '../../../src/api/documents/api-client.js'
import type {AccessToken} from '../../../src/api/documents/token.js'
import {operations} from '../../../src/api/index.js'
import type {Settings} from '../../../src/api/operation/context.js'
import type {AnyOperation} from '../../../src/api/operation/operation.js'
import {passwordsOf} from '../../../src/secrets/passwords.js'
import type {WorkerPool} from '../../../src/secrets/worker-pool.js'
import type {ExternalOAuthOptions} from '../../../src/server/external/external-oauth.js'
import {fallbackTo} from '../../../src/server/fallback/fallback.js'
import type {FallbackOptions} from '../../../src/server/fallback/target.js'
import type {FrontLimits} from '../../../src/server/http/connections.js'
import {httpFront} from '../../../src/server/http/listeners.js'
import type {RequestLine} from '../../../src/server/http/request-line.js'
import {adminOperations} from '../../../src/server/local/admin.js'
import {newProject} from '../../../src/server/local/first-use.js'
import {type AdministeredRuntime, type OpenedRuntime, openRuntime} from '../../../src/server/local/runtime.js'
import {REALM} from '../../../src/store/store.js'
import {patienceMs} from '../../patience.js'
import {type Answer, type Body, basic, formOf, formType, send} from './wire.js'

/**
 * The shop of the numbered checks: two projects, one name a prefix of the other, three stores, a client of each kind and
 * customers of each kind, behind a real server on loopback whose clock the test moves.
 */

export interface Client {
  readonly id: string
  readonly secret: string
}

const scopes = {
  ADM: 'manage_project:shop',
  RW: 'manage_customers:shop',
  RO: 'view_customers:shop',
  ST1: 'view_customers:shop:S1 manage_customers:shop:S1',
  MY: 'manage_my_quotes:shop manage_my_orders:shop manage_my_profile:shop',
  ANON: 'manage_my_orders:shop create_anonymous_token:shop',
  INT: 'introspect_oauth_tokens:shop',
  NONE: '',
  P2A: 'manage_project:shop2 manage_api_clients:shop2',
} as const

export type ClientName = keyof typeof scopes

export interface Shop {
  readonly origin: string
  readonly runtime: OpenedRuntime
  readonly clock: {now: number}
  readonly log: RequestLine[]
  readonly faults: unknown[]
  /** Passwords that were compared with a hash since the shop opened. */
  readonly verified: {count: number}
  readonly adminToken: string
  readonly clients: Readonly<Record<ClientName, Client>>
  readonly customers: Readonly<Record<'G' | 'K1' | 'K2' | 'X', Body>>
  /** Posts a form to the authorization service. */
  post(path: string, form: Form | string, by?: ClientName | string | null, headers?: Headers): Promise<Answer>
  /** Asks the API with a bearer token. */
  api(method: string, path: string, token?: string | null, body?: unknown): Promise<Answer>
  token(by: ClientName, scope?: string): Promise<string>
  /** Tokens of a customer by password; below a store if one is named. */
  session(email: string, password: string, storeKey?: string, by?: ClientName | string, scope?: string): Promise<Body>
  anonymous(by?: ClientName, id?: string): Promise<Body>
  isActive(token: string): Promise<boolean>
  addClient(scope: string, members?: Partial<ApiClient>): Promise<Client>
  changeClient(client: Client, members: Partial<ApiClient>): Promise<void>
  close(): Promise<void>
}

type Form = Readonly<Record<string, string | undefined>>
type Headers = Readonly<Record<string, string>> | readonly (readonly [string, string])[]

export const passwords = {G: 'right horse G', K1: 'right horse K1', K2: 'right horse K2'} as const
export const emails = {G: 'g@example.com', K1: 'k1@example.com', K2: 'k2@example.com', X: 'x@example.com'} as const

export interface ShopOptions {
  readonly dataDir?: string
  readonly settings?: Partial<Settings>
  readonly limits?: Partial<FrontLimits>
  readonly allowedOrigins?: readonly string[]
  /** Absent: introspection may take as long as a test waits. */
  readonly externalOAuth?: ExternalOAuthOptions
  readonly fallback?: FallbackOptions
  /** Takes the place of the password workers of this process. */
  readonly passwordWorkers?: WorkerPool
  readonly moreOperations?: readonly AnyOperation[]
  /** Opens a state that an earlier shop filled. */
  readonly filled?: Pick<Shop, 'clients' | 'customers' | 'clock'>
}

export const start = Date.parse('2026-11-20T10:00:00.000Z')

export async function openShop(options: ShopOptions = {}): Promise<Shop> {
  const {dataDir = ':memory:', settings = {}, limits, filled, passwordWorkers, moreOperations = []} = options
  const clock = filled?.clock ?? {now: start}
  const opened = await openRuntime({
    dataDir,
    writer: 'server',
    clock: () => clock.now,
    settings: {passwordCost: 4, ...settings},
    externalOAuth: options.externalOAuth ?? {budgetMs: patienceMs},
  })
  const passwordTools = passwordWorkers ? passwordsOf(4, passwordWorkers) : opened.passwords
  const verified = {count: 0}
  const fallback = options.fallback && fallbackTo(options.fallback, 'frontdesk-of-this-shop')
  const adminToken = opened.secrets.token(32)
  const runtime: AdministeredRuntime = {
    ...opened,
    dataDir,
    startedAt: clock.now,
    adminDigest: opened.secrets.digest(adminToken),
    passwords: {
      ...passwordTools,
      verify: (...given) => {
        verified.count += 1
        return passwordTools.verify(...given)
      },
    },
  }
  const log: RequestLine[] = []
  const faults: unknown[] = []
  const front = httpFront({
    runtime,
    operations: [...operations, ...Object.values(adminOperations), ...moreOperations],
    allowedHosts: ['desk.example'],
    ...{allowedOrigins: new Set(options.allowedOrigins), ...(limits ? {limits} : {})},
    ...(fallback ? {fallback} : {}),
    onFault: (error) => faults.push(error),
    onRequest: (line) => log.push(line),
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  const base = {origin, runtime, clock, log, faults, verified, adminToken}
  const clients = filled?.clients ?? (await projects(runtime, clock.now))
  const tools = toolsOf(base, clients)
  const customers = filled?.customers ?? (await people(tools.api, await tools.token('ADM')))
  const close = async () => {
    front.closeAllConnections()
    await new Promise<void>((resolve) => front.close(() => resolve()))
    await fallback?.close()
    await runtime.state.close()
  }
  return {...base, ...tools, clients, customers, close}
}

async function projects({state, secrets}: OpenedRuntime, now: number): Promise<Shop['clients']> {
  const createdAt = new Date(now).toISOString()
  const made = Object.keys(scopes).map((name) => ({
    name: name as ClientName,
    id: secrets.token(18),
    secret: secrets.token(24),
  }))
  await state.commit(REALM, [
    ...['shop', 'shop2'].map((key) => ({kind: 'project', expect: 0, doc: newProject(key, createdAt)})),
    ...made.map(({name, id, secret}) => {
      const projectKey = name === 'P2A' ? 'shop2' : 'shop'
      const shared = {version: 1, name, projectKey, createdAt}
      const doc: ApiClient = {id, ...shared, scope: scopes[name], secretDigest: secrets.digest(secret)}
      return {kind: 'api-client', expect: 0, doc}
    }),
  ])
  await state.commit(
    'shop',
    ['S1', 'S10', 'S2'].map((key) => ({
      kind: 'store',
      expect: 0,
      doc: {id: secrets.uuid(), version: 1, key} as never,
      uniqueKeys: [{key: `key:${key}`}],
    })),
  )
  return Object.fromEntries(made.map(({name, id, secret}) => [name, {id, secret}])) as Shop['clients']
}

async function people(api: Shop['api'], admin: string): Promise<Shop['customers']> {
  const create = async (members: object): Promise<Body> => {
    const {status, body, text} = await api('POST', '/shop/customers', admin, members)
    if (status !== 201) throw new Error(`sign-up ended with ${status}: ${text}`)
    return body.customer
  }
  const store = (key: string) => ({stores: [{typeId: 'store', key}]})
  return {
    G: await create({email: emails.G, password: passwords.G, key: 'gg'}),
    K1: await create({email: emails.K1, password: passwords.K1, ...store('S1')}),
    K2: await create({email: emails.K2, password: passwords.K2, ...store('S2')}),
    X: await create({email: emails.X, authenticationMode: 'ExternalAuth'}),
  }
}

type Base = Pick<Shop, 'origin' | 'runtime' | 'clock'>

function toolsOf({origin, runtime, clock}: Base, clients: Shop['clients']) {
  const authorization = (by: ClientName | string | null): [string, string][] => {
    if (by === null) return []
    const client = Object.hasOwn(clients, by) ? clients[by as ClientName] : undefined
    return [['authorization', client ? basic(client.id, client.secret) : by]]
  }
  const post: Shop['post'] = (path, form, by = 'ADM', headers = {}) => {
    const pairs = (Array.isArray(headers) ? headers : Object.entries(headers)) as (readonly [string, string])[]
    const hasType = pairs.some(([name]) => name === 'content-type')
    return send(origin, {
      method: 'POST',
      path,
      headers: [...authorization(by), ...(hasType ? [] : [['content-type', formType] as const]), ...pairs],
      body: typeof form === 'string' ? form : formOf(form),
    })
  }
  const ok = async (answer: Promise<Answer>): Promise<Body> => {
    const {status, text, body} = await answer
    if (status !== 200) throw new Error(`no token: ${status} ${text}`)
    return body
  }
  const api: Shop['api'] = (method, path, token, body) =>
    send(origin, {
      method,
      path,
      headers: {
        ...(token === undefined || token === null ? {} : {authorization: `Bearer ${token}`}),
        ...(body === undefined ? {} : {'content-type': 'application/json'}),
      },
      ...(body === undefined ? {} : {body: typeof body === 'string' ? body : JSON.stringify(body)}),
    })
  const token: Shop['token'] = async (by, scope) => {
    const held = scope === undefined ? undefined : await addClient(scope)
    const client = held ? basic(held.id, held.secret) : by
    return (await ok(post('/oauth/token', {grant_type: 'client_credentials', scope}, client))).access_token
  }
  const session: Shop['session'] = (username, password, storeKey, by = 'MY', scope) => {
    const store = storeKey === undefined ? '' : `in-store/key=${storeKey}/`
    return ok(post(`/oauth/shop/${store}customers/token`, {grant_type: 'password', username, password, scope}, by))
  }
  const anonymous: Shop['anonymous'] = (by = 'ANON', anonymous_id) =>
    ok(post('/oauth/shop/anonymous/token', {grant_type: 'client_credentials', anonymous_id}, by))
  const isActive: Shop['isActive'] = async (value) => (await ok(post('/oauth/introspect', {token: value}))).active
  const addClient: Shop['addClient'] = async (scope, members = {}) => {
    const [id, secret] = [runtime.secrets.token(18), runtime.secrets.token(24)]
    const shared = {id, version: 1, projectKey: 'shop', name: 'added', createdAt: new Date(clock.now).toISOString()}
    const doc: ApiClient = {...shared, scope, secretDigest: runtime.secrets.digest(secret), ...members}
    await runtime.state.commit(REALM, [{kind: 'api-client', expect: 0, doc}])
    return {id: doc.id, secret}
  }
  const changeClient: Shop['changeClient'] = async ({id}, members) => {
    const before = (await runtime.state.get<ApiClient>(REALM, 'api-client', id)) as ApiClient
    const doc = {...withScope(before, members.scope ?? before.scope), ...members}
    await runtime.state.commit(REALM, [{kind: 'api-client', expect: before.version, doc}])
  }
  return {post, api, token, session, anonymous, isActive, addClient, changeClient}
}
export const storedToken = ({runtime}: Shop, value: string): Promise<AccessToken | undefined> =>
  runtime.state.get<AccessToken>(REALM, 'token', runtime.secrets.digest(value))
