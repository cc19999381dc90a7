import {setTimeout as pause} from 'node:timers/promises'
import {type LocalServer, localServer, runningServer} from '../../client/local/local-server.js'
import {Failure} from '../process/failure.js'

const pauseMs = 50
const limitMs = 15_000

/** Ends the server that holds the state, and waits until it is gone. */
export async function stopServer(dataDir: string): Promise<LocalServer> {
  const server = await runningServer(dataDir)
  process.kill(server.pid, 'SIGTERM')
  for (let waited = 0; waited < limitMs; waited += pauseMs) {
    const now = await localServer(dataDir)
    if (now?.pid !== server.pid) return server
    await pause(pauseMs)
  }
  throw new Failure(
    'localState',
    'ServerNotStopped',
    `Process ${server.pid} did not end within ${limitMs / 1000} seconds.`,
    {
      hints: ['It may still be answering requests; repeat, or look at its log.'],
    },
  )
}
