import type {ChildProcess} from 'node:child_process'
import cluster from 'node:cluster'
import type {AnyOperation} from '../../api/operation/operation.js'
import {defined} from '../../domain/equal.js'
import type {FaultRule, FaultSource} from '../http/faults.js'
import {type OpenedPlatform, openPlatform} from '../local/platform.js'
import {forget, type Processes} from '../processes.js'
import {RequestLog} from '../requests/request-log.js'
import {requestsOf} from '../requests/request-view.js'
import {checkedAddressOf, checkedLinks, fallbackOf} from '../server-options.js'
import {type Serving, serve} from '../serving.js'
import {TestClock} from '../stubs/test-clock.js'
import {Outbox} from '../window/outbox.js'
import {
  type CountedFailure,
  failureOf,
  type PrimaryCalls,
  requestNumbers,
  type WorkerCalls,
  type WorkerSlot,
} from './calls.js'
import {Channel} from './channel.js'
import type {WorkersOptions} from './primary.js'

type ToPrimary = Channel<PrimaryCalls>

/** A worker that has not ended by itself so long after it began to is stuck. */
const endMs = 10_000

/** Whether this process was started by `startWorkers`. */
export const isWorker = (): boolean => cluster.isWorker

/**
 * Answers requests as one of several workers, until the signal is aborted, the primary process says so, or that is gone.
 * Never throws: the primary process is told what keeps this one from listening.
 */
export async function runWorker(options: WorkersOptions, signal: AbortSignal): Promise<void> {
  const memory = new WorkerMemory()
  const ending = endingOf(signal)
  const channel: ToPrimary = new Channel(process as unknown as ChildProcess, memory.answers(ending.begin))
  try {
    const serving = await served(options, await channel.call('slot'), channel, memory)
    const {origin, localOrigin} = serving.listeners
    channel.tell('listens', {origin, localOrigin})
    await ending.begun
    await serving.stop()
  } catch (error) {
    // The channel would close before it had sent this.
    await channel.call('doesNotStart', failureOf(error)).catch(() => undefined)
  }
  if (process.connected) process.disconnect()
}

/** Resolves when this process has to end; from then on it has so long to do so. */
function endingOf(signal: AbortSignal) {
  let begin: () => void = () => undefined
  const begun = new Promise<void>((resolve) => {
    begin = () => {
      setTimeout(() => process.exit(), endMs).unref()
      resolve()
    }
  })
  // Node would end this process with the other one, in the middle of its requests.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  process.once('disconnect', begin)
  signal.addEventListener('abort', begin)
  return {begin, begun}
}

/** What this process remembers, as far as the others ask for it or change it. */
class WorkerMemory implements FaultSource {
  readonly clock = new TestClock(Date.now)
  readonly outbox = new Outbox()
  platform: OpenedPlatform | undefined
  requestLog: RequestLog | undefined
  channel: ToPrimary | undefined
  #hasFaults = false

  answers(drain: () => void): WorkerCalls {
    return {
      drain,
      ping: () => undefined,
      clock: (setting) => this.clock.follow(setting),
      hasFaults: (hasFaults) => {
        this.#hasFaults = hasFaults
      },
      requests: ({filter, until}) =>
        this.requestLog
          ? requestsOf(this.requestLog, filter, until).map((view) => ({...view, worker: process.pid}))
          : [],
      deprecatedUses: () => Object.fromEntries(this.platform?.deprecatedUses ?? []),
      tokens: (projectKey) => this.outbox.of(projectKey),
      forget: (projectKey) => this.platform && forget(this.platform, this.outbox, projectKey),
      failed: ({counter, key, at}) => this.platform?.[counter].failed(key, at),
    }
  }

  /** The primary process draws, where there is something to draw. */
  next({permission, id, path}: AnyOperation): Promise<FaultRule | undefined> | undefined {
    if (!this.#hasFaults || permission.kind === 'admin') return undefined
    return this.channel?.call('drawFault', {id, path})
  }
}

async function served(
  options: WorkersOptions,
  slot: WorkerSlot,
  channel: ToPrimary,
  memory: WorkerMemory,
): Promise<Serving> {
  const {dataDir, storeUrl, settings, externalOAuth, onWarning} = options
  const {workers, adminDigest, startedAt, pseudonym, localPort} = slot
  const address = {...checkedAddressOf(options), port: slot.port}
  const opened = await openPlatform({
    // The folder is the primary's.
    dataDir: ':memory:',
    storeUrl,
    writer: 'server',
    processes: workers,
    clock: memory.clock.now,
    onWarning,
    ...defined({settings, externalOAuth}),
  })
  memory.platform = opened
  memory.channel = channel
  const requestLog = new RequestLog(options.keepBodies, requestNumbers(slot))
  memory.requestLog = requestLog
  const platform = {
    ...opened,
    wrongSecrets: counted(opened, 'wrongSecrets', channel),
    inactiveAnswers: counted(opened, 'inactiveAnswers', channel),
    adminDigest,
    dataDir,
    startedAt,
    keepsBodies: requestLog.keepBodies,
    links: checkedLinks(options),
    outbox: memory.outbox.add,
    processes: allProcesses(channel),
  }
  try {
    const fallback = fallbackOf(options, pseudonym)
    return await serve(options, {address, platform, requestLog, faults: memory, fallback, localPort})
  } catch (error) {
    await opened.state.close()
    throw error
  }
}

/** Failures that the other workers count as well, so that nobody has more guesses for finding another worker. */
const counted = (platform: OpenedPlatform, counter: CountedFailure['counter'], channel: ToPrimary) => {
  const own = platform[counter]
  return {
    ...own,
    failed(key: string, at: number) {
      own.failed(key, at)
      channel.tell('failed', {counter, key, at})
    },
  }
}

/** Whichever worker a request of the administration reaches, the primary process answers for all. */
const allProcesses = (channel: ToPrimary): Processes => ({
  status: () => channel.call('status'),
  requests: (filter) => channel.call('requests', filter),
  faults: (plan) => channel.call('faults', plan),
  clock: (change) => channel.call('clock', change),
  tokens: (projectKey) => channel.call('tokens', projectKey),
  entryCode: () => channel.call('entryCode'),
  redeemed: (code) => channel.call('redeemed', code),
  forget: (projectKey) => channel.call('forget', projectKey),
})
