import {once} from 'node:events'
import {PipeClosed} from '../process/io.js'

interface Serving {
  /** Says that it listens. A reader that has gone (`PipeClosed`) is no failure: others use the server. */
  readonly announce: () => Promise<void>
  readonly until: AbortSignal
  readonly stop: () => Promise<void>
}

/** Serves until the signal, and stops; at once where the announcement fails, since nobody would know of the server. */
export async function served({announce, until, stop}: Serving): Promise<void> {
  try {
    if (!until.aborted) await announce()
  } catch (error) {
    if (!(error instanceof PipeClosed)) {
      await stop()
      throw error
    }
  }
  if (!until.aborted) await once(until, 'abort')
  await stop()
}
