import type {RunningWorkers, WorkersOptions} from '../../server/workers/primary.js'

/** A server of several processes, each of which runs the command that started it. */

/** Starts the workers. Throws as `startServer` does. */
export async function startWorkers(options: WorkersOptions): Promise<RunningWorkers> {
  const server = await import('../../server/workers/primary.js')
  return server.startWorkers(options)
}

/** In a process that `startWorkers` started: answers requests until it has to end, and returns true then. */
export async function ranAsWorker(options: WorkersOptions, signal: AbortSignal): Promise<boolean> {
  const {isWorker, runWorker} = await import('../../server/workers/worker.js')
  if (!isWorker()) return false
  await runWorker(options, signal)
  return true
}
