import {chmodSync} from 'node:fs'
import {join} from 'node:path'
import {asStateError} from '../../../files/file-errors.js'
import type {Facets} from '../../store.js'
import {allFacetsSignature, facetsOf} from '../format/facets.js'
import {corrupt} from '../format/failures.js'
import {blockingFiles as files, writeNew} from '../format/files.js'
import {firstManifest, journalName, type RunFile, writeManifest} from '../format/manifest.js'
import {listedProjects, projectDirectories, projectsIn, writeCatalogue} from '../format/projects.js'
import {lockDirectory, newNonce} from '../holder/lock-directory.js'
import {generationOf} from '../journal/manifest-writer.js'
import {breather} from '../memory/time-slice.js'
import {writeRun} from '../segments/segment-writer.js'
import {removeTree, share} from './copy-project.js'
import {catalogueFindings, diagnoseProject} from './doctor.js'
import {type CommitRange, type Lost, type Salvaged, salvage} from './salvage.js'
import {verifyProject} from './verify.js'

export interface Repair {
  readonly project: string
  /** Documents that could be read. */
  readonly documents: number
  /** Files that are missing, and places in others that cannot be read. */
  readonly lost: readonly Lost[]
  /** Commits that may be undone: what they removed or revoked may be there again. */
  readonly undone: readonly CommitRange[]
  /** The directory of what was found, untouched; absent if nothing was. */
  readonly keptIn?: string
}

/**
 * Makes projects that are damaged usable again from all that can be read, and keeps what was found beside them. Only
 * with the user's consent: acknowledged commits may be missing afterwards, and later ones may be there without them.
 */
export async function repair(dir: string, facets: Facets, now: Date, lockTimeoutMs = 0): Promise<Repair[]> {
  const nonce = newNonce()
  const request = {files, purpose: 'one-shot', use: 'repair', timeoutMs: lockTimeoutMs, nonce} as const
  const lock = await lockDirectory(dir, request)
  try {
    makePrivate(dir)
    const repairs: Repair[] = []
    for (const project of await projectDirectories(files, dir)) {
      const directory = join(dir, project)
      for (const name of ['.', ...(await files.list(directory))]) makePrivate(join(directory, name))
      const {findings} = await diagnoseProject(directory, facets)
      if (!findings.some(({severity}) => severity === 'damage')) continue
      const keptIn = join(dir, `.damaged-${now.toISOString().replace(/[:.]/g, '-')}`, project)
      repairs.push(await repairProject(directory, facets, {project, keptIn, nonce}))
    }
    repairs.push(...(await repairCatalogue(dir, nonce)))
    return repairs
  } catch (error) {
    throw asStateError(error, dir)
  } finally {
    await lock.release()
  }
}

function makePrivate(path: string): void {
  const stat = files.stat(path)
  if (stat instanceof Promise || stat?.uid !== process.getuid?.()) return
  if (stat?.kind === 'directory') chmodSync(path, 0o700)
  if (stat?.kind === 'file') chmodSync(path, 0o600)
}

/** Lists the projects that are there; those that are gone are lost as a whole. */
async function repairCatalogue(dir: string, nonce: string): Promise<Repair[]> {
  if ((await catalogueFindings(dir)).length === 0) return []
  const listed = await Promise.resolve(listedProjects(files, dir)).catch(() => undefined)
  const present = await projectsIn(files, dir, [])
  await writeCatalogue(files, dir, present, nonce)
  return (listed ?? [])
    .filter((project) => !present.includes(project))
    .map((project) => ({project, documents: 0, lost: [{file: project}], undone: [{from: 1}]}))
}

async function repairProject(
  directory: string,
  facets: Facets,
  {project, keptIn, nonce}: {readonly project: string; readonly keptIn: string; readonly nonce: string},
): Promise<Repair> {
  await files.makeDirectory(keptIn)
  const names = await files.list(directory)
  for (const name of names) {
    if ((await files.stat(join(directory, name)))?.kind === 'file')
      await share(files, join(directory, name), join(keptIn, name))
  }
  await files.syncDirectory(keptIn)
  const salvaged = await salvage(files, directory)
  // Above every number in use, so that the new files take the place of none and the manifest alone decides.
  const generation = Math.max(0, ...names.map(generationOf)) + 1
  const created: string[] = []
  try {
    const runs = await writeRuns(directory, facets, {salvaged, generation, created})
    const journal = {file: journalName(generation), first: salvaged.last + 1, facets: allFacetsSignature(facets)}
    created.push(join(directory, journal.file))
    await writeNew(files, join(directory, journal.file), '')
    await writeManifest(files, directory, {...firstManifest(generation), runs, journals: [journal]}, nonce)
    const documents = runs.reduce((sum, {lines}) => sum + lines, 0)
    await assertSound(directory)
    return {project, documents, lost: salvaged.lost, undone: salvaged.undone, keptIn}
  } catch (error) {
    // What was found is untouched; without room for the rest nothing was changed.
    if ((await generationInForce(directory)) !== generation) {
      for (const path of created) await files.unlink(path)
      await removeTree(files, keptIn)
    }
    throw error
  }
}

async function generationInForce(directory: string): Promise<number | undefined> {
  return (await verifyProject(files, directory)).manifest?.generation
}

async function assertSound(directory: string): Promise<void> {
  const damage = (await verifyProject(files, directory)).findings.find(({severity}) => severity === 'damage')
  if (damage) throw corrupt(`Repairing ${directory} failed: ${damage.problem}`, damage.path)
}

async function writeRuns(
  directory: string,
  facets: Facets,
  {salvaged, generation, created}: {readonly salvaged: Salvaged; readonly generation: number; created: string[]},
): Promise<RunFile[]> {
  const runs: RunFile[] = []
  const how = {breath: breather(5), created}
  for (const [kind, overlay] of salvaged.kinds) {
    const file = `${encodeURIComponent(kind)}.${generation}.ndjson`
    const run = {kind, file, facets: facetsOf(facets, kind), refacet: true, aboveOthers: false, grown: overlay.size}
    const written = await writeRun(files, directory, overlay.lines(), run, how)
    if (written) runs.push(written)
  }
  return runs
}
