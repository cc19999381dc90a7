import {join} from 'node:path'
import {StateError} from '../../domain/errors.js'
import {asStateError} from '../../files/file-errors.js'
import {isSealed, sealed} from './checksum.js'
import {copyProject, removeTree} from './copy-project.js'
import {corrupt} from './failures.js'
import {blockingFiles as files, hasCode, readAll, writeNew} from './files.js'
import {lockDirectory, newNonce} from './lock-directory.js'
import {adoptDirectory, openPrivate} from './private.js'
import {projectDirectories, projectsIn} from './projects.js'
import {endRestore, readRestore, refuseUnfinishedRestore, writeRestore} from './unfinished-restore.js'

// A dot cannot begin the name of a project.
const folder = '.snapshots'
const describing = 'SNAPSHOT.json'

const legalName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

export interface Snapshot {
  readonly name: string
  /** ISO 8601 UTC. */
  readonly savedAt: string
  readonly projects: readonly string[]
}

const pathOf = (dir: string, name: string): string => join(dir, folder, name)

/** Keeps all projects of a directory as they are now under a name. A server may go on writing meanwhile. */
export async function saveSnapshot(dir: string, name: string, now: Date): Promise<Snapshot> {
  assertName(dir, name)
  try {
    await adoptDirectory(files, dir)
    await refuseUnfinishedRestore(files, dir)
    return await save(dir, name, now)
  } catch (error) {
    throw asStateError(error, dir)
  }
}

async function save(dir: string, name: string, now: Date): Promise<Snapshot> {
  const path = pathOf(dir, name)
  if (await files.stat(path)) {
    throw new StateError('StateUnusable', `There is a snapshot ${name} already.`, path, 'Choose another name.')
  }
  const nonce = newNonce()
  const unfinished = pathOf(dir, `.${nonce}`)
  await files.makeDirectory(unfinished)
  try {
    const projects: string[] = []
    for (const project of await projectsIn(files, dir)) {
      await copyProject(files, join(dir, project), join(unfinished, project), nonce)
      projects.push(project)
    }
    const snapshot = {name, savedAt: now.toISOString(), projects}
    await describe(unfinished, snapshot)
    await files.rename(unfinished, path)
    await files.syncDirectory(join(dir, folder))
    return snapshot
  } catch (error) {
    await removeTree(files, unfinished)
    throw error
  }
}

/** All snapshots of a directory, oldest first. */
export async function listSnapshots(dir: string): Promise<Snapshot[]> {
  const snapshots: Snapshot[] = []
  for (const name of await files.list(join(dir, folder))) {
    if (legalName.test(name)) snapshots.push(await readSnapshot(dir, name))
  }
  return snapshots.sort((a, b) => (a.savedAt < b.savedAt ? -1 : 1))
}

async function readSnapshot(dir: string, name: string): Promise<Snapshot> {
  const path = join(pathOf(dir, name), describing)
  try {
    const {fd, size} = await openPrivate(files, path, 'read')
    try {
      const bytes = readAll(files, fd, 0, size)
      if (!isSealed(bytes.subarray(0, -1))) throw corrupt(`${path} is damaged.`, path)
      const {savedAt, projects} = JSON.parse(bytes.toString()) as Snapshot
      return {name, savedAt, projects}
    } finally {
      await files.close(fd)
    }
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    const message = `There is no snapshot ${name} in ${dir}.`
    throw new StateError('StateUnusable', message, path, "Run 'frontdesk server snapshot list' for their names.")
  }
}

/**
 * Puts a snapshot in the place of all projects, damaged ones too, which are moved to a snapshot of their own; returns
 * that one. Needs the lock. Until it has finished the state is refused, and the next call goes on with it.
 */
export async function restoreSnapshot(dir: string, name: string, now: Date, lockTimeoutMs = 0): Promise<Snapshot> {
  assertName(dir, name)
  const nonce = newNonce()
  const lock = await lockDirectory(dir, {files, purpose: 'one-shot', timeoutMs: lockTimeoutMs, nonce})
  try {
    const {projects} = await readSnapshot(dir, name)
    const begun = await readRestore(files, dir)
    const kept = begun?.kept ?? `before-${name}-${now.toISOString().replace(/[:.]/g, '-')}`
    if (begun?.phase !== 'copying') {
      await writeRestore(files, dir, {name, kept, phase: 'moving'}, nonce)
      await moveAway(dir, kept, now)
    }
    await writeRestore(files, dir, {name, kept, phase: 'copying'}, nonce)
    for (const project of await projectDirectories(files, dir)) await removeTree(files, join(dir, project))
    for (const project of projects) {
      await copyProject(files, join(pathOf(dir, name), project), join(dir, project), nonce)
    }
    await endRestore(files, dir)
    return await readSnapshot(dir, kept)
  } catch (error) {
    throw asStateError(error, dir)
  } finally {
    await lock.release()
  }
}

async function moveAway(dir: string, name: string, now: Date): Promise<void> {
  const path = pathOf(dir, name)
  await files.makeDirectory(path)
  for (const project of await projectDirectories(files, dir)) {
    await files.rename(join(dir, project), join(path, project))
  }
  await files.syncDirectory(dir)
  await describe(path, {name, savedAt: now.toISOString(), projects: await projectDirectories(files, path)})
}

async function describe(path: string, snapshot: Snapshot): Promise<void> {
  await files.unlink(join(path, describing))
  await writeNew(files, join(path, describing), `${sealed(JSON.stringify(snapshot))}\n`)
  await files.syncDirectory(path)
}

function assertName(dir: string, name: string): void {
  if (legalName.test(name)) return
  const message = `'${name}' cannot name a snapshot.`
  throw new StateError('StateUnusable', message, dir, 'Use up to 100 letters, digits, dots, hyphens and underscores.')
}
