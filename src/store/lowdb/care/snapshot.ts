import {join} from 'node:path'
import {StateError} from '../../../domain/errors.js'
import {asStateError} from '../../../files/file-errors.js'
import {openStore} from '../../open.js'
import {corrupt} from '../file/failures.js'
import {blockingFiles as files} from '../file/files.js'
import {readSealed, writeSealed} from '../file/sealed-file.js'
import {endRestore, readRestore, writeRestore} from '../folder/access.js'
import {projectDirectories, writeCatalogue} from '../folder/catalogue.js'
import {lockDirectory, newNonce} from '../folder/lock-directory.js'
import {copyProject, removeTree} from './copy-project.js'
import {damageAt, type Finding, noting, verifyProject} from './verify.js'

// Names of projects cannot begin with a dot.
const folder = '.snapshots'
const describing = 'SNAPSHOT.json'

const legalName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

export interface Snapshot {
  readonly name: string
  /** ISO 8601 UTC. */
  readonly savedAt: string
  readonly projects: readonly string[]
}

interface Description extends Snapshot {
  /** Moved here by a restore, possibly damaged. */
  readonly asFound?: true
}

const pathOf = (dir: string, name: string): string => join(dir, folder, name)

/** Saves all projects under a name while a server may write. Throws StateCorrupt for a damaged or incomplete state. */
export async function saveSnapshot(dir: string, name: string, now: Date): Promise<Snapshot> {
  assertName(dir, name)
  try {
    // Opening as a reader checks whether the state is usable, and writes nothing.
    const store = await openStore({dir, facets: {}, writer: 'reader'})
    try {
      return await save(dir, name, await store.projects(), now)
    } finally {
      await store.close()
    }
  } catch (error) {
    throw asStateError(error, dir)
  }
}

async function save(dir: string, name: string, projects: readonly string[], now: Date): Promise<Snapshot> {
  const path = pathOf(dir, name)
  if (await files.stat(path)) {
    throw new StateError('StateUnusable', `There is a snapshot ${name} already.`, path, 'Choose another name.')
  }
  const nonce = newNonce()
  const unfinished = pathOf(dir, `.${nonce}`)
  await files.makeDirectory(unfinished)
  try {
    for (const project of projects) {
      await copyProject(files, join(dir, project), join(unfinished, project), nonce)
      if (await files.stat(join(unfinished, project))) continue
      throw corrupt(`The files of the project ${project} in ${dir} are missing.`, join(dir, project))
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
    if (!legalName.test(name)) continue
    const {savedAt, projects} = await readSnapshot(dir, name)
    snapshots.push({name, savedAt, projects})
  }
  return snapshots.sort((a, b) => (a.savedAt < b.savedAt ? -1 : 1))
}

async function readSnapshot(dir: string, name: string): Promise<Description> {
  const path = join(pathOf(dir, name), describing)
  const found = (await readSealed(files, path)) as Description | undefined
  if (found) return {...found, name}
  const message = `There is no snapshot ${name} in ${dir}.`
  throw new StateError('StateUnusable', message, path, "Run 'frontdesk server snapshot list' for their names.")
}

/** Deliberate copies of older state, which erasing a customer does not change: snapshots, and originals of repairs. */
export const keptCopies = (dir: string): string[] =>
  [
    ...files.list(join(dir, '.snapshots')).map((name) => join(dir, '.snapshots', name)),
    ...files.list(dir).flatMap((name) => (name.startsWith('.damaged-') ? [join(dir, name)] : [])),
  ].sort()

async function verifySnapshot(dir: string, name: string): Promise<Finding[]> {
  const findings: Finding[] = []
  const path = pathOf(dir, name)
  const snapshot = await noting(findings, path, () => readSnapshot(dir, name))
  for (const project of snapshot?.projects ?? []) {
    const directory = join(path, project)
    const {manifest, findings: found} = await verifyProject(files, directory)
    findings.push(...found.filter(({severity}) => severity === 'damage'))
    if (manifest || found.length > 0) continue
    findings.push(damageAt(directory, `${directory} is missing.`))
  }
  const severity = snapshot?.asFound ? 'note' : 'damage'
  const remedy = snapshot?.asFound
    ? `It was so when a restore moved it there. Remove ${path} when nobody needs it.`
    : `Remove ${path}, and save another snapshot.`
  return findings.map(({path: at, problem}) => ({path: at, problem, severity, remedy}))
}

/** The problems of all snapshots of a directory. */
export async function verifySnapshots(dir: string): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const name of await files.list(join(dir, folder))) {
    if (legalName.test(name)) findings.push(...(await verifySnapshot(dir, name)))
  }
  return findings
}

/** Throws StateCorrupt for a damaged snapshot. */
async function assertSound(dir: string, name: string): Promise<void> {
  const [first, ...more] = await verifySnapshot(dir, name)
  if (!first) return
  const others = more.length === 0 ? '' : ` There are ${more.length} more places.`
  const message = `The snapshot ${name} is damaged, and nothing was changed: ${first.problem}${others}`
  throw new StateError('StateCorrupt', message, first.path, 'Restore another snapshot.')
}

/**
 * Replaces all projects, damaged ones too, by a snapshot; moves them to a new snapshot and returns that one. Takes the
 * lock. Until it has finished the state is unusable, and the next call continues it. Throws StateCorrupt for a damaged
 * snapshot before it changes anything.
 */
export async function restoreSnapshot(dir: string, name: string, now: Date, lockTimeoutMs = 0): Promise<Snapshot> {
  assertName(dir, name)
  const nonce = newNonce()
  const request = {files, purpose: 'one-shot', use: 'restore', timeoutMs: lockTimeoutMs, nonce} as const
  const lock = await lockDirectory(dir, request)
  try {
    const {projects} = await readSnapshot(dir, name)
    await assertSound(dir, name)
    const begun = await readRestore(files, dir)
    const kept = begun?.kept ?? `before-${name}-${now.toISOString().replace(/[:.]/g, '-')}`
    if (begun?.phase !== 'copying') {
      lock.check()
      await writeRestore(files, dir, {name, kept, phase: 'moving'}, nonce)
      await moveAway(dir, {name: kept, now, fence: lock.check})
    }
    lock.check()
    await writeRestore(files, dir, {name, kept, phase: 'copying'}, nonce)
    for (const project of await projectDirectories(files, dir)) {
      lock.check()
      await removeTree(files, join(dir, project))
    }
    for (const project of projects) {
      lock.check()
      await copyProject(files, join(pathOf(dir, name), project), join(dir, project), nonce)
    }
    lock.check()
    await writeCatalogue(files, dir, projects, nonce)
    await endRestore(files, dir)
    const {savedAt, projects: moved} = await readSnapshot(dir, kept)
    return {name: kept, savedAt, projects: moved}
  } catch (error) {
    throw asStateError(error, dir)
  } finally {
    await lock.release()
  }
}

async function moveAway(dir: string, {name, now, fence}: {name: string; now: Date; fence: () => void}): Promise<void> {
  const path = pathOf(dir, name)
  await files.makeDirectory(path)
  for (const project of await projectDirectories(files, dir)) {
    fence()
    await files.rename(join(dir, project), join(path, project))
  }
  await files.syncDirectory(dir)
  await describe(path, {
    name,
    savedAt: now.toISOString(),
    projects: await projectDirectories(files, path),
    asFound: true,
  })
}

async function describe(path: string, snapshot: Description): Promise<void> {
  await files.unlink(join(path, describing))
  await writeSealed(files, join(path, describing), snapshot)
  await files.syncDirectory(path)
}

function assertName(dir: string, name: string): void {
  if (legalName.test(name)) return
  const message = `'${name}' cannot name a snapshot.`
  throw new StateError('StateUnusable', message, dir, 'Use up to 100 letters, digits, dots, hyphens and underscores.')
}
