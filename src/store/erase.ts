import {existsSync, readdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {blockingFiles as files} from './lowdb/file/files.js'
import {catalogueName, lockDirectory, projectsIn, reserveName, restoreName} from './lowdb/folder/state-folder.js'
import {REALM} from './store.js'

/**
 * Removes the state of all projects from a folder, and nothing else. Throws StateLocked while a process holds it, also
 * one in a container.
 */
export async function eraseState(dir: string): Promise<readonly string[]> {
  if (!existsSync(dir)) return []
  const lock = await lockDirectory(dir, {files, purpose: 'one-shot', use: 'erase', timeoutMs: 0})
  try {
    const projects = await projectsIn(files, dir, [])
    const secrets = readdirSync(dir).filter((name) => name.endsWith('.client.json') || name === 'admin.token')
    // The list of projects goes last.
    const beside = [...secrets, '.tokens', reserveName, restoreName, catalogueName]
    for (const name of [...projects, ...beside]) {
      lock.check()
      rmSync(join(dir, name), {recursive: true, force: true})
    }
    return projects.filter((name) => name !== REALM)
  } finally {
    await lock.release()
  }
}
