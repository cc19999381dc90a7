import {join} from 'node:path'
import {isProjectName} from '../../adapter/project-name.js'
import type {Files} from '../file/files.js'
import {readSealed, replaceSealed} from '../file/sealed-file.js'
import {numberOf} from './names.js'

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

/** Replaces the catalogue of the projects that must exist. */
export const writeCatalogue = (
  files: Files,
  directory: string,
  projects: Iterable<string>,
  nonce: string,
): Promise<void> => replaceSealed(files, join(directory, catalogueName), {projects: [...projects].sort()}, nonce)
