import {StateError} from '../../domain/errors.js'
import type {LocalClient} from '../../server/local/local-files.js'
import type {LiveHolder, LiveServer} from '../../store/locator.js'

/** What commands do with the state of this machine and the server that may hold it. */

/** The server that holds the state and listens; undefined if none runs. Loads neither server nor HTTP client. */
export const localServer = async (dataDir: string): Promise<LiveServer | undefined> =>
  (await import('../../store/locator.js')).liveServer(dataDir)

/** Who uses the state besides a server that can be reached from here: a command, or a server of another container. */
export async function otherHolder(dataDir: string): Promise<LiveHolder | undefined> {
  const {liveHolder} = await import('../../store/locator.js')
  const holder = await liveHolder(dataDir)
  return holder?.origin === undefined ? holder : undefined
}

/** The same where a server is needed. Throws StateUnusable if none runs. */
export async function runningServer(dataDir: string): Promise<LiveServer> {
  const server = await localServer(dataDir)
  if (server) return server
  throw new StateError('StateUnusable', `No server runs on ${dataDir}.`, dataDir, 'Run: frontdesk server start')
}

/** Id and secret of a project's first API client, if this machine made it. */
export const localClient = async (dataDir: string, projectKey: string): Promise<LocalClient | undefined> =>
  (await import('../../server/local/local-files.js')).localClient(dataDir, projectKey)

/** Keys of the projects whose first API client this machine made, ascending. */
export const clientProjects = async (dataDir: string): Promise<readonly string[]> =>
  (await import('../../server/local/local-files.js')).clientProjects(dataDir)

/** Removes the state of all projects; returns their keys. Throws StateLocked while a process holds it. */
export const resetLocal = async (dataDir: string): Promise<readonly string[]> =>
  (await import('../../store/erase.js')).eraseState(dataDir)
