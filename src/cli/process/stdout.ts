import {fstatSync, statSync, writeSync} from 'node:fs'

/**
 * stdout for a command that says a few lines and ends. Node's own stream takes a tenth of such a command to load; a file,
 * a pipe or the null device takes the bytes without it.
 */

/** What an empty pipe takes at once on every system, so that nobody waits for a reader here and misses a signal. */
const maxBytes = 4_096

const descriptor = 1

/** The parts of the system that are used, for tests. */
export interface Stdout {
  /** Node's stream, which is made when it is asked for. */
  readonly open: () => NodeJS.WriteStream
  readonly isPlain: () => boolean
  readonly write: (bytes: Uint8Array) => number
}

/** Whether stdout is surely no terminal. */
function isPlain(): boolean {
  if (process.platform === 'win32') return false
  try {
    const stats = fstatSync(descriptor)
    if (stats.isCharacterDevice()) return stats.rdev === statSync('/dev/null').rdev
    return stats.isFile() || stats.isFIFO() || stats.isSocket()
  } catch {
    return false
  }
}

/** That of this process. */
export const systemStdout: Omit<Stdout, 'open'> = {isPlain, write: (bytes) => writeSync(descriptor, bytes)}

type Write = NodeJS.WriteStream['write']

/** Stands for stdout, without opening it until more is written or anything else is asked of it; a terminal is opened at once. */
export function lateStdout({open, isPlain, write}: Stdout): NodeJS.WriteStream {
  if (!isPlain()) return open()
  let stream: NodeJS.WriteStream | undefined
  let written = 0
  const opened = (): NodeJS.WriteStream => {
    stream ??= open()
    return stream
  }
  /** How many of the bytes were taken. An error is left to the stream, which meets it again and reports it. */
  const taken = (bytes: Uint8Array): number => {
    let count = 0
    try {
      while (count < bytes.length) count += write(bytes.subarray(count))
    } catch {
      // A pipe that is full or closed, a full disk.
    }
    written += count
    return count
  }
  const shortWrite = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    const isShort = stream === undefined && typeof rest[0] !== 'string' && written + bytes.length <= maxBytes
    const count = isShort ? taken(bytes) : 0
    if (!isShort || count < bytes.length) {
      return (opened().write as (...all: unknown[]) => boolean)(count === 0 ? chunk : bytes.subarray(count), ...rest)
    }
    const [done] = rest
    if (typeof done === 'function') process.nextTick(done)
    return true
  }
  const unopened: Partial<NodeJS.WriteStream> = {
    isTTY: undefined as never,
    columns: undefined as never,
    write: shortWrite as Write,
  }
  return new Proxy({} as NodeJS.WriteStream, {
    get: (_, name) => {
      if (name === 'bytesWritten') return written + (stream?.bytesWritten ?? 0)
      if (stream === undefined && name in unopened) return Reflect.get(unopened, name) as unknown
      const target = opened()
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
    set: (_, name, value) => Reflect.set(opened(), name, value),
    has: (_, name) => name in opened(),
  })
}
