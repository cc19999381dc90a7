import {existsSync, readdirSync, rmSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {StateError} from '../domain/errors.js'
import {liveHolder} from './locator.js'
import {isStateFile} from './lowdb/projects.js'
import {isProjectName} from './shared/project-name.js'

/** Files of the store beside the projects. */
const own = new Set(['LOCK', 'BALLAST', 'RESTORING.json'])

/** Also of a project that is damaged: without its manifest, what it held is there all the same. */
const holdsState = (folder: string): boolean =>
  statSync(folder).isDirectory() && readdirSync(folder).some((name) => isStateFile(name))

/**
 * Removes the state of all projects from a folder, and nothing that is not state. Throws StateLocked while a process
 * holds it.
 */
export function eraseState(dir: string): readonly string[] {
  const holder = liveHolder(dir)
  if (holder) {
    const message = `The state in ${dir} is in use by process ${holder.pid}.`
    throw new StateError('StateLocked', message, dir, 'Run: frontdesk server stop')
  }
  if (!existsSync(dir)) return []
  const names = readdirSync(dir)
  const projects = names.filter((name) => isProjectName(name) && holdsState(join(dir, name)))
  const files = names.filter((name) => name.endsWith('.client.json') || name === 'admin.token' || own.has(name))
  for (const name of [...projects, ...files, ...(names.includes('.tokens') ? ['.tokens'] : [])]) {
    rmSync(join(dir, name), {recursive: true, force: true})
  }
  return projects.filter((name) => name !== '_')
}
