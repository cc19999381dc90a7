import {expect} from 'chai'
import type {AccessToken} from '../../src/api/documents/token.js'
import {operations} from '../../src/api/index.js'
import type {OnFault, Settings} from '../../src/api/operation/context.js'
import {queryOf} from '../../src/api/operation/parameters.js'
import {run} from '../../src/api/pipeline/pipeline.js'
import {type Credential, newCredential} from '../../src/domain/credentials/credential.js'
import type {Secrets} from '../../src/secrets/secrets.js'
import {routerOf} from '../../src/server/http/router.js'
import {newProject} from '../../src/server/local/first-use.js'
import {type OpenedRuntime, openRuntime} from '../../src/server/local/runtime.js'
import {seedProject} from '../../src/server/local/seed.js'
import {readSeedPack, type SeedPack} from '../../src/server/local/seed-pack.js'
import {replyBody} from '../../src/server/reply-body.js'
import {REALM} from '../../src/store/store.js'
import {checkAnswer} from './operation/openapi-check.js'
import {answerOf, differencesIn, errorDifferences} from './operation/reference-check.js'

/** A platform in memory whose clock the test moves, asked through router and pipeline without a socket. */

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
export type Body = any

export interface Answer {
  readonly status: number
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>
}

export interface Ask {
  /** JSON, unless `raw` says otherwise. */
  readonly body?: unknown
  /** Body bytes as they are. */
  readonly raw?: string | Uint8Array
  readonly contentType?: string
  /** Absent: the token of the project's administration. Null: none. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** The answer has a document that the test stored without what the platform requires. */
  readonly incomplete?: boolean
  /** Gets failures of the server, which otherwise fail the test. */
  readonly onFault?: OnFault
}

export interface Binding {
  readonly customerId?: string
  readonly anonymousId?: string
  readonly storeKey?: string
}

export interface Desk {
  readonly runtime: OpenedRuntime
  readonly projectKey: string
  readonly clock: {now: number}
  /** A token with these scopes (names without the project are completed), as if a flow had issued it. */
  token(scopes: string, binding?: Binding): Promise<string>
  /** Path below the project (`/customers`) or from the root (`//oauth/token`). */
  ask(method: string, path: string, ask?: Ask): Promise<Answer>
}

const route = routerOf(operations)

/** What a client reads out of the bytes that the front sends. */
async function received(body: unknown): Promise<Body> {
  const sent = await replyBody(body)
  if (!sent) return undefined
  return JSON.parse(Buffer.from(sent.parts.join(''), 'latin1').toString())
}

/**
 * Every commit that brings the JSON of a document brings that which would be made of it, in the same order; its messages
 * are as the reference has them.
 */
function checkCommits(state: OpenedRuntime['state']): void {
  const commit = state.commit.bind(state)
  state.commit = (project, changes, complete) => {
    for (const change of changes) {
      if (!('doc' in change)) continue
      if (change.json !== undefined) expect(change.json).to.equal(JSON.stringify(change.doc))
      if (change.kind === 'message') expect(differencesIn('Message', change.doc)).to.deep.equal([])
    }
    return commit(project, changes, complete)
  }
}

export interface DeskOptions {
  /** Seeds `fixtures/demo` as the project `demo`; otherwise an empty project `shop`. */
  readonly seed?: boolean
  readonly settings?: Partial<Settings>
  readonly languages?: readonly string[]
  /** A database in place of memory. */
  readonly storeUrl?: string
  readonly secrets?: Secrets
}

/** Read once in each process. */
let demo: Promise<SeedPack> | undefined

export async function openDesk({
  seed = false,
  settings = {},
  languages = [],
  ...replaced
}: DeskOptions = {}): Promise<Desk> {
  const clock = {now: Date.parse('2026-11-20T10:00:00.000Z')}
  const runtime = await openRuntime({
    dataDir: ':memory:',
    writer: 'server',
    clock: () => clock.now,
    settings: {passwordCost: 4, ...settings},
    ...replaced,
  })
  checkCommits(runtime.state)
  const projectKey = seed ? 'demo' : 'shop'
  if (seed) {
    demo ??= readSeedPack('fixtures/demo', runtime.secrets.uuid)
    await seedProject(runtime, projectKey, structuredClone(await demo))
  } else {
    const doc = {...newProject(projectKey, new Date(clock.now).toISOString()), languages}
    await runtime.state.commit(REALM, [{kind: 'project', expect: 0, doc}])
  }
  const clientId = 'test-client'
  await runtime.state.commit(REALM, [
    {
      kind: 'api-client',
      expect: 0,
      doc: {
        id: clientId,
        version: 1,
        projectKey,
        name: 'test',
        scope: `manage_project:${projectKey}`,
        secretDigest: runtime.secrets.digest('test-secret'),
        createdAt: new Date(clock.now).toISOString(),
      } as never,
    },
  ])
  const completed = (scope: string): string => {
    const [name = '', ...rest] = scope.split(':')
    return rest.length === 0 ? `${name}:${projectKey}` : scope
  }
  // As a sign-in leaves it: no session lives without one.
  const credentialOf = async (id = ''): Promise<Credential | undefined> => {
    const {state} = runtime
    const known = await state.get<Credential>(projectKey, 'credential', id)
    if (known || !(await state.get(projectKey, 'customer', id))) return known
    const doc = newCredential(id)
    await state.commit(projectKey, [{kind: 'credential', expect: 0, doc}])
    return doc
  }
  const token = async (scopes: string, binding: Binding = {}): Promise<string> => {
    const value = runtime.secrets.token(32)
    const credential = await credentialOf(binding.customerId)
    const doc: AccessToken = {
      id: runtime.secrets.digest(value),
      version: 1,
      projectKey,
      clientId,
      scopes: scopes.split(' ').filter(Boolean).map(completed),
      expiresAt: clock.now + 365 * 86_400_000,
      ...binding,
      ...(credential ? {sessionEpoch: credential.sessionEpoch} : {}),
    }
    await runtime.state.commit(REALM, [{kind: 'token', expect: 0, doc}])
    return value
  }
  const admin = await token('manage_project manage_api_clients')

  const ask = async (method: string, path: string, given: Ask = {}): Promise<Answer> => {
    const full = path.startsWith('//') ? path.slice(1) : `/${projectKey}${path}`
    const [pathname = '', search = ''] = full.split(/\?(.*)/s)
    const found = route(method, pathname)
    const bearer = given.token === undefined ? admin : given.token
    const headers: Record<string, string> = {
      ...(bearer === null ? {} : {authorization: `Bearer ${bearer}`}),
      ...(given.body !== undefined || given.raw !== undefined
        ? {'content-type': given.contentType ?? 'application/json'}
        : {}),
      ...given.headers,
    }
    const bytes = Buffer.from(given.raw ?? (given.body === undefined ? '' : JSON.stringify(given.body)))
    const reply = await run(
      runtime,
      {
        operation: found.operation,
        params: found.params,
        query: queryOf(search),
        header: (name) => headers[name],
        body: async () => bytes,
        takesTexts: true,
      },
      given.onFault ??
        ((error) => {
          throw error
        }),
    )
    const {operation} = found
    const body = await received(reply.body)
    await checkAnswer(operation.path, operation.method, operation.success ?? 200, reply.status, body)
    const type = answerOf(operation)
    if (type !== undefined && body !== undefined && reply.status < 400 && !given.incomplete) {
      expect(differencesIn(type, body), `${method} ${full} beside the reference`).to.deep.equal([])
    }
    if (reply.status >= 400 && body !== undefined) {
      expect(errorDifferences(body), `${method} ${full} beside the reference`).to.deep.equal([])
    }
    return {status: reply.status, body, headers: reply.headers ?? {}}
  }
  return {runtime, projectKey, clock, token, ask}
}

let counter = 0

/** A draft whose email, and only that, is new. */
export const draft = (members: object = {}): Record<string, unknown> => {
  counter += 1
  return {email: `person-${counter}@example.com`, password: 'correct horse', ...members}
}

/** Signs a customer up and gives it back; fails loudly if that does not work. */
export async function signedUp(desk: Desk, members: object = {}, path = '/customers'): Promise<Body> {
  const {status, body} = await desk.ask('POST', path, {body: draft(members)})
  if (status !== 201) throw new Error(`sign-up ended with ${status}: ${JSON.stringify(body)}`)
  return body.customer
}

/** Applies actions at the customer's current version. */
export async function acted(desk: Desk, customer: Body, ...actions: object[]): Promise<Answer> {
  return desk.ask('POST', `/customers/${customer.id}`, {body: {version: customer.version, actions}})
}

export const errorOf = ({body}: Answer): Body => body.errors[0]
