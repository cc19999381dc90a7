import {Flags} from '@oclif/core'
import {usage} from '../process/failure.js'
import {storeUrlVariable} from './store-url.js'

export {ranAsWorker, startWorkers} from '../../client/local/local-server.js'

export const workersFlag = Flags.integer({
  helpValue: 'N',
  min: 1,
  max: 64,
  default: 1,
  summary: 'Number of processes that share the port, with PostgreSQL; about one for each core.',
})

/** The database that several workers share; undefined for a single process. Throws a usage error for several without one. */
export function sharedStore(workers: number, storeUrl: string | undefined): string | undefined {
  if (workers === 1) return undefined
  if (storeUrl !== undefined) return storeUrl
  throw usage(
    `${workers} workers need a database: one process hosts a folder.`,
    `Add --store-url, or set ${storeUrlVariable}; or leave --workers out.`,
  )
}
