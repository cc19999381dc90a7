import {existsSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {isSamePlace, placeOf} from '../../client/place.js'
import {withLock} from '../../files/file-lock.js'
import {privateFolder, readPrivate, replacePrivate} from '../../files/private-file.js'
import {jsonIn} from '../output/fields.js'
import type {Folders} from '../target/folders.js'
import {filesFolder} from '../target/settings.js'
import type {Run} from './run.js'

/** Files with data of customers that commands wrote for the user, by path and time, so that an erasure can name them. */

interface WrittenFile {
  readonly path: string
  readonly time: string
  /** Address or folder, and project. */
  readonly place: string
}

const listOf = (folder: string): string => join(folder, 'files.json')

/** A damaged list counts as empty: the next file that is written begins it anew. */
function writtenFiles(folder: string): readonly WrittenFile[] {
  return (jsonIn(readPrivate(listOf(folder)) ?? '') ?? []) as readonly WrittenFile[]
}

/** Notes the path of a file with personal data from the target, and removes paths of files that are gone. */
export function noteFile(run: Run, file: string): void {
  if (run.redaction.on || run.shows === 'installation') return
  const path = resolve(file)
  const noted = {path, time: new Date(run.io.clock()).toISOString(), place: placeOf(run.resolved.target)}
  try {
    const folder = privateFolder(filesFolder(run.folders))
    withLock(join(folder, 'LOCK'), () => {
      const others = writtenFiles(folder).filter((other) => other.path !== path && existsSync(other.path))
      replacePrivate(listOf(folder), `${JSON.stringify([...others, noted])}\n`)
    })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    run.stderr(`${file} is written, but could not be noted for erasures to name it: ${why}`)
  }
}

/** Forgets files that are gone. */
export function pruneFiles(folder: string): void {
  if (writtenFiles(folder).every(({path}) => existsSync(path))) return
  withLock(join(folder, 'LOCK'), () => {
    replacePrivate(listOf(folder), `${JSON.stringify(writtenFiles(folder).filter(({path}) => existsSync(path)))}\n`)
  })
}

/** The files of a target that are still there, each with the time when it was written. */
export const filesOf = (folders: Folders, place: string): readonly string[] =>
  writtenFiles(filesFolder(folders))
    .filter((file) => isSamePlace(file.place, place) && existsSync(file.path))
    .map(({path, time}) => `${path} (${time})`)
