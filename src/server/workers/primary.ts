import cluster, {type Worker} from 'node:cluster'
import {randomUUID} from 'node:crypto'
import {createServer} from 'node:net'
import {defined} from '../../domain/equal.js'
import {privateFolder} from '../../files/private-file.js'
import {Faults} from '../http/faults.js'
import {listening} from '../http/listening.js'
import {ensureProject} from '../local/first-use.js'
import {writeAdminToken} from '../local/local-files.js'
import {openPlatform} from '../local/platform.js'
import {type Seeded, seedFromFolder} from '../local/seed.js'
import {checkedAddressOf, fallbackOf, type ServerOptions} from '../server-options.js'
import {TestClock} from '../stubs/test-clock.js'
import {EntryCodes} from '../window/entry.js'
import {type Addresses, errorOf, steadyMicroseconds} from './calls.js'
import {WorkerPool} from './pool.js'
import {Supervisor, type WorkerEvents, type WorkerProcess} from './supervisor.js'

export interface WorkersOptions extends ServerOptions {
  readonly dataDir: string
  readonly storeUrl: string
  /** At least two. */
  readonly workers: number
  /** Called with what becomes of the workers. */
  readonly onWarning: (message: string) => void
}

/** A server of several processes, of which this one answers no request. */
export interface RunningWorkers {
  readonly apiUrl: string
  readonly authUrl: string
  readonly projectKey: string
  readonly pid: number
  readonly seeded?: Seeded
  stop(): Promise<void>
}

/**
 * Starts the program of this process anew in so many workers, which share one port and call `runWorker`. This process holds
 * the folder, makes what a first use makes, and keeps faults and clock for all. Throws as `startServer` does.
 */
export async function startWorkers(options: WorkersOptions): Promise<RunningWorkers> {
  const {dataDir, storeUrl, projectKey, seedDir, onWarning} = options
  const address = checkedAddressOf(options)
  const pseudonym = `frontdesk-${randomUUID()}`
  await fallbackOf(options, pseudonym)?.close()
  const opened = await openPlatform({dataDir, storeUrl, writer: 'server', onWarning})
  let supervisor: Supervisor | undefined
  try {
    const seeded = seedDir === undefined ? undefined : await seedFromFolder(opened, projectKey, seedDir)
    await ensureProject(opened, dataDir, projectKey)
    const adminToken = opened.secrets.token(32)
    const port = address.port === 0 ? await freePort(address.host) : address.port
    const common = {
      workers: options.workers,
      port,
      localPort: await freePort('127.0.0.1'),
      adminDigest: opened.secrets.digest(adminToken),
      startedAt: opened.clock(),
      countsFrom: steadyMicroseconds(),
      pseudonym,
    }
    const pool = new WorkerPool(common, new Faults(), new TestClock(Date.now), new EntryCodes(opened.secrets))
    const listened: {at?: Addresses} = {}
    supervisor = supervised(options, pool, (addresses) => {
      listened.at = addresses
    })
    const started = supervisor
    await started.start()
    writeAdminToken(privateFolder(dataDir), adminToken)
    const {origin, localOrigin} = listened.at ?? {origin: '', localOrigin: ''}
    const apiUrl = address.publicOrigin ?? origin
    await opened.state.publish(localOrigin, apiUrl === localOrigin ? undefined : apiUrl)
    let stopping: Promise<void> | undefined
    const stop = (): Promise<void> => {
      stopping ??= started.stop().then(() => opened.state.close())
      return stopping
    }
    return {apiUrl, authUrl: apiUrl, projectKey, pid: process.pid, ...defined({seeded}), stop}
  } catch (error) {
    await supervisor?.stop()
    await opened.state.close()
    throw error
  }
}

function supervised(
  {workers, onWarning, onFatal}: WorkersOptions,
  pool: WorkerPool,
  onListening: (addresses: Addresses) => void,
): Supervisor {
  // The kernel gives a connection to a worker that waits for one. Handed on by this process, those on their way to a
  // worker that dies would stay open and never be answered.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // Only this process writes to stdout.
  cluster.setupPrimary({exec: process.argv[1] ?? '', stdio: ['ignore', 'ignore', 'inherit', 'ipc']})
  const fork = (slot: number, events: WorkerEvents): WorkerProcess => {
    const worker = cluster.fork()
    const channel = pool.channelTo(worker.process, slot, {
      listens: (addresses) => {
        onListening(addresses)
        events.listens()
      },
      doesNotStart: (failure) => events.doesNotStart(errorOf(failure)),
    })
    onceEnded(worker, events.ended)
    return {
      pid: worker.process.pid ?? 0,
      drain: () => channel.tell('drain'),
      // One that is late is none: the next one is answered as well.
      ping: (answered) => void channel.call('ping').then(answered, () => undefined),
      kill: () => void worker.process.kill('SIGKILL'),
    }
  }
  return new Supervisor({
    workers,
    fork,
    now: () => performance.now(),
    after: (milliseconds, action) => {
      const timer = setTimeout(action, milliseconds)
      return () => clearTimeout(timer)
    },
    log: onWarning,
    onFailed: (error) => onFatal?.(error),
  })
}

/** Tells the end of a process once, whether it began or not. */
function onceEnded({process: child}: Worker, ended: (how: string) => void): void {
  let isOver = false
  const end = (how: string): void => {
    if (!isOver) ended(how)
    isOver = true
  }
  child.on('error', (error) => {
    if (child.pid === undefined) end(`could not be started (${error.message})`)
  })
  child.once('exit', (code, signal) => end(signal === null ? `ended with code ${code}` : `was ended by ${signal}`))
}

/** A port that is free now. The workers take it by its number, so that it stays the same if all of them are replaced. */
async function freePort(host: string): Promise<number> {
  const server = createServer()
  await listening(server, host, 0)
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return typeof address === 'object' && address ? address.port : 0
}
