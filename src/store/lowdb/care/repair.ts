import {chmodSync} from 'node:fs'
import {join} from 'node:path'
import {asStateError} from '../../../files/file-errors.js'
import type {Facets} from '../../store.js'
import {corrupt} from '../file/failures.js'
import {type BlockingFiles, blockingFiles, writeNew} from '../file/files.js'
import {indexName, type JournalFile, journalName, type SegmentFile, writeManifest} from '../file/manifest.js'
import {listedProjects, projectDirectories, projectsIn, writeCatalogue} from '../folder/catalogue.js'
import {lockDirectory, newNonce} from '../folder/lock-directory.js'
import {generationOf} from '../folder/manifest-writer.js'
import {allFacetsSignature, facetSignature, facetsOf, refaceted} from '../line/facets.js'
import {sortedLines, writeSegment} from '../merge/merge.js'
import {newSeed} from '../table/key-hash.js'
import {catalogueFindings, diagnoseProject} from './doctor.js'
import {type Lost, type Salvaged, salvage} from './salvage.js'
import {removeTree, share} from './tree.js'
import {verifyProject} from './verify.js'

export interface Repair {
  readonly project: string
  /** Number of readable documents. */
  readonly documents: number
  /** Missing files, and unreadable places in others. */
  readonly lost: readonly Lost[]
  /** The directory of the original files; absent if there were none. */
  readonly keptIn?: string
}

/**
 * Rebuilds damaged projects of every document that can be read, each in the newest version that can. What a lost place had
 * changed or removed may be as it was before. The damaged files are set aside.
 */
export async function repair(dir: string, facets: Facets, now: Date, files = blockingFiles): Promise<Repair[]> {
  const nonce = newNonce()
  const request = {files, purpose: 'one-shot', use: 'repair', timeoutMs: 0, nonce} as const
  const lock = await lockDirectory(dir, request)
  try {
    makePrivate(files, dir)
    const repairs: Repair[] = []
    for (const project of await projectDirectories(files, dir)) {
      const directory = join(dir, project)
      for (const name of ['.', ...(await files.list(directory))]) makePrivate(files, join(directory, name))
      const {findings} = await diagnoseProject(directory, facets)
      if (!findings.some(({severity}) => severity === 'damage')) continue
      const keptIn = join(dir, `.damaged-${now.toISOString().replace(/[:.]/g, '-')}`, project)
      repairs.push(await repairProject(directory, facets, {files, project, keptIn, nonce}))
    }
    repairs.push(...(await repairCatalogue(files, dir, nonce)))
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
  const request = {
    files: blockingFiles,
    purpose: 'one-shot',
    use: 'restore',
    timeoutMs: 0,
    nonce: newNonce(),
    force: true,
  } as const
  await (await lockDirectory(dir, request)).release()
}

function makePrivate(files: BlockingFiles, path: string): void {
  const stat = files.stat(path)
  if (stat?.uid !== process.getuid?.()) return
  if (stat?.kind === 'directory') chmodSync(path, 0o700)
  if (stat?.kind === 'file') chmodSync(path, 0o600)
}

/** Rewrites the catalogue with the existing projects; missing ones are lost. */
async function repairCatalogue(files: BlockingFiles, dir: string, nonce: string): Promise<Repair[]> {
  if ((await catalogueFindings(dir)).length === 0) return []
  const listed = await listedProjects(files, dir).catch(() => undefined)
  const present = await projectsIn(files, dir, [])
  await writeCatalogue(files, dir, present, nonce)
  return (listed ?? [])
    .filter((project) => !present.includes(project))
    .map((project) => ({project, documents: 0, lost: [{file: project}]}))
}

async function repairProject(
  directory: string,
  facets: Facets,
  {files, project, keptIn, nonce}: {files: BlockingFiles; project: string; keptIn: string; nonce: string},
): Promise<Repair> {
  await files.makeDirectory(keptIn)
  const names = await files.list(directory)
  for (const name of names) {
    if ((await files.stat(join(directory, name)))?.kind === 'file')
      await share(files, join(directory, name), join(keptIn, name))
  }
  await files.syncDirectory(keptIn)
  const salvaged = await salvage(files, directory)
  // Above every generation in use, so that new files replace none and only the manifest puts them into effect.
  const made = new NewFiles(files, directory, Math.max(0, ...names.map(generationOf)))
  let generation: number | undefined
  try {
    const segments = made.segments(salvaged, facets)
    const journals = [await made.journal(allFacetsSignature(facets))]
    generation = made.next()
    await writeManifest(files, directory, {generation, segments, journals}, {nonce})
    await assertSound(files, directory)
    return {project, documents: salvaged.documents, lost: salvaged.lost, keptIn}
  } catch (error) {
    // The original files are untouched, so that a full disk leaves everything unchanged.
    if (generation === undefined || (await verifyProject(files, directory)).manifest?.generation !== generation) {
      for (const path of made.created) await files.unlink(path)
      await removeTree(files, keptIn)
    }
    throw error
  }
}

async function assertSound(files: BlockingFiles, directory: string): Promise<void> {
  const damage = (await verifyProject(files, directory)).findings.find(({severity}) => severity === 'damage')
  if (damage) throw corrupt(`Repairing ${directory} failed: ${damage.problem}`, damage.path)
}

class NewFiles {
  readonly created: string[] = []
  readonly #seed = newSeed()
  readonly #files: BlockingFiles
  readonly #directory: string
  #number: number

  constructor(files: BlockingFiles, directory: string, highest: number) {
    this.#files = files
    this.#directory = directory
    this.#number = highest
  }

  /** Allocates a generation that no file has. */
  next(): number {
    this.#number += 1
    return this.#number
  }

  async journal(facets: number): Promise<JournalFile> {
    const file = journalName(this.next())
    this.created.push(join(this.#directory, file))
    await writeNew(this.#files, join(this.#directory, file), '')
    return {file, first: 1, facets}
  }

  /** The segments for the manifest, newest first; damaged ones are rewritten. */
  segments({segments: salvaged}: Salvaged, facets: Facets): SegmentFile[] {
    const segments: SegmentFile[] = []
    for (const [at, found] of salvaged.entries()) {
      if ('file' in found) {
        segments.push(found)
        continue
      }
      const {kind, entries, countDelta} = found
      const file = `${encodeURIComponent(kind)}.${this.next()}.ndjson`
      this.created.push(join(this.#directory, file), join(this.#directory, indexName(file)))
      const aboveOthers = salvaged.slice(at + 1).some((older) => older.kind === kind)
      const functions = facetsOf(facets, kind)
      const segment = {kind, file, facets: facetSignature(functions), aboveOthers, countDelta, seed: this.#seed}
      const lines = sortedLines(entries, (entry) => refaceted(entry, functions))
      const written = writeSegment(this.#files, this.#directory, segment, [lines])
      if (written) segments.push(written)
    }
    return segments
  }
}
