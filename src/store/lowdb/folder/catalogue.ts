import {join} from 'node:path'
import {StateError} from '../../../domain/errors.js'
import {isProjectName} from '../../adapter/project-name.js'
import type {Files} from '../file/files.js'
import {adoptDirectory, readSealed, replaceSealed} from '../file/private.js'
import {numberOf} from './chain.js'

/** Whether a file in a project's directory belongs to the store. */
export const isStateFile = (name: string): boolean => numberOf(name) > 0

/** Names of the directories of projects, complete or not, ascending. */
export async function projectDirectories(files: Files, directory: string): Promise<string[]> {
  const found: string[] = []
  for (const name of await files.list(directory)) {
    if (isProjectName(name) && (await files.stat(join(directory, name)))?.kind === 'directory') found.push(name)
  }
  return found.sort()
}

/** Names of the projects that have or had state, ascending. Some may be damaged or missing. */
export async function projectsIn(files: Files, directory: string, listed?: readonly string[]): Promise<string[]> {
  const found = new Set(listed ?? (await listedProjects(files, directory)))
  for (const name of await projectDirectories(files, directory)) {
    if ((await files.list(join(directory, name))).some(isStateFile)) found.add(name)
  }
  return [...found].sort()
}

export const catalogueName = 'PROJECTS.json'

/** The projects of the catalogue, which must exist; undefined if there is none. */
export async function listedProjects(files: Files, directory: string): Promise<readonly string[] | undefined> {
  const catalogue = await readSealed(files, join(directory, catalogueName))
  return (catalogue as {projects: readonly string[]} | undefined)?.projects
}

export const writeCatalogue = (files: Files, directory: string, projects: Iterable<string>): Promise<void> =>
  replaceSealed(files, join(directory, catalogueName), {projects: [...projects].sort()})

/** After an interrupted restore, only restore, repair and erase may use a folder. */
export type Use = 'read' | 'write' | 'repair' | 'restore' | 'erase'

/** Throws for a folder that others can access, and for one with an unfinished restore. */
export async function assertUsable(files: Files, directory: string, use: Use): Promise<void> {
  await adoptDirectory(files, directory)
  if (use === 'restore' || use === 'erase') return
  const restore = await readRestore(files, directory)
  if (!restore) return
  throw new StateError(
    'StateCorrupt',
    `Restoring the snapshot ${restore.name} of ${directory} was interrupted.`,
    directory,
    `Run 'frontdesk server snapshot restore ${restore.name}' again; what was there before is in the snapshot ${restore.kept}.`,
  )
}

export const restoreName = 'RESTORING.json'

/** Marker of a restore in progress: it moves the present state to a new snapshot, then puts a copy of the old one in place. */
export interface Restore {
  readonly name: string
  readonly kept: string
  readonly phase: 'moving' | 'placing'
}

export const writeRestore = (files: Files, dir: string, restore: Restore): Promise<void> =>
  replaceSealed(files, join(dir, restoreName), restore)

export const readRestore = async (files: Files, dir: string): Promise<Restore | undefined> =>
  (await readSealed(files, join(dir, restoreName))) as Restore | undefined

export async function endRestore(files: Files, dir: string): Promise<void> {
  await files.syncDirectory(dir)
  await files.unlink(join(dir, restoreName))
  await files.syncDirectory(dir)
}
