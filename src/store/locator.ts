import {closeSync, constants, fstatSync, openSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {StateError} from '../domain/errors.js'
import {type Holder, liveness, parsedHolder} from './lowdb/holder.js'

const {O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0} = constants

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

function privateText(path: string): string | undefined {
  let fd: number
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch {
    // Absent, or something that opening the state will name.
    return undefined
  }
  try {
    const {uid, mode} = fstatSync(fd)
    const me = process.getuid?.()
    if (me !== undefined && (uid !== me || (mode & 0o077) !== 0)) {
      const message = `Other users of this machine could have written ${path}.`
      throw new StateError('StatePermissions', message, path, `Run: chmod 600 '${path}' if it is yours`)
    }
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}
