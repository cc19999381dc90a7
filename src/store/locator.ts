import {join} from 'node:path'
import {defined} from '../domain/equal.js'
import {type Liveness, liveness} from '../files/process-identity.js'
import {blockingFiles as files} from './lowdb/file/files.js'
import {type Holder, lockName, readHolder} from './lowdb/folder/lock.js'

export interface LiveHolder extends Pick<Holder, 'pid' | 'purpose' | 'host'> {
  /** `unknown`: in another container or on another machine, of which only the state is reachable from here. */
  readonly liveness: Exclude<Liveness, 'dead'>
  /** Absent for a command, for a server that does not listen yet, and where liveness is unknown. */
  readonly origin?: string
  /** The address that clients use, if it is another than the one for this machine. */
  readonly publicOrigin?: string
}

/** A server that listens, seen from this machine. */
export type LiveServer = Pick<LiveHolder, 'pid' | 'publicOrigin'> & Required<Pick<LiveHolder, 'origin'>>

/**
 * The process that holds the state, read from its lock without acquiring it; also one whose liveness is unknown. Throws
 * StatePermissions for a lock that another user could have written, since credentials will be sent to its origin.
 */
export async function liveHolder(dir: string): Promise<LiveHolder | undefined> {
  const holder = await readHolder(files, join(dir, lockName))
  const state = holder ? liveness(holder) : 'dead'
  if (!holder || state === 'dead') return undefined
  const {pid, purpose, host, origin, publicOrigin} = holder
  const addresses = state === 'alive' && origin !== undefined ? {origin, ...defined({publicOrigin})} : {}
  return {pid, purpose, host, liveness: state, ...addresses}
}

/** The server that holds the state, if it listens and is reachable from here. */
export async function liveServer(dir: string): Promise<LiveServer | undefined> {
  const holder = await liveHolder(dir)
  return holder?.purpose === 'server' && holder.origin !== undefined
    ? {pid: holder.pid, origin: holder.origin, ...defined({publicOrigin: holder.publicOrigin})}
    : undefined
}
