import * as fs from 'node:fs'
import {promisify} from 'node:util'
import {ApiError, StateError} from '../../../domain/errors.js'
import {asStateError, hasCode} from '../../../files/file-errors.js'

export {hasCode} from '../../../files/file-errors.js'

export type Awaitable<T> = T | Promise<T>

/** `read` and `write` need the file to exist; `create` needs it not to. */
export type OpenMode = 'read' | 'write' | 'create'

export interface FileStat {
  readonly size: number
  readonly mode: number
  readonly uid: number
  readonly kind: 'file' | 'directory' | 'other'
}

/**
 * The file operations of the store; tests make each of them fail, write short or wait. None follows a symbolic link in
 * the last component, and everything created is private to the user, whatever the umask.
 */
export interface Files {
  open(path: string, mode: OpenMode): Awaitable<number>
  /** Reads synchronously. Returns the number of bytes, which may be short; 0 at the end. */
  read(fd: number, buffer: Uint8Array, offset: number, length: number, position: number): number
  /** Returns the number of bytes written, which may be short. */
  write(fd: number, buffer: Uint8Array, offset: number, length: number, position: number): Awaitable<number>
  sync(fd: number): Awaitable<void>
  truncate(fd: number, length: number): Awaitable<void>
  close(fd: number): Awaitable<void>
  /** Undefined for a path that does not exist. */
  stat(target: string | number): Awaitable<FileStat | undefined>
  /** Identifies a file among all that exist or are open; undefined if it does not exist. Synchronous for the fence. */
  identity(target: string | number): string | undefined
  /** Creates a hard link; fails if `to` exists. */
  link(from: string, to: string): Awaitable<void>
  rename(from: string, to: string): Awaitable<void>
  /** Removes a file; a missing one is no error. */
  unlink(path: string): Awaitable<void>
  /** The names in a directory; empty if it does not exist. */
  list(directory: string): Awaitable<string[]>
  /** Creates a directory and its parents; an existing one stays as it is. */
  makeDirectory(path: string): Awaitable<void>
  syncDirectory(path: string): Awaitable<void>
}

/** The same calls where none may wait. */
export type BlockingFiles = {[K in keyof Files]: (...given: Parameters<Files[K]>) => Awaited<ReturnType<Files[K]>>}

const {O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0} = fs.constants

// Without O_NONBLOCK a fifo at the path would block the open forever.
const flags: Record<OpenMode, number> = {
  read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
  write: O_RDWR | O_NOFOLLOW | O_NONBLOCK,
  create: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
}

function absentAs<T>(instead: T, task: () => T): T {
  try {
    return task()
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return instead
    throw error
  }
}

const statsOf = (target: string | number): fs.Stats | undefined =>
  absentAs(undefined, () => (typeof target === 'number' ? fs.fstatSync(target) : fs.lstatSync(target)))

/** Windows cannot open a folder to sync it. */
const foldersSync = process.platform !== 'win32'

/** Synchronous calls, where the thread pool costs more than it gains: taking a lock, and repairs. */
export const blockingFiles: BlockingFiles = {
  open(path, mode) {
    const fd = fs.openSync(path, flags[mode], 0o600)
    if (mode === 'create') fs.fchmodSync(fd, 0o600)
    return fd
  },
  read: (fd, buffer, offset, length, position) => fs.readSync(fd, buffer, offset, length, position),
  write: (fd, buffer, offset, length, position) => fs.writeSync(fd, buffer, offset, length, position),
  sync: (fd) => fs.fdatasyncSync(fd),
  truncate: (fd, length) => fs.ftruncateSync(fd, length),
  close: (fd) => fs.closeSync(fd),
  stat(target) {
    const stat = statsOf(target)
    const kind = stat?.isFile() ? 'file' : stat?.isDirectory() ? 'directory' : 'other'
    return stat && {size: stat.size, mode: stat.mode, uid: stat.uid, kind}
  },
  identity(target) {
    const stat = statsOf(target)
    return stat && `${stat.dev}:${stat.ino}`
  },
  link: (from, to) => fs.linkSync(from, to),
  rename: (from, to) => fs.renameSync(from, to),
  unlink: (path) => absentAs(undefined, () => fs.unlinkSync(path)),
  list: (directory) => absentAs([], () => fs.readdirSync(directory)),
  makeDirectory(path) {
    if (fs.mkdirSync(path, {recursive: true, mode: 0o700}) !== undefined) fs.chmodSync(path, 0o700)
  },
  syncDirectory(path) {
    if (!foldersSync) return
    const fd = fs.openSync(path, O_RDONLY | O_DIRECTORY)
    try {
      fs.fsyncSync(fd)
    } finally {
      fs.closeSync(fd)
    }
  },
}

const sync = promisify(fs.fsync)
const write = promisify(fs.write) as (
  ...parameters: [number, Uint8Array, number, number, number]
) => Promise<{bytesWritten: number}>

/** Writes of this length are a copy into the cache of the system, which takes less time than to wake another thread. */
const atOnceBytes = 64 << 10

/** The calls that commits wait for run on the thread pool; the rest are rare or short. */
export const pooledFiles: Files = {
  ...blockingFiles,
  write: (fd, buffer, offset, length, position) =>
    length <= atOnceBytes
      ? fs.writeSync(fd, buffer, offset, length, position)
      : write(fd, buffer, offset, length, position).then(({bytesWritten}) => bytesWritten),
  sync: promisify(fs.fdatasync),
  // Removing a large file is slow.
  unlink: (path) => fs.promises.rm(path, {force: true}),
  async syncDirectory(path) {
    if (!foldersSync) return
    const fd = fs.openSync(path, O_RDONLY | O_DIRECTORY)
    try {
      await sync(fd)
    } finally {
      fs.closeSync(fd)
    }
  },
}

/**
 * Writes all of `bytes`: continues after a short write; a write of 0 bytes means a full disk. Undefined if all was written
 * at once.
 */
export function writeAll(files: Files, fd: number, bytes: Uint8Array, position: number): Promise<void> | undefined {
  const written = files.write(fd, bytes, 0, bytes.length, position)
  return written === bytes.length ? undefined : writeRest(files, fd, bytes, position, written)
}

async function writeRest(
  files: Files,
  fd: number,
  bytes: Uint8Array,
  position: number,
  first: number | Promise<number>,
): Promise<void> {
  let written = await first
  for (let done = 0; ; written = await files.write(fd, bytes, done, bytes.length - done, position + done)) {
    if (written === 0) throw diskFull()
    done += written
    if (done === bytes.length) return
  }
}

const diskFull = (): Error => Object.assign(new Error('the disk takes no more bytes'), {code: 'ENOSPC'})

/** Reads `length` bytes at `position`, fewer only at the end of the file. */
export const readAll = (files: Files, fd: number, position: number, length: number): Buffer =>
  readInto(Buffer.allocUnsafe(length), length, files, fd, position)

/** As `readAll`, into the beginning of a buffer. */
export function readInto(
  buffer: Buffer,
  length: number,
  files: Pick<Files, 'read'>,
  fd: number,
  position: number,
): Buffer {
  let done = 0
  while (done < length) {
    const got = files.read(fd, buffer, done, length - done, position + done)
    if (got === 0) break
    done += got
  }
  return buffer.subarray(0, done)
}

/** A new file with this content; on the disk when it resolves, unless that does not matter. */
export async function writeNew(
  files: Files,
  path: string,
  content: string | Uint8Array,
  isSynced = true,
): Promise<void> {
  const fd = await files.open(path, 'create')
  try {
    await writeAll(files, fd, typeof content === 'string' ? Buffer.from(content) : content, 0)
    if (isSynced) await files.sync(fd)
  } finally {
    await files.close(fd)
  }
}

/** Removes a file that does no harm if it stays: the next holder removes it. */
export async function unlinkQuietly(files: Files, path: string): Promise<void> {
  try {
    await files.unlink(path)
  } catch {
    // It is not in effect.
  }
}

export const corrupt = (message: string, path: string): StateError =>
  new StateError(
    'StateCorrupt',
    message,
    path,
    "Run 'frontdesk server doctor' to see what is damaged and what is whole.",
  )

export const lockLost = (path: string): StateError =>
  new StateError(
    'StateLocked',
    `Another process has taken over the state in ${path}.`,
    path,
    'Stop this process; the other one has all that was acknowledged.',
  )

/** The error of a commit: a full or failing disk is OverCapacity, since a retry may succeed. */
export function asWriteError(error: unknown, path: string): Error {
  if (hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EMFILE', 'ENFILE')) {
    return unwritable(error as Error)
  }
  return asStateError(error, path)
}

export const unwritable = (cause: Error): ApiError =>
  ApiError.of(
    'OverCapacity',
    {message: `The state cannot be written: ${cause.message}.`, retryAfterSeconds: 5},
    {cause},
  )
