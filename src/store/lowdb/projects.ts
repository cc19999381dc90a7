import {join} from 'node:path'
import type {Files} from './files.js'
import {manifestName} from './manifest.js'

/**
 * Keys of projects are names of directories, so nothing else may be one: `_` is the realm, and what else begins with a
 * dot or an underscore (the audit log, journals of jobs) is never a project.
 */
export const isProjectName = (name: string): boolean => /^(?:_|[a-z0-9][a-z0-9_-]{0,99})$/.test(name)

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
