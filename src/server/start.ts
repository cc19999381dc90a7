import {randomUUID} from 'node:crypto'
import {operations} from '../api/index.js'
import {defined} from '../domain/equal.js'
import {privateFolder} from '../files/private-file.js'
import {isLoopback} from './http/bind.js'
import type {Fallback} from './http/fallback.js'
import {Faults} from './http/faults.js'
import {type Listeners, listen} from './http/listeners.js'
import {adminOperations} from './local/admin.js'
import {ensureProject, nameAllScopes} from './local/first-use.js'
import {writeAdminToken} from './local/local-files.js'
import {type LocalRuntime, openRuntime} from './local/runtime.js'
import {seedFromFolder} from './local/seed.js'
import {serverOperations, testHookOperations} from './local/server-operations.js'
import {RequestLog} from './requests/request-log.js'
import {type RunningServer, runningServer} from './running-server.js'
import {serverMemory} from './server-memory.js'
import {type CheckedAddress, checkedAddressOf, checkedLinks, fallbackOf, type ServerOptions} from './server-options.js'
import {Outbox} from './stubs/outbox.js'
import {TestClock} from './stubs/test-clock.js'
import {Entries} from './window/entry.js'
import {Window} from './window/window.js'

export type {RunningServer} from './running-server.js'
export type {ServerOptions} from './server-options.js'

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
  const fallback = fallbackOf(options, `frontdesk-${randomUUID()}`)
  const testClock = new TestClock(options.clock ?? Date.now)
  const faults = new Faults()
  // A state that ends with the server is for tests: its passwords need not last.
  const settings = dataDir === ':memory:' ? {passwordCost: 4, ...options.settings} : options.settings
  const opened = await openRuntime({
    dataDir,
    writer: 'server',
    clock: testClock.now,
    ...defined({storeUrl, force, settings, externalOAuth, onFatal, onWarning}),
  })
  let serving: Serving | undefined
  try {
    const seeded = seedDir === undefined ? undefined : await seedFromFolder(opened, projectKey, seedDir)
    await nameAllScopes(opened, onWarning)
    const client = await ensureProject(opened, dataDir, projectKey)
    const adminToken = opened.secrets.token(32)
    const requestLog = new RequestLog(options.keepBodies)
    const outbox = new Outbox()
    const entries = new Entries(opened.secrets)
    const isOpen = !isLoopback(address.host)
    const runtime = {
      ...opened,
      isOpen,
      adminDigest: opened.secrets.digest(adminToken),
      dataDir,
      startedAt: opened.clock(),
      ...(dataDir === ':memory:' ? {firstClient: client} : {}),
      keepsBodies: requestLog.keepBodies,
      links,
      outbox: outbox.add,
      memory: serverMemory({...opened, faults, testClock, requestLog, outbox, entries}),
    }
    serving = await serve(options, {address, runtime, requestLog, faults, fallback})
    if (dataDir !== ':memory:') writeAdminToken(privateFolder(dataDir), adminToken)
    const {origin, listeners, stop} = serving
    const {localOrigin} = listeners
    await runtime.state.publish(localOrigin, origin === localOrigin ? undefined : origin)
    const own = {faults, testClock, requestLog, stop}
    return runningServer({runtime, client, projectKey, origin, localOrigin, seeded, isOpen, ...own})
  } catch (error) {
    await serving?.listeners.close()
    await opened.state.close()
    throw error
  }
}

interface Served {
  readonly address: CheckedAddress
  readonly runtime: LocalRuntime
  readonly requestLog: RequestLog
  readonly faults: Faults
  readonly fallback: Fallback | undefined
}

/** A process that listens. */
export interface Serving {
  readonly listeners: Listeners
  /** The address that clients use. */
  readonly origin: string
  /** Ends once, however often it is asked to: the begun requests are answered, then the state is closed. */
  readonly stop: () => Promise<void>
}

/** How often a server looks whether to sweep. */
const sweepCheckMs = 60_000

/** Listens with every operation: those of the API, and those of the administration of this machine. Throws StateError. */
export async function serve(
  options: ServerOptions,
  {address, runtime, requestLog, faults, fallback}: Served,
): Promise<Serving> {
  const {fallback: _, publicUrl: __, ...frontOptions} = options
  const {publicOrigin, ...bound} = address
  const window = new Window(runtime)
  const listeners = await listen({
    ...frontOptions,
    ...bound,
    runtime,
    faults,
    requestLog,
    window,
    operations: [
      ...operations,
      ...Object.values(adminOperations),
      ...Object.values(serverOperations),
      ...(isLoopback(address.host) ? Object.values(testHookOperations) : []),
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
    origin: publicOrigin ?? listeners.origin,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}
