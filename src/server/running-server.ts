import {allWhere} from '../api/documents/walk.js'
import type {NewToken} from '../api/operation/context.js'
import {validated} from '../api/pipeline/validate.js'
import type {Message} from '../api/project/messages.js'
import {defined} from '../domain/equal.js'
import {ApiError} from '../domain/errors.js'
import {allOf, is} from '../query/predicates.js'
import {FaultPlan, type FaultRule, type Faults} from './http/faults.js'
import {myScopes} from './local/admin-requests.js'
import {clientToken, customerToken} from './local/customer-token.js'
import type {LocalClient} from './local/local-files.js'
import {customerNameOf} from './local/named-customer.js'
import {resetProject} from './local/reset-project.js'
import type {LocalRuntime, OpenedRuntime} from './local/runtime.js'
import {extendProject, type SeedResult} from './local/seed.js'
import {readSeedPack, type SeedData, seedPackOf} from './local/seed-pack.js'
import {type RequestFilter, type RequestView, requestsOf} from './requests/request-view.js'
import {windowPath} from './window-paths.js'

/** A server that listens, in the hands of a test suite. */
export interface RunningServer {
  /** For clients: `publicUrl` if it was given. */
  readonly apiUrl: string
  readonly authUrl: string
  readonly projectKey: string
  readonly pid: number
  /** The project's first API client; it may do everything there. */
  readonly client: LocalClient
  /** What `seedDir` did, if it was given. */
  readonly seeded?: SeedResult
  /** Faults on purpose. Refused beyond loopback. */
  readonly faults: ServerFaults
  /** The time of the server. Moving it is refused beyond loopback. */
  readonly clock: ServerClock
  /**
   * Empties the project for the next test: resources, messages, API clients, tokens, lockouts, the remembered requests,
   * faults and the clock. Address and first client stay. Other projects of the server stay as they are.
   */
  reset(): Promise<void>
  /**
   * Adds to the project what a seed pack holds: its folder, or its contents by the names of its files,
   * `{customers: [{key: 'ada', email: 'ada@example.com', password: '…'}]}`. Throws InvalidSetup; nothing is stored then.
   */
  seed(pack: string | SeedData): Promise<SeedResult>
  /**
   * An access token: of a customer, as if they had signed in, or of the first client without a reference. References are
   * `key=ada`, `email=…`, `number=…`, `id=…`, an address or an id. Throws ResourceNotFound.
   */
  tokenFor(reference?: string, options?: TokenOptions): Promise<string>
  /** The project's messages, the oldest first. */
  messages(filter?: MessageFilter): Promise<readonly Message[]>
  /** The last requests to the project, the oldest first: who asked, and why they were refused. */
  requests(filter?: Omit<RequestFilter, 'projectKey'>): readonly RequestView[]
  /** The last one-time tokens of the project, the newest first: what a shop would have mailed. */
  outbox(): readonly NewToken[]
  /** A link that lets one browser of this machine into the window of the server, once (decision 58). */
  windowUrl(): Promise<string>
  /** Completes the requests in progress and closes the state. Resolves once the port is free. */
  stop(): Promise<void>
  /** As `stop`, at the end of a block: `await using server = await startServer({projectKey: 'shop'})`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** What an access token of `tokenFor` may do. */
export interface TokenOptions {
  /** Scopes without the project; for a customer those of `/me`, for the client `manage_project` if absent. */
  readonly scopes?: readonly string[]
  /** Binds the token of a customer to a store. */
  readonly storeKey?: string
}

/** Selects messages; all conditions must hold. */
export interface MessageFilter {
  readonly type?: string
  /** Id of the resource. */
  readonly resource?: string
}

/** A rule as it is set: `probability` is 1 if absent. */
export type FaultInput = Omit<FaultRule, 'probability'> & {readonly probability?: number}

/** Injects faults, for tests of the shop's own error handling. */
export interface ServerFaults {
  /** Replaces the rules: `set({operation: 'createCustomer', status: 503, times: 2})`. Throws InvalidJsonInput. */
  set(rules: FaultInput | readonly FaultInput[], options?: {readonly seed?: number}): void
  clear(): void
  /** The rules, and how often each has struck. */
  readonly state: Faults['state']
}

/** The clock of the server. A time is a Date, ISO 8601 or milliseconds since the epoch. */
export interface ServerClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Moves the time forward. */
  advance(milliseconds: number): void
  /** Sets the time, which then goes on. */
  set(time: Date | string | number): void
  /** Stops the time, at the present one if none is given. */
  freeze(time?: Date | string | number): void
  /** Back to the real time. */
  real(): void
}

interface Parts {
  readonly runtime: LocalRuntime
  readonly client: LocalClient
  readonly projectKey: string
  readonly origin: string
  readonly localOrigin: string
  readonly seeded: SeedResult | undefined
  readonly stop: () => Promise<void>
}

/** What serves: for clients of the same process, and no member of what a test suite gets. */
export const runtimes = new WeakMap<RunningServer, LocalRuntime>()

/** The object of a server that listens. */
export function runningServer(parts: Parts): RunningServer {
  const {runtime, client, projectKey, origin, localOrigin, seeded, stop} = parts
  const {faults, testClock, requestLog, outbox, entries} = runtime.memory
  const server: RunningServer = {
    apiUrl: origin,
    authUrl: origin,
    projectKey,
    pid: process.pid,
    client,
    ...defined({seeded}),
    faults: serverFaults(runtime),
    clock: serverClock(runtime),
    async reset() {
      faults.clear()
      testClock.real()
      await resetProject(runtime, projectKey, client)
      requestLog.clear()
    },
    async seed(pack) {
      const {uuid} = runtime.secrets
      const read = typeof pack === 'string' ? await readSeedPack(pack, uuid) : await seedPackOf(pack, uuid)
      return extendProject(runtime, projectKey, read)
    },
    async tokenFor(reference, {scopes, storeKey} = {}) {
      if (reference === undefined) return clientToken(runtime, client, {projectKey, ...defined({scopes})})
      const customer = customerNameOf(reference)
      const {access_token} = await customerToken(runtime, client, {
        projectKey,
        customer,
        scopes: scopes ?? myScopes,
        ...defined({storeKey}),
      })
      return access_token
    },
    messages: (filter) => messagesOf(runtime, projectKey, filter),
    requests: (filter) => requestsOf(requestLog, {...filter, projectKey}),
    outbox: () => outbox.of(projectKey),
    windowUrl: async () => {
      const code = entries.issue()
      return `${localOrigin}${windowPath}?${new URLSearchParams({project: projectKey})}#${new URLSearchParams({code})}`
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
  runtimes.set(server, runtime)
  return server
}

const onLoopback = ({isOpen}: LocalRuntime): void => {
  if (!isOpen) return
  throw ApiError.of('InvalidSetup', {
    message: 'Other machines reach this server: it has no faults and no clock to move.',
  })
}

function serverFaults(runtime: LocalRuntime): ServerFaults {
  const {faults} = runtime.memory
  return {
    set(rules, {seed} = {}) {
      onLoopback(runtime)
      faults.set(validated(FaultPlan, {rules: [rules].flat(), ...defined({seed})}))
    },
    clear: () => faults.clear(),
    get state() {
      return faults.state
    },
  }
}

function serverClock(runtime: LocalRuntime): ServerClock {
  const {testClock} = runtime.memory
  const timeOf = (time: Date | string | number): number => {
    const at = new Date(time).getTime()
    if (Number.isNaN(at)) throw ApiError.of('InvalidSetup', {message: `'${String(time)}' is no time.`})
    return at
  }
  return {
    now: testClock.now,
    advance(milliseconds) {
      onLoopback(runtime)
      testClock.advance(milliseconds)
    },
    set(time) {
      onLoopback(runtime)
      testClock.advance(timeOf(time) - testClock.now())
    },
    freeze(time) {
      onLoopback(runtime)
      testClock.freeze(time === undefined ? testClock.now() : timeOf(time))
    },
    real: () => testClock.real(),
  }
}

async function messagesOf(
  {state}: OpenedRuntime,
  projectKey: string,
  {type, resource}: MessageFilter = {},
): Promise<readonly Message[]> {
  const where = allOf(
    type === undefined ? undefined : is('type', type),
    resource === undefined ? undefined : is(['resource', 'id'], resource),
  )
  return (await allWhere<Message>(state, projectKey, 'message', where)).sort(byAge)
}

const byAge = (a: Message, b: Message): number =>
  a.createdAt === b.createdAt ? a.sequenceNumber - b.sequenceNumber : a.createdAt < b.createdAt ? -1 : 1
