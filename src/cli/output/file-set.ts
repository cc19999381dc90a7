import {linkSync, lstatSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {makeFolders} from '../../files/folders.js'
import {temporaryName} from '../../files/private-file.js'
import {Failure, usage} from '../process/failure.js'

/**
 * Writes the files below a folder, each atomically. Throws usage, before anything is written, if one exists and may not be
 * replaced, or is no regular file. What fails midway takes back the files that it made.
 */
export function writeFileSet(folder: string, files: ReadonlyMap<string, string>, force: boolean): void {
  for (const name of files.keys()) checkFree(folder, name, force)
  const made: string[] = []
  try {
    for (const [name, text] of files) {
      const path = join(folder, name)
      makeFolders(dirname(path))
      place(path, text, force)
      if (!force) made.push(path)
    }
  } catch (error) {
    for (const path of made) rmSync(path, {force: true})
    const why = error instanceof Error ? error.message : String(error)
    throw new Failure('usage', 'Unwritable', `${folder} cannot be written: ${why}`, {
      hints: ['Name a folder that you can write.'],
      cause: error,
    })
  }
}

function checkFree(folder: string, name: string, force: boolean): void {
  const names = name.split('/')
  for (let depth = 1; depth < names.length; depth += 1) checkFolder(join(folder, ...names.slice(0, depth)))
  const path = join(folder, name)
  const found = lstatSync(path, {throwIfNoEntry: false})
  if (!found) return
  if (!found.isFile()) throw usage(`${path} is not a regular file; nothing was written.`, 'Name another folder.')
  if (!force) {
    throw usage(`${path} exists already; nothing was written.`, 'Name another folder, or add --force to replace it.')
  }
}

/** Links are not followed: they may lead out of the folder that was named. */
function checkFolder(path: string): void {
  const found = lstatSync(path, {throwIfNoEntry: false})
  if (!found || found.isDirectory()) return
  throw usage(`${path} is a link, or not a folder; nothing was written.`, 'Name another folder.')
}

/** They are for the shop's repository, so they have the permissions of any new file. */
function place(path: string, text: string, force: boolean): void {
  const temporary = temporaryName(path)
  try {
    writeFileSync(temporary, text, {flag: 'wx'})
    // A hard link fails if the name was taken meanwhile; a rename would replace it.
    if (force) renameSync(temporary, path)
    else linkSync(temporary, path)
  } finally {
    rmSync(temporary, {force: true})
  }
}
