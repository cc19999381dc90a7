import {ApiError, StateError} from '../../../domain/errors.js'
import {asStateError, hasCode} from '../../../files/file-errors.js'

/** The error for damage to acknowledged state. */
export const corrupt = (message: string, path: string): StateError =>
  new StateError(
    'StateCorrupt',
    message,
    path,
    "Run 'frontdesk server doctor' to see what is damaged and what is whole.",
  )

/** The error after another process has taken over the state. */
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
