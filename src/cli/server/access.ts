import {type AdminReply, administer} from '../../client/local/admin.js'
import {defined} from '../../domain/equal.js'
import {seedFolder} from '../../files/shipped.js'

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
