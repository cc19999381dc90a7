import {chmodSync, rmSync} from 'node:fs'
import {basename, join} from 'node:path'
import {asStateError} from '../../../files/file-errors.js'
import type {Facets} from '../../store.js'
import {unfinishedMigration} from '../../unfinished-migration.js'
import {Documents} from '../directory/documents.js'
import {type BlockingFiles, blockingFiles, writeNew} from '../file/files.js'
import {adoptDirectory} from '../file/private.js'
import {besideNumber, type Chain, closeChain, findChain, headerLine, numberOf, pathOf} from '../folder/chain.js'
import {readChain} from '../folder/load.js'
import {lockName, readHolder} from '../folder/lock.js'
import {
  assertUsable,
  catalogueName,
  listedProjects,
  lockDirectory,
  projectDirectories,
  projectsIn,
  writeCatalogue,
} from '../folder/state-folder.js'
import {closed} from '../line/line.js'
import {verifySnapshots} from './snapshot.js'
import {damageAt, type Finding, noting, verifyProject} from './verify.js'

export type {Finding} from './verify.js'

export interface Diagnosis {
  readonly projects: readonly {readonly name: string; readonly documents: number}[]
  readonly findings: readonly Finding[]
}

/** Verifies every byte of a state without changing it. */
export async function diagnose(dir: string, facets: Facets = {}): Promise<Diagnosis> {
  const findings: Finding[] = []
  const projects: {name: string; documents: number}[] = []
  await noting(findings, dir, () => assertUsable(blockingFiles, dir, 'read'))
  await noting(findings, dir, () => readHolder(blockingFiles, join(dir, lockName)))
  findings.push(...(await catalogueFindings(dir)))
  for (const name of (await noting(findings, dir, () => projectDirectories(blockingFiles, dir))) ?? []) {
    const directory = join(dir, name)
    const {state, findings: found, marker} = await verifyProject(blockingFiles, directory, facets)
    findings.push(...found)
    if (!state || found.length > 0) continue
    const part = marker && unfinishedMigration(marker, dir)
    if (part) findings.push(damageAt(part.path, part.message, part.remedy))
    projects.push({name, documents: state.size})
  }
  findings.push(...(await verifySnapshots(dir)))
  return {projects, findings}
}

async function catalogueFindings(dir: string): Promise<Finding[]> {
  const findings: Finding[] = []
  const path = join(dir, catalogueName)
  const listed = await noting(findings, path, () => listedProjects(blockingFiles, dir))
  // Of a project that cannot be listed its own findings tell.
  const present = await projectsIn(blockingFiles, dir, []).catch(() => undefined)
  if (findings.length > 0 || !present) return findings
  if (listed) {
    const missing = listed.filter((project) => !present.includes(project))
    return missing.map((name) => damageAt(join(dir, name), `The files of the project ${name} in ${dir} are missing.`))
  }
  return present.length > 0 ? [damageAt(path, `${path} is missing: it is unknown which projects must be there.`)] : []
}

/** A place that could not be read; without `byte`, a missing file. */
export interface Lost {
  readonly file: string
  readonly byte?: number
}

export interface Repair {
  readonly project: string
  /** Number of documents that are left. */
  readonly documents: number
  readonly lost: readonly Lost[]
  /** The directory of the original files; absent if there were none. */
  readonly keptIn?: string
}

/** What was mended beside the commits: a file that others could read, or the list of projects. */
export type Mended = Pick<Finding, 'path'> & {readonly mended: 'made private' | 'written anew'}

/** Writes damaged projects anew from every commit that can be read; the damaged files are set aside. */
export async function repair(dir: string, now: Date, files = blockingFiles, mended: Mended[] = []): Promise<Repair[]> {
  const lock = await lockDirectory(dir, {files, purpose: 'one-shot', use: 'repair', timeoutMs: 0})
  try {
    const within = (folder: string) => files.list(folder).map((name) => join(folder, name))
    for (const path of within(dir)) if (files.stat(path)?.kind === 'file') makePrivate(files, path, mended)
    const repairs: Repair[] = []
    for (const project of await projectDirectories(files, dir)) {
      const directory = join(dir, project)
      for (const path of [directory, ...within(directory)]) makePrivate(files, path, mended)
      if ((await verifyProject(files, directory)).findings.length === 0) continue
      const keptIn = join(dir, `.damaged-${now.toISOString().replace(/[:.]/g, '-')}`, project)
      repairs.push(await repairProject(files, directory, keptIn))
    }
    if ((await catalogueFindings(dir)).length > 0) {
      const listed = (await listedProjects(files, dir).catch(() => undefined)) ?? []
      const present = await projectsIn(files, dir, [])
      const missing = listed.filter((project) => !present.includes(project))
      // A link to a project that is elsewhere is no reason to forget that project.
      for (const project of missing) await adoptDirectory(files, join(dir, project))
      await writeCatalogue(files, dir, present)
      mended.push({path: join(dir, catalogueName), mended: 'written anew'})
      repairs.push(...missing.map((project) => ({project, documents: 0, lost: [{file: project}]})))
    }
    return repairs
  } catch (error) {
    throw asStateError(error, dir)
  } finally {
    await lock.release()
  }
}

/** Releases the lock of a process in another container or on another machine; one that still writes is fenced off. */
export async function releaseLock(dir: string): Promise<void> {
  if (!blockingFiles.stat(dir)) return
  const request = {files: blockingFiles, purpose: 'one-shot', use: 'restore', timeoutMs: 0, force: true} as const
  await (await lockDirectory(dir, request)).release()
}

function makePrivate(owned: BlockingFiles, path: string, mended: Mended[]): void {
  const stat = owned.stat(path)
  const mode = stat?.kind === 'directory' ? 0o700 : 0o600
  if (stat?.uid !== process.getuid?.() || stat?.kind === 'other' || (stat?.mode ?? mode) % 0o1000 === mode) return
  chmodSync(path, mode)
  mended.push({path, mended: 'made private'})
}

/**
 * Puts a file into effect that follows all that can be read, and names the commits that are left out: it is short, so that
 * there is room for it on a full disk. The next copy leaves the damage behind.
 */
async function repairProject(files: BlockingFiles, directory: string, keptIn: string): Promise<Repair> {
  const names = files.list(directory)
  const next = pathOf(directory, Math.max(besideNumber(names), ...names.map(numberOf)) + 1)
  let chain: Chain | undefined
  try {
    const opening = {files, directory, facets: {}, documents: new Documents(0, 0)}
    chain = (await findChain(opening)) ?? {parts: [], without: [], missing: new Set()}
    files.makeDirectory(keptIn)
    for (const name of names) if (numberOf(name) > 0) files.link(join(directory, name), join(keptIn, name))
    files.syncDirectory(keptIn)
    const {state, damaged, counted} = await readChain(chain, opening)
    const without = [...chain.without, ...damaged]
    // One that was broken off may have left it.
    files.unlink(`${next}.unfinished`)
    const {bytes} = closed(headerLine({follows: counted.filter(([, end]) => end > 0), without}), 0)
    await writeNew(files, `${next}.unfinished`, bytes)
    files.rename(`${next}.unfinished`, next)
    files.syncDirectory(directory)
    for (const name of files.list(directory)) if (besideNumber([name]) > 0) files.unlink(join(directory, name))
    const lost: Lost[] = [...chain.missing].map((number) => ({file: basename(pathOf(directory, number))}))
    for (const [number, byte] of damaged) lost.push({file: basename(pathOf(directory, number)), byte})
    return {project: basename(directory), documents: state.size, lost, keptIn}
  } catch (error) {
    // The original files are untouched, so that a full disk leaves everything unchanged.
    files.unlink(`${next}.unfinished`)
    rmSync(keptIn, {recursive: true, force: true})
    throw error
  } finally {
    closeChain(chain)
  }
}
