import {join} from 'node:path'
import {isProjectName} from '../shared/project-name.js'
import type {Files} from './files.js'
import {manifestName} from './manifest.js'

/** Whether a file of a project's directory is the store's. */
export const isStateFile = (name: string): boolean => name === manifestName || /\.\d+\.(?:ndjson|idx|jsonl)$/.test(name)

/** Directories that are projects or were meant to be, ascending. */
export async function projectDirectories(files: Files, directory: string): Promise<string[]> {
  const found: string[] = []
  for (const name of await files.list(directory)) {
    if (isProjectName(name) && (await files.stat(join(directory, name)))?.kind === 'directory') found.push(name)
  }
  return found.sort()
}

/** Names of the projects that hold something, ascending. */
export async function projectsIn(files: Files, directory: string): Promise<string[]> {
  const found: string[] = []
  for (const name of await projectDirectories(files, directory)) {
    if (await files.stat(join(directory, name, manifestName))) found.push(name)
  }
  return found
}
