import {mkdirSync, statSync} from 'node:fs'
import {dirname} from 'node:path'

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
