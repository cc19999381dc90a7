import {StateError} from '../../domain/errors.js'
import type {LiveHolder, LiveServer} from '../../store/locator.js'

/** What commands do with the state of this machine and the server that may hold it. */

export type {LiveServer as LocalServer}

/** The server that holds the state and listens; undefined if none runs. Loads neither server nor HTTP client. */
export async function localServer(dataDir: string): Promise<LiveServer | undefined> {
  const {liveServer} = await import('../../store/locator.js')
  return liveServer(dataDir)
}

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
export async function localClient(
  dataDir: string,
  projectKey: string,
): Promise<{readonly clientId: string; readonly clientSecret: string} | undefined> {
  const {localClient: read} = await import('../../server/local/first-use.js')
  return read(dataDir, projectKey)
}

/** Keys of the projects whose first API client this machine made, ascending. */
export async function clientProjects(dataDir: string): Promise<readonly string[]> {
  const {clientProjects: read} = await import('../../server/local/first-use.js')
  return read(dataDir)
}

/** Removes the state of all projects; returns their keys. Throws StateLocked while a process holds it. */
export async function resetLocal(dataDir: string): Promise<readonly string[]> {
  const {eraseState} = await import('../../store/erase.js')
  return eraseState(dataDir)
}
