import {lstatSync} from 'node:fs'
import {createPrivate, removeQuietly, temporaryName} from '../../files/private-file.js'
import {publish} from '../../files/private-handle.js'
import {usage} from '../process/failure.js'

/** Throws usage if the file exists, before any work is done; `--yes` allows to replace it. */
export function checkOutFile(path: string, replace: boolean): void {
  const found = lstatSync(path, {throwIfNoEntry: false})
  if (!found) return
  if (!found.isFile()) throw usage(`${path} is not a regular file.`, 'Name a new file.')
  if (!replace) throw usage(`The file ${path} exists already.`, 'Name a new file, or add --yes to replace it.')
}

/** Writes a file atomically, readable by its owner only. */
export function writeOutFile(path: string, text: string, replace: boolean): void {
  checkOutFile(path, replace)
  const temporary = temporaryName(path)
  try {
    createPrivate(temporary, text)
    publish(temporary, path, replace)
  } finally {
    removeQuietly(temporary)
  }
}
