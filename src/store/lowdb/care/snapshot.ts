import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {StateError} from '../../../domain/errors.js'
import {asStateError} from '../../../files/file-errors.js'
import {livenessOf, tryLock} from '../../../files/file-lock.js'
import {privateFolder} from '../../../files/private-file.js'
import {copyState} from '../../copy-state.js'
import type {Facets} from '../../store.js'
import {corrupt, blockingFiles as files} from '../file/files.js'
import {adoptDirectory, newNonce, readSealed, replaceSealed} from '../file/private.js'
import {
  lockDirectory,
  projectDirectories,
  readRestore,
  releaseReserve,
  restoreName,
  writeCatalogue,
  writeRestore,
} from '../folder/state-folder.js'
import {damageAt, type Finding, noting, repairRemedy, verifyProject} from './verify.js'

/*
 * A snapshot is a copy of the state in a folder of its own, beside the projects, with a file that describes it.
 */

// Names of projects cannot begin with a dot.
const folder = '.snapshots'
const describing = 'SNAPSHOT.json'
/** Where a snapshot is copied to before it takes the place of the state. */
const staging = '.restoring'

const lockEnd = '.lock'
/** A copy that has no name yet, and the lock of the process that makes it, which is there before the copy. */
const unfinishedName = /^(\.[\w-]{12})(?:\.lock)?$/

const legalName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

export interface Snapshot {
  readonly name: string
  readonly savedAt: string
  readonly projects: readonly string[]
  /** Why its description cannot be read, if that is so: then the rest is empty. */
  readonly problem?: string
}

interface Description extends Snapshot {
  /** Moved here by a restore, possibly damaged. */
  readonly asFound?: true
}

interface CopyOptions {
  readonly facets: Facets
  readonly now: Date
}

const removeTree = (path: string): void => rmSync(path, {recursive: true, force: true})

const pathOf = (dir: string, name: string): string => join(dir, folder, name)

/** Saves all projects under a name while a server may write. Throws StateCorrupt for a damaged or incomplete state. */
export async function saveSnapshot(dir: string, name: string, {facets, now}: CopyOptions): Promise<Snapshot> {
  assertName(dir, name)
  const path = pathOf(dir, name)
  const unfinished = pathOf(dir, `.${newNonce()}`)
  if (files.stat(dir)) await removeUnfinished(privateFolder(join(dir, folder)))
  const lock = files.stat(dir) && tryLock(`${unfinished}${lockEnd}`)
  try {
    if (files.stat(path)) {
      throw new StateError('StateUnusable', `There is a snapshot ${name} already.`, path, 'Choose another name.')
    }
    const projects = await copyTo(unfinished, dir, facets)
    const snapshot = {name, savedAt: now.toISOString(), projects}
    await replaceSealed(files, join(unfinished, describing), snapshot)
    files.rename(unfinished, path)
    files.syncDirectory(join(dir, folder))
    return snapshot
  } catch (error) {
    removeTree(unfinished)
    throw asStateError(error, dir)
  } finally {
    if (lock && 'release' in lock) lock.release()
  }
}

/** Removes what processes left that were killed while they saved; whoever is at it holds the lock beside the copy. */
async function removeUnfinished(below: string): Promise<void> {
  for (const name of new Set(files.list(below).flatMap((each) => unfinishedName.exec(each)?.[1] ?? []))) {
    const path = join(below, name)
    const lock = tryLock(`${path}${lockEnd}`, {isStale: (found) => livenessOf(found) === 'dead'})
    if (!('release' in lock)) continue
    removeTree(path)
    lock.release()
  }
}

/** Copies a state that others may use to a folder that nobody uses; returns the names of its projects. */
async function copyTo(to: string, from: string, facets: Facets): Promise<readonly string[]> {
  const {projects} = await copyState({from: {dir: from}, to: {dir: to}, facets, isInUse: true})
  await releaseReserve(files, to)
  return Object.keys(projects).sort()
}

const namesIn = (dir: string): string[] => files.list(join(dir, folder)).filter((name) => legalName.test(name))

/** All snapshots of a directory, oldest first. */
export async function listSnapshots(dir: string): Promise<Snapshot[]> {
  const snapshots = namesIn(dir).map(async (name): Promise<Snapshot> => {
    const findings: Finding[] = []
    const found = await noting(findings, dir, () => readSnapshot(dir, name))
    if (!found) return {name, savedAt: '', projects: [], problem: findings[0]?.problem ?? ''}
    return {name, savedAt: found.savedAt, projects: found.projects}
  })
  return (await Promise.all(snapshots)).sort((a, b) => (a.savedAt < b.savedAt ? -1 : 1))
}

async function readSnapshot(dir: string, name: string): Promise<Description> {
  const path = join(pathOf(dir, name), describing)
  const found = await readSealed<Description>(files, path)
  if (found) return {...found, name}
  if (files.stat(pathOf(dir, name))) throw corrupt(`${path} is missing.`, path)
  const message = `There is no snapshot ${name} in ${dir}.`
  throw new StateError('StateUnusable', message, path, "Run 'frontdesk server snapshot list' for their names.")
}

/** Deliberate copies of older state, which erasing a customer does not change: snapshots, and originals of repairs. */
export const keptCopies = (dir: string): string[] =>
  [
    ...files.list(join(dir, folder)).flatMap((name) => (name.includes(lockEnd) ? [] : [pathOf(dir, name)])),
    ...files.list(dir).flatMap((name) => (name.startsWith('.damaged-') ? [join(dir, name)] : [])),
  ].sort()

async function verifySnapshot(dir: string, name: string): Promise<Finding[]> {
  const findings: Finding[] = []
  const path = pathOf(dir, name)
  const snapshot = await noting(findings, path, () => readSnapshot(dir, name))
  for (const project of snapshot?.projects ?? []) {
    const directory = join(path, project)
    const {state, findings: found} = await verifyProject(files, directory)
    findings.push(...found.filter(({severity}) => severity === 'damage'))
    if (state || found.length > 0) continue
    findings.push(damageAt(directory, `${directory} is missing.`))
  }
  const severity = snapshot?.asFound ? 'note' : 'damage'
  const end = snapshot?.asFound
    ? `It was so when a restore moved it there. Remove ${path} when nobody needs it.`
    : `Remove ${path}, and save another snapshot.`
  // What others can read, say, is whole.
  return findings.map((one) => ({...one, severity, remedy: one.remedy === repairRemedy ? end : one.remedy}))
}

export async function verifySnapshots(dir: string): Promise<Finding[]> {
  const findings: Finding[] = []
  const names = await noting(findings, join(dir, folder), async () => namesIn(dir))
  for (const name of names ?? []) findings.push(...(await verifySnapshot(dir, name)))
  return findings
}

/**
 * Replaces all projects, damaged ones too, by a copy of a snapshot; moves them to a new snapshot and returns that one. Takes
 * the lock. Until it has finished the state is unusable, and the next call continues it. Throws StateCorrupt for a damaged
 * snapshot before it changes anything.
 */
export async function restoreSnapshot(dir: string, name: string, {facets, now}: CopyOptions): Promise<Snapshot> {
  assertName(dir, name)
  const lock = await lockDirectory(dir, {files, purpose: 'one-shot', use: 'restore', timeoutMs: 0})
  try {
    await removeUnfinished(join(dir, folder))
    for (const project of (await readSnapshot(dir, name)).projects) await adoptDirectory(files, join(dir, project))
    const staged = await stagedCopy(dir, name, facets)
    // What a damaged mark tells of is found again: nothing is removed that is not a copy.
    const begun = await readRestore(files, dir).catch(() => undefined)
    const kept = begun?.kept ?? `before-${name}-${now.toISOString().replace(/[:.]/g, '-')}`
    if (begun?.phase !== 'placing') {
      lock.check()
      await writeRestore(files, dir, {name, kept, phase: 'moving'})
      await moveAway(dir, {name: kept, now, fence: lock.check})
    }
    lock.check()
    await writeRestore(files, dir, {name, kept, phase: 'placing'})
    // What an interrupted call has placed is of the same snapshot or another one.
    for (const project of await projectDirectories(files, dir)) removeTree(join(dir, project))
    const projects = await projectDirectories(files, staged)
    for (const project of projects) {
      lock.check()
      files.rename(join(staged, project), join(dir, project))
    }
    lock.check()
    await writeCatalogue(files, dir, projects)
    files.syncDirectory(dir)
    files.unlink(join(dir, restoreName))
    files.syncDirectory(dir)
    removeTree(staged)
    const {savedAt, projects: moved} = await readSnapshot(dir, kept)
    return {name: kept, savedAt, projects: moved}
  } catch (error) {
    throw asStateError(error, dir)
  } finally {
    await lock.release()
  }
}

/** A verified copy of a snapshot on the disk of the state, so that renaming puts it into place. */
async function stagedCopy(dir: string, name: string, facets: Facets): Promise<string> {
  const staged = pathOf(dir, staging)
  removeTree(staged)
  try {
    await copyTo(staged, pathOf(dir, name), facets)
    return staged
  } catch (error) {
    removeTree(staged)
    if (!(error instanceof StateError) || error.code !== 'StateCorrupt') throw error
    const message = `The snapshot ${name} is damaged, and nothing was changed: ${error.message}`
    throw new StateError('StateCorrupt', message, error.path, 'Restore another snapshot.')
  }
}

async function moveAway(dir: string, {name, now, fence}: {name: string; now: Date; fence: () => void}): Promise<void> {
  const path = pathOf(dir, name)
  files.makeDirectory(path)
  for (const project of await projectDirectories(files, dir)) {
    fence()
    files.rename(join(dir, project), join(path, project))
  }
  files.syncDirectory(dir)
  const projects = await projectDirectories(files, path)
  const description: Description = {name, savedAt: now.toISOString(), projects, asFound: true}
  await replaceSealed(files, join(path, describing), description)
}

function assertName(dir: string, name: string): void {
  if (legalName.test(name)) return
  const message = `'${name}' cannot name a snapshot.`
  throw new StateError('StateUnusable', message, dir, 'Use up to 100 letters, digits, dots, hyphens and underscores.')
}
