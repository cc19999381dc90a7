import {ApiError, StateError} from '../../domain/errors.js'
import {hasCode} from './files.js'

/** Damage to what was acknowledged. */
export const corrupt = (message: string, path: string): StateError =>
  new StateError(
    'StateCorrupt',
    message,
    path,
    "Run 'frontdesk server doctor' to see what is damaged and what is whole.",
  )

/** Nobody knows whether the new manifest counts, so nothing more may be written. */
export class ManifestUnsure extends Error {
  override readonly name = 'ManifestUnsure'
}

/** What the operating system said about the state, as an error that names the path and the way back. */
export function asStateError(error: unknown, path: string): Error {
  if (!(error instanceof Error) || !('syscall' in error)) return error as Error
  if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) {
    return new StateError(
      'StatePermissions',
      `The state in ${path} cannot be used: ${error.message}.`,
      path,
      `Make ${path} readable and writable for this user.`,
      {cause: error},
    )
  }
  return new StateError(
    'StateUnusable',
    `The state in ${path} cannot be used: ${error.message}.`,
    path,
    'Check the path and the disk, or choose another directory.',
    {cause: error},
  )
}

/** The same for a commit: a disk that is full or fails is a matter of capacity, and a repeat may succeed. */
export function asWriteError(error: unknown, path: string): Error {
  if (error instanceof ManifestUnsure || hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EMFILE', 'ENFILE')) {
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
