import {randomUUID} from 'node:crypto'
import {operations} from '../api/index.js'
import type {Settings} from '../api/operation/context.js'
import type {OnFault} from '../api/pipeline/pipeline.js'
import {defined} from '../domain/equal.js'
import {ApiError} from '../domain/errors.js'
import {privateFolder} from '../files/private-file.js'
import type {ExternalOAuthOptions} from './external/external-oauth.js'
import {type Fallback, fallbackTo} from './fallback/fallback.js'
import type {FallbackOptions} from './fallback/target.js'
import {bindProblem, checkedAllowedHosts, checkTls, isLoopback, publicOriginOf, type TlsFiles} from './http/bind.js'
import {Faults} from './http/faults.js'
import type {RequestLine} from './http/front.js'
import type {FrontLimits} from './http/front-limits.js'
import {type Listeners, listen} from './http/listeners.js'
import {adminOperations} from './local/admin.js'
import {writeAdminToken} from './local/admin-token.js'
import {ensureProject} from './local/first-use.js'
import {type OpenedPlatform, openPlatform} from './local/platform.js'
import {seedFromFolder} from './local/seed.js'
import {requestOperations} from './requests/operations.js'
import {RequestLog} from './requests/request-log.js'
import {type RunningServer, runningServer} from './running-server.js'
import {TestClock} from './stubs/test-clock.js'
import {testHookOperations} from './stubs/test-hooks.js'

export type {RunningServer} from './running-server.js'

export interface ServerOptions {
  /** Folder of the state, created if missing, or `:memory:`, which ends with the server; `:memory:` if absent. */
  readonly dataDir?: string
  /** A PostgreSQL database for the state; the folder then holds only files of this server. */
  readonly storeUrl?: string
  readonly projectKey: string
  /** Seed pack for the project, if it does not exist yet: `demo`, which is built in, or a folder. */
  readonly seedDir?: string
  /** An IP address of this machine; 127.0.0.1 if absent. Beyond loopback it requires `tls` or `insecureHttp`. */
  readonly host?: string
  readonly tls?: TlsFiles
  /** Allows plain HTTP beyond loopback, where secrets and tokens travel unencrypted. */
  readonly insecureHttp?: true
  /** 0 or absent: any free port. */
  readonly port?: number
  readonly settings?: Partial<Settings>
  readonly clock?: () => number
  /** The address that clients use where it is another: of a proxy, a container, a published port. */
  readonly publicUrl?: string
  /** Hosts, beside loopback ones, under which this server may be addressed; with its port, another one, or any (`:*`). */
  readonly allowedHosts?: readonly string[]
  readonly limits?: Partial<FrontLimits>
  /** Keep the queries and bodies of the last requests too, their secrets masked when they are shown. */
  readonly keepBodies?: boolean
  /** How external authorization servers may be reached. */
  readonly externalOAuth?: ExternalOAuthOptions
  /**
   * Another server that gets the requests for paths which this one does not serve: its URL, or more. Absent: nothing is
   * ever handed on.
   */
  readonly fallback?: string | FallbackOptions
  readonly onRequest?: (line: RequestLine) => void
  readonly onFault?: OnFault
  /**
   * Called when a sync failed or another process took over the state: nothing can be written, and the server must end.
   */
  readonly onFatal?: (error: Error) => void
  /** Called for damage found at the start, and for failures of background work. */
  readonly onWarning?: (message: string) => void
}

/** The pseudonym is new with each start, so that a request which comes back is known by its Via. */
const fallbackOf = (given: string | FallbackOptions | undefined): Fallback | undefined =>
  given === undefined
    ? undefined
    : fallbackTo(typeof given === 'string' ? {url: given} : given, `frontdesk-${randomUUID()}`)

/**
 * Starts the local server. Throws StateError for a state or port in use, InvalidSetup for a bad seed pack or an address
 * where the server must not listen.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const {dataDir = ':memory:', projectKey, seedDir, host = '127.0.0.1', port = 0} = options
  const {storeUrl, externalOAuth, onFatal, onWarning} = options
  const problem = bindProblem({...options, host})
  if (problem !== undefined) throw ApiError.of('InvalidSetup', {message: problem})
  if (options.tls) checkTls(options.tls)
  const publicOrigin = options.publicUrl === undefined ? undefined : publicOriginOf(options.publicUrl)
  const allowedHosts = checkedAllowedHosts(options.allowedHosts ?? [], publicOrigin)
  const fallback = fallbackOf(options.fallback)
  const testClock = new TestClock(options.clock ?? Date.now)
  const faults = new Faults()
  // A state that ends with the server is for tests: its passwords need not last.
  const settings = dataDir === ':memory:' ? {passwordCost: 4, ...options.settings} : options.settings
  const opened = await openPlatform({
    dataDir,
    writer: 'server',
    clock: testClock.now,
    ...defined({storeUrl, settings, externalOAuth, onFatal, onWarning}),
  })
  let listeners: Listeners | undefined
  try {
    const adminToken = opened.secrets.token(32)
    const platform = {
      ...opened,
      adminDigest: opened.secrets.digest(adminToken),
      dataDir,
      startedAt: opened.clock(),
      faults,
      testClock,
      requestLog: new RequestLog(options.keepBodies),
    }
    const seeded = seedDir === undefined ? undefined : await seedFromFolder(platform, projectKey, seedDir)
    const client = await ensureProject(platform, dataDir, projectKey)
    const {fallback: _, ...frontOptions} = options
    listeners = await listen({
      ...frontOptions,
      host,
      port,
      platform,
      faults,
      requestLog: platform.requestLog,
      operations: [
        ...operations,
        ...Object.values(adminOperations),
        ...Object.values(requestOperations),
        ...(isLoopback(host) ? Object.values(testHookOperations) : []),
      ],
      allowedHosts,
      ...defined({publicOrigin, fallback}),
    })
    if (dataDir !== ':memory:') writeAdminToken(privateFolder(dataDir), adminToken)
    const {localOrigin} = listeners
    const origin = publicOrigin ?? listeners.origin
    await platform.state.publish(localOrigin, origin === localOrigin ? undefined : origin)
    const stop = stopperOf(listeners, platform, fallback)
    return runningServer({...platform, platform, client, projectKey, origin, seeded, isOpen: !isLoopback(host), stop})
  } catch (error) {
    await listeners?.close()
    await opened.state.close()
    throw error
  }
}

/** Ends once, however often it is asked to: the begun requests are answered, then the state is closed. */
function stopperOf(listeners: Listeners, {state}: OpenedPlatform, fallback: Fallback | undefined): () => Promise<void> {
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await listeners.close()
    await fallback?.close()
    await state.close()
  }
  return () => {
    stopping ??= stop()
    return stopping
  }
}
