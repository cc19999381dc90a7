import {setTimeout as pause} from 'node:timers/promises'
import {type AdminReply, administer} from '../../client/local/admin.js'
import {type LocalServer, localServer, runningServer} from '../../client/local/local-server.js'
import {defined} from '../../domain/equal.js'
import {seedFolder} from '../../files/shipped.js'
import {Failure} from '../process/failure.js'

export {localServer, otherHolder, resetLocal, runningServer} from '../../client/local/local-server.js'

/** What the running server tells about itself. */
export const serverDetails = (
  dataDir: string,
  {origin}: {readonly origin: string},
): Promise<AdminReply<'serverStatus'>> => administer(dataDir, 'serverStatus', {origin})

/** Adds a project from a seed pack, or an empty one; one that exists stays as it is. */
export function seedLocal(
  dataDir: string,
  projectKey: string,
  seedDir: string | undefined,
): Promise<AdminReply<'addProject'>> {
  // The server may run in another folder.
  const body = defined({projectKey, seedDir: seedDir === undefined ? undefined : seedFolder(seedDir)})
  return administer(dataDir, 'addProject', {body, isRepeatable: true})
}

/** Empties a project, and seeds it if a pack is given; returns its key. Throws ResourceNotFound for an unknown one. */
export async function emptyProject(dataDir: string, projectKey: string, seedDir?: string): Promise<readonly string[]> {
  const body = defined({projectKey, seedDir: seedDir === undefined ? undefined : seedFolder(seedDir)})
  await administer(dataDir, 'resetProject', {body, isRepeatable: true})
  return [projectKey]
}

/** Writes all documents of the state anew. */
export async function compactLocal(dataDir: string): Promise<void> {
  await administer(dataDir, 'compactState')
}

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
