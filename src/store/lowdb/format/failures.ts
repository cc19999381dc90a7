import {ApiError, StateError} from '../../../domain/errors.js'
import {asStateError, hasCode} from '../../../files/file-errors.js'

/** Damage to what was acknowledged. */
export const corrupt = (message: string, path: string): StateError =>
  new StateError(
    'StateCorrupt',
    message,
    path,
    "Run 'frontdesk server doctor' to see what is damaged and what is whole.",
  )

/** Another process has become the holder of the state. */
export const lockLost = (path: string): StateError =>
  new StateError(
    'StateLocked',
    `Another process has taken over the state in ${path}.`,
    path,
    'Stop this process; the other one has all that was acknowledged.',
  )

/** Nobody knows whether the new manifest counts, so nothing more may be written. */
export class ManifestUnsure extends Error {
  override readonly name = 'ManifestUnsure'
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
