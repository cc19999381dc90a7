import {randomUUID} from 'node:crypto'
import {operations} from '../api/index.js'
import type {OnFault} from '../api/operation/context.js'
import {defined} from '../domain/equal.js'
import {ApiError} from '../domain/errors.js'
import {linkProblem} from '../domain/token-link.js'
import {privateFolder} from '../files/private-file.js'
import {fallbackTo} from './fallback/fallback.js'
import type {FallbackOptions} from './fallback/target.js'
import {bindProblem, checkedAllowedHosts, isLoopback, publicOriginOf} from './http/bind.js'
import type {FrontLimits} from './http/connections.js'
import type {Fallback} from './http/fallback.js'
import {Faults} from './http/faults.js'
import {listen} from './http/listeners.js'
import {checkedAllowedOrigins} from './http/origins.js'
import type {RequestLine} from './http/request-line.js'
import {adminOperations} from './local/admin.js'
import {ensureProject, nameAllScopes} from './local/first-use.js'
import {writeAdminToken} from './local/local-files.js'
import {type LocalRuntime, openRuntime, type RuntimeOptions, type TokenLinks} from './local/runtime.js'
import {seedFromFolder} from './local/seed.js'
import {serverOperations, testHookOperations} from './local/server-operations.js'
import {Entries} from './local/window-entries.js'
import {RequestLog} from './requests/request-log.js'
import {type RunningServer, runningServer} from './running-server.js'
import {Outbox} from './stubs/outbox.js'
import {TestClock} from './stubs/test-clock.js'
import {Window} from './window/window.js'

export type {RunningServer} from './running-server.js'

/** A local server; only the key of its first project is required. */
export interface ServerOptions
  extends Pick<RuntimeOptions, 'clock' | 'externalOAuth' | 'force' | 'onFatal' | 'settings'>,
    TokenLinks {
  /** Folder of the state, created if missing, or `:memory:`, which ends with the server; `:memory:` if absent. */
  readonly dataDir?: string
  /** A PostgreSQL database for the state; the folder then holds only files of this server. */
  readonly storeUrl?: string
  readonly projectKey: string
  /** Seed pack for the project, if it does not exist yet: `demo`, which is built in, or a folder. */
  readonly seedDir?: string
  /** An IP address of this machine; 127.0.0.1 if absent. Beyond loopback it requires `insecureHttp`. */
  readonly host?: string
  /** Allows plain HTTP beyond loopback, where secrets and tokens travel unencrypted. */
  readonly insecureHttp?: true
  /** 0 or absent: any free port. */
  readonly port?: number
  /** The address that clients use if it is another: of a proxy, a container, a published port. */
  readonly publicUrl?: string
  /** Hosts, beside loopback ones, under which this server may be addressed; with its port, another one, or any (`:*`). */
  readonly allowedHosts?: readonly string[]
  /** Origins whose pages may use the API from a browser, as in `http://localhost:5173`. */
  readonly allowedOrigins?: readonly string[]
  readonly limits?: Partial<FrontLimits>
  /** Keep the queries and bodies of the last requests too, their secrets masked when they are shown. */
  readonly keepBodies?: boolean
  /** Another server for the paths that this one does not serve: its URL, or options. Absent: such paths get 404. */
  readonly fallback?: string | FallbackOptions
  readonly onRequest?: (line: RequestLine) => void
  readonly onFault?: OnFault
  /** Called for damage found at the start, and for failures of background work. */
  readonly onWarning?: (message: string) => void
}

/** Where a server listens and how it may be named. Throws InvalidSetup where it must not listen, or an unusable address. */
function checkedAddressOf(options: ServerOptions) {
  const {host = '127.0.0.1', port = 0, publicUrl} = options
  const problem = bindProblem({...options, host})
  if (problem !== undefined) throw ApiError.of('InvalidSetup', {message: problem})
  const publicOrigin = publicUrl === undefined ? undefined : publicOriginOf(publicUrl)
  const allowedHosts = checkedAllowedHosts(options.allowedHosts ?? [], publicOrigin)
  const allowedOrigins = checkedAllowedOrigins(options.allowedOrigins ?? [])
  return {host, port, publicOrigin, allowedHosts, allowedOrigins}
}

/** Throws InvalidSetup for an invalid link. */
function checkedLinks({resetLink, verifyLink}: ServerOptions): TokenLinks {
  const links = defined({resetLink, verifyLink})
  for (const [name, link] of Object.entries(links)) {
    const problem = linkProblem(link)
    if (problem !== undefined) throw ApiError.of('InvalidSetup', {message: `${name} ${problem}.`})
  }
  return links
}

/** Its pseudonym is new with each start, so that a request which comes back is known by its Via. Throws InvalidSetup. */
const fallbackOf = ({fallback: to}: ServerOptions): Fallback | undefined =>
  to === undefined ? undefined : fallbackTo(typeof to === 'string' ? {url: to} : to, `frontdesk-${randomUUID()}`)

/**
 * Starts the local server. Throws StateError for a state or port in use, ApiError `InvalidSetup` for a bad seed pack or an
 * address where the server must not listen.
 *
 *     await using server = await startServer({projectKey: 'shop', seedDir: 'demo'})
 *     await fetch(`${server.apiUrl}/shop/me`, {headers: {authorization: `Bearer ${await server.tokenFor('key=ada')}`}})
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const {dataDir = ':memory:', projectKey, seedDir} = options
  const {storeUrl, force, externalOAuth, onFatal, onWarning} = options
  const address = checkedAddressOf(options)
  const links = checkedLinks(options)
  const fallback = fallbackOf(options)
  const testClock = new TestClock(options.clock ?? Date.now)
  // A state that ends with the server is for tests: its passwords need not last.
  const settings = dataDir === ':memory:' ? {passwordCost: 4, ...options.settings} : options.settings
  const opened = await openRuntime({
    dataDir,
    writer: 'server',
    clock: testClock.now,
    ...defined({storeUrl, force, settings, externalOAuth, onFatal, onWarning}),
  })
  let serving: Awaited<ReturnType<typeof serve>> | undefined
  try {
    const seeded = seedDir === undefined ? undefined : await seedFromFolder(opened, projectKey, seedDir)
    await nameAllScopes(opened, onWarning)
    const client = await ensureProject(opened, dataDir, projectKey)
    const adminToken = opened.secrets.token(32)
    const outbox = new Outbox()
    const requestLog = new RequestLog(options.keepBodies)
    const runtime = {
      ...opened,
      isOpen: !isLoopback(address.host),
      adminDigest: opened.secrets.digest(adminToken),
      dataDir,
      startedAt: opened.clock(),
      ...(dataDir === ':memory:' ? {firstClient: client} : {}),
      links,
      outbox: outbox.add,
      memory: {faults: new Faults(), testClock, requestLog, outbox, entries: new Entries(opened.secrets)},
    }
    serving = await serve(options, address, runtime, fallback)
    if (dataDir !== ':memory:') writeAdminToken(privateFolder(dataDir), adminToken)
    const {origin, listeners, stop} = serving
    const {localOrigin} = listeners
    await runtime.state.publish(localOrigin, origin === localOrigin ? undefined : origin)
    return runningServer({runtime, client, projectKey, origin, localOrigin, seeded, stop})
  } catch (error) {
    await serving?.listeners.close()
    await opened.state.close()
    throw error
  }
}

/** How often a server looks whether to sweep. */
const sweepCheckMs = 60_000

/** Listens with every operation: those of the API, and those of the administration of this machine. Throws StateError. */
async function serve(
  options: ServerOptions,
  {publicOrigin, ...address}: ReturnType<typeof checkedAddressOf>,
  runtime: LocalRuntime,
  fallback: Fallback | undefined,
) {
  const {fallback: _, publicUrl: __, ...frontOptions} = options
  const {faults, requestLog} = runtime.memory
  const window = new Window(runtime)
  const listeners = await listen({
    ...frontOptions,
    ...address,
    runtime,
    faults,
    requestLog,
    window,
    operations: [
      ...operations,
      ...Object.values(adminOperations),
      ...Object.values(serverOperations),
      ...(runtime.isOpen ? [] : Object.values(testHookOperations)),
    ],
    ...defined({publicOrigin, fallback}),
  })
  const {sweeper, clock} = runtime
  // A server that nobody asks sweeps as well.
  const sweeps = setInterval(() => sweeper.due(clock()), sweepCheckMs).unref()
  sweeper.due(clock())
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    clearInterval(sweeps)
    window.close()
    await listeners.close()
    await sweeper.idle('stop')
    await fallback?.close()
    await runtime.state.close()
  }
  return {
    listeners,
    /** The address that clients use. */
    origin: publicOrigin ?? listeners.origin,
    /** Ends once, however often it is asked to: the begun requests are answered, then the state is closed. */
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}
