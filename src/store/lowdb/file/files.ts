import * as fs from 'node:fs'
import {promisify} from 'node:util'
import {ApiError, StateError} from '../../../domain/errors.js'
import {asStateError, hasCode} from '../../../files/file-errors.js'
import {type Ownership, ownershipOf} from '../../../files/private-file.js'

export {hasCode} from '../../../files/file-errors.js'

export type Awaitable<T> = T | Promise<T>

/** `read` and `write` need the file to exist; `create` needs it not to. */
export type OpenMode = 'read' | 'write' | 'create'

export interface FileStat extends Ownership {
  readonly size: number
}

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

/** Asks for no error where nothing is, since the fence of every batch looks for a file that is not there: its stack takes longer. */
const statsOf = (target: string | number): fs.Stats | undefined =>
  absentAs(undefined, () =>
    typeof target === 'number' ? fs.fstatSync(target) : fs.lstatSync(target, {throwIfNoEntry: false}),
  )

/** Windows cannot open a folder to sync it. */
const foldersSync = process.platform !== 'win32'

/**
 * The file operations of the store, which tests make fail, write short or wait; here synchronous, where the thread pool costs
 * more than it gains: taking a lock, and repairs. None follows a symbolic link in the last component, and everything created
 * is private to the user, whatever the umask.
 */
export const blockingFiles = {
  open(path: string, mode: OpenMode): number {
    const fd = fs.openSync(path, flags[mode], 0o600)
    if (mode === 'create') fs.fchmodSync(fd, 0o600)
    return fd
  },
  /** Returns the number of bytes, which may be short; 0 at the end. */
  read: (fd: number, buffer: Uint8Array, offset: number, length: number, position: number): number =>
    fs.readSync(fd, buffer, offset, length, position),
  /** Returns the number of bytes written, which may be short. */
  write: (fd: number, buffer: Uint8Array, offset: number, length: number, position: number): number =>
    fs.writeSync(fd, buffer, offset, length, position),
  sync: (fd: number): void => fs.fdatasyncSync(fd),
  truncate: (fd: number, length: number): void => fs.ftruncateSync(fd, length),
  close: (fd: number): void => fs.closeSync(fd),
  /** Undefined for a path that does not exist. */
  stat(target: string | number): FileStat | undefined {
    const stat = statsOf(target)
    return stat && {...ownershipOf(stat), size: stat.size}
  },
  /** Identifies a file among all that exist or are open; undefined if it does not exist. */
  identity(target: string | number): string | undefined {
    const stat = statsOf(target)
    return stat && `${stat.dev}:${stat.ino}`
  },
  /** Creates a hard link; fails if `to` exists. */
  link: (from: string, to: string): void => fs.linkSync(from, to),
  rename: (from: string, to: string): void => fs.renameSync(from, to),
  /** Removes a file; a missing one is no error. */
  unlink: (path: string): void => absentAs(undefined, () => fs.unlinkSync(path)),
  /** The names in a directory; empty if it does not exist. */
  list: (directory: string): string[] => absentAs([], () => fs.readdirSync(directory)),
  /** Creates a directory and its parents; an existing one stays as it is. */
  makeDirectory(path: string): void {
    if (fs.mkdirSync(path, {recursive: true, mode: 0o700}) !== undefined) fs.chmodSync(path, 0o700)
  },
  syncDirectory(path: string): void {
    if (!foldersSync) return
    const fd = fs.openSync(path, O_RDONLY | O_DIRECTORY)
    try {
      fs.fsyncSync(fd)
    } finally {
      fs.closeSync(fd)
    }
  },
}

export type BlockingFiles = typeof blockingFiles

/** The same calls, of which all but `read` and the fence's `identity` may wait. */
export type Files = Pick<BlockingFiles, 'read' | 'identity'> & {
  [K in keyof BlockingFiles]: (...given: Parameters<BlockingFiles[K]>) => Awaitable<ReturnType<BlockingFiles[K]>>
}

const write = promisify(fs.write)

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
    const folder = await fs.promises.open(path, O_RDONLY | O_DIRECTORY)
    await folder.sync().finally(() => folder.close())
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
    if (written === 0) throw Object.assign(new Error('the disk takes no more bytes'), {code: 'ENOSPC'})
    done += written
    if (done === bytes.length) return
  }
}

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

export const toDoctor = "Run 'frontdesk server doctor' to see what is damaged and what is whole."

export const corrupt = (message: string, path: string, remedy = toDoctor): StateError =>
  new StateError('StateCorrupt', message, path, remedy)

export function lockLost(path: string): StateError {
  const remedy = 'Stop this process; the other one has all that was acknowledged.'
  return new StateError('StateLocked', `Another process has taken over the state in ${path}.`, path, remedy)
}

/** The error of a commit: a full or failing disk is OverCapacity, since a retry may succeed. */
export const asWriteError = (error: unknown, path: string): Error =>
  hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EMFILE', 'ENFILE')
    ? unwritable(error as Error)
    : asStateError(error, path)

export function unwritable(cause: Error): ApiError {
  if (cause instanceof ApiError) return cause
  const message = `The state cannot be written: ${cause.message.replace(/\.$/, '')}.`
  return ApiError.of('OverCapacity', {message, retryAfterSeconds: 5}, {cause})
}
