import {mkdirSync, realpathSync, statSync} from 'node:fs'
import {dirname, resolve} from 'node:path'

/**
 * Makes a folder and those above it that are missing, one by one: the recursive call of Node does not end where a file
 * system takes no folders, as /proc. Returns the topmost that it made; undefined if all were there.
 */
export function makeFolders(path: string, mode = 0o777): string | undefined {
  if (statSync(path, {throwIfNoEntry: false})?.isDirectory()) return undefined
  const above = dirname(path) === path ? undefined : makeFolders(dirname(path), mode)
  try {
    mkdirSync(path, mode)
  } catch (error) {
    // Another process may have been quicker.
    if (!statSync(path, {throwIfNoEntry: false})?.isDirectory()) throw error
    return above
  }
  return above ?? path
}

/** A folder itself, where the path to it is a symbolic link of the user's. */
export function resolvedPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
