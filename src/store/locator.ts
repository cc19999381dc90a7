import {join} from 'node:path'
import {StateError} from '../domain/errors.js'
import {readPrivate} from '../files/private-file.js'
import {liveness} from '../files/process-identity.js'
import {type Holder, parsedHolder} from './lowdb/holder.js'

export interface LiveHolder {
  readonly pid: number
  readonly purpose: Holder['purpose']
  /** Absent for a command, and for a server that does not listen yet. */
  readonly origin?: string
}

/**
 * The running process that holds the state, read from its lock without taking it. Throws StatePermissions for a lock
 * that another user could have written, since the origin in it will be sent credentials.
 */
export function liveHolder(dir: string): LiveHolder | undefined {
  const path = join(dir, 'LOCK')
  const text = privateText(path)
  const holder = text === undefined ? undefined : parsedHolder(text)
  if (!holder || liveness(holder) !== 'alive') return undefined
  const {pid, purpose, origin} = holder
  return {pid, purpose, ...(origin === undefined ? {} : {origin})}
}

/** The server that holds the state and listens, if one runs. */
export function liveServer(dir: string): {readonly pid: number; readonly origin: string} | undefined {
  const holder = liveHolder(dir)
  return holder?.purpose === 'server' && holder.origin !== undefined
    ? {pid: holder.pid, origin: holder.origin}
    : undefined
}

/** The text of the lock, or nothing for what is absent or no file: opening the state will name that. */
function privateText(path: string): string | undefined {
  try {
    return readPrivate(path)
  } catch (error) {
    if (error instanceof StateError && error.code === 'StatePermissions') throw error
    return undefined
  }
}
