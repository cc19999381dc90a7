import {StateError} from '../domain/errors.js'

/** Whether it is an error of the operating system with one of these codes, such as `ENOENT`. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** A system error on local state as a StateError with the path and a remedy. Other errors are returned unchanged. */
export function asStateError(error: unknown, path: string): Error {
  if (!(error instanceof Error) || !('syscall' in error)) return error as Error
  const message = `The state in ${path} cannot be used: ${error.message}.`
  return hasCode(error, 'EACCES', 'EPERM', 'EROFS')
    ? new StateError('StatePermissions', message, path, `Make ${path} readable and writable for this user.`, {
        cause: error,
      })
    : new StateError('StateUnusable', message, path, 'Check the path and the disk, or choose another directory.', {
        cause: error,
      })
}

/** A word quoted for a shell, for commands that can be pasted. */
export const quoted = (word: string): string =>
  /^[\w./@:+,%=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
