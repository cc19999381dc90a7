import {chmodSync} from 'node:fs'
import {join} from 'node:path'
import {asStateError} from '../../files/file-errors.js'
import type {Facets} from '../store.js'
import {dropBallast} from './ballast.js'
import {breather} from './breath.js'
import {share} from './copy-project.js'
import {diagnoseProject} from './doctor.js'
import {allFacetsSignature, facetsOf} from './facets.js'
import {blockingFiles as files, writeNew} from './files.js'
import {lockDirectory, newNonce} from './lock-directory.js'
import {firstManifest, journalName, type RunFile, writeManifest} from './manifest.js'
import {projectDirectories} from './projects.js'
import {writeRun} from './run-writer.js'
import {generationOf, type Lost, type Salvaged, salvage} from './salvage.js'

export interface Repair {
  readonly project: string
  /** Documents that could be read. */
  readonly documents: number
  /** Where something was that could not: a file and a byte in it. */
  readonly lost: readonly Lost[]
  /** The directory of what was found, untouched. */
  readonly keptIn: string
}

/**
 * Makes projects that are damaged usable again from all that can be read, and keeps what was found beside them. Only
 * with the user's consent: acknowledged commits may be missing afterwards, and later ones may be there without them.
 */
export async function repair(dir: string, facets: Facets, now: Date, lockTimeoutMs = 0): Promise<Repair[]> {
  const nonce = newNonce()
  const lock = await lockDirectory(dir, {files, purpose: 'one-shot', timeoutMs: lockTimeoutMs, nonce})
  try {
    await dropBallast(files, dir)
    const repairs: Repair[] = []
    for (const project of await projectDirectories(files, dir)) {
      const directory = join(dir, project)
      for (const name of ['.', ...(await files.list(directory))]) makePrivate(join(directory, name))
      const {findings} = await diagnoseProject(directory, facets)
      if (!findings.some(({severity}) => severity === 'damage')) continue
      const keptIn = join(dir, `.damaged-${now.toISOString().replace(/[:.]/g, '-')}`, project)
      repairs.push(await repairProject(directory, facets, {project, keptIn, nonce}))
    }
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
  const runs = await writeRuns(directory, facets, salvaged, generation)
  const signature = allFacetsSignature(facets)
  const journal = {file: journalName(generation), first: salvaged.last + 1, facets: signature}
  await writeNew(files, join(directory, journal.file), '')
  await writeManifest(files, directory, {...firstManifest(signature), generation, runs, journals: [journal]}, nonce)
  return {project, documents: runs.reduce((sum, {lines}) => sum + lines, 0), lost: salvaged.lost, keptIn}
}

async function writeRuns(directory: string, facets: Facets, {kinds}: Salvaged, generation: number): Promise<RunFile[]> {
  const runs: RunFile[] = []
  for (const [kind, overlay] of kinds) {
    const file = `${encodeURIComponent(kind)}.${generation}.ndjson`
    const run = {kind, file, facets: facetsOf(facets, kind), refacet: true, aboveOthers: false, grown: overlay.size}
    const written = await writeRun(files, directory, overlay.lines(), run, breather(5))
    if (written) runs.push(written)
  }
  return runs
}
