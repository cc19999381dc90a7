import {operations} from '../api/index.js'
import {defined} from '../domain/equal.js'
import {isLoopback} from './http/bind.js'
import type {Fallback} from './http/fallback.js'
import type {Faults} from './http/faults.js'
import {type Listeners, listen} from './http/listeners.js'
import {adminOperations} from './local/admin.js'
import type {LocalRuntime} from './local/runtime.js'
import {serverOperations, testHookOperations} from './local/server-operations.js'
import type {RequestLog} from './requests/request-log.js'
import type {CheckedAddress, ServerOptions} from './server-options.js'
import {Window} from './window/window.js'

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
