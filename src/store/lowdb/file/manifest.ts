import {join} from 'node:path'
import {corrupt, lockLost, ManifestUnsure} from './failures.js'
import {type Files, hasCode} from './files.js'
import {readSealed, writeSealed} from './sealed-file.js'

/** An immutable file of documents of one kind. */
export interface SegmentFile {
  readonly kind: string
  readonly file: string
  readonly bytes: number
  readonly lines: number
  /** The change that it makes to the number of documents. */
  readonly countDelta: number
  readonly crc32: number
  /** Which facets its lines state. */
  readonly facets: number
}

export interface JournalFile {
  readonly file: string
  /** Sequence number of its first line. */
  readonly first: number
  /** Which facets its lines state. */
  readonly facets: number
  /** Its length once sealed. Later writes of a former holder behind it are not part of the state. */
  readonly bytes?: number
}

/** The files of a project's state: segments, newest first, and journals, of which the last one is active. */
export interface Manifest {
  /** Number of the manifest; a file's name has the generation of the manifest that it was created for. */
  readonly generation: number
  readonly segments: readonly SegmentFile[]
  readonly journals: readonly JournalFile[]
}

export const manifestName = 'MANIFEST.json'

export const journalName = (generation: number): string => `journal.${generation}.jsonl`

/** The name of a segment's index. */
export const indexName = (segmentName: string): string => segmentName.replace(/ndjson$/, 'idx')

/** The name of a segment's search texts. */
export const textsName = (segmentName: string): string => segmentName.replace(/\.(\d+)\.ndjson$/, '.texts.$1.idx')

const isManifest = (value: object): value is Manifest => {
  const {generation, segments, journals} = value as Partial<Manifest>
  return typeof generation === 'number' && Array.isArray(segments) && Array.isArray(journals) && journals.length > 0
}

/** Second name of each manifest, which can be linked only once. */
const generationName = (generation: number): string => `MANIFEST.${generation}.json`

/** The generation in the second name of a manifest; 0 for other files. */
export const manifestGeneration = (name: string): number => Number(/^MANIFEST\.(\d+)\.json$/.exec(name)?.[1] ?? 0)

export const generationPath = (directory: string, generation: number): string =>
  join(directory, generationName(generation))

/**
 * The newest manifest; undefined if the project has no state yet. Throws StateCorrupt for one that cannot be read.
 *
 * A stalled process may rename its manifest over that of its successor. The successor's has the higher generation, and
 * is still found by its second name, which can be linked only once.
 */
export async function readManifest(files: Files, directory: string): Promise<Manifest | undefined> {
  const path = join(directory, manifestName)
  if (!(await files.stat(path))) return refuseRemains(files, directory)
  const manifest = await manifestAt(files, path)
  const newest = Math.max(...(await files.list(directory)).map(manifestGeneration))
  return newest > manifest.generation ? manifestAt(files, generationPath(directory, newest)) : manifest
}

/** The newest readable manifest, ignoring damaged ones. */
export async function newestReadableManifest(files: Files, directory: string): Promise<Manifest | undefined> {
  const generations = (await files.list(directory)).map(manifestGeneration).filter((generation) => generation > 0)
  const names = [manifestName, ...generations.map(generationName)]
  let newest: Manifest | undefined
  for (const name of names) {
    const manifest = await manifestAt(files, join(directory, name)).catch((error: unknown) => {
      if (hasCode(error, 'StateVersion')) throw error
      return undefined
    })
    if (manifest && manifest.generation > (newest?.generation ?? 0)) newest = manifest
  }
  return newest
}

async function manifestAt(files: Files, path: string): Promise<Manifest> {
  const manifest = await readSealed(files, path)
  // Another manifest may have taken its place since it was listed.
  if (!manifest) throw Object.assign(new Error(`${path} is not there`), {code: 'ENOENT'})
  if (!isManifest(manifest)) throw corrupt(`${path} is not a manifest.`, path)
  return manifest
}

/** Throws for files without a manifest: the manifest is durable before the first commit is acknowledged. */
async function refuseRemains(files: Files, directory: string): Promise<undefined> {
  for (const name of await files.list(directory)) {
    if (!/\.(ndjson|jsonl)$/.test(name)) continue
    const stat = await files.stat(join(directory, name))
    if (stat?.size) throw corrupt(`${join(directory, manifestName)} is missing beside ${name}.`, directory)
  }
  return undefined
}

/**
 * Installs a manifest atomically, also across a power cut. Its generation must be above every one in the directory.
 * Throws StateLocked if another process installed that generation first.
 */
export async function writeManifest(files: Files, directory: string, manifest: Manifest, nonce: string): Promise<void> {
  const next = join(directory, `${manifestName}.${nonce}`)
  await files.unlink(next)
  try {
    const {generation, segments, journals} = manifest
    await writeSealed(files, next, {generation, segments, journals})
    // The names of its files must be durable first.
    await files.syncDirectory(directory)
    await files.link(next, generationPath(directory, manifest.generation))
  } catch (error) {
    await files.unlink(next)
    if (hasCode(error, 'EEXIST')) throw lockLost(directory)
    throw error
  }
  try {
    await files.rename(next, join(directory, manifestName))
    await files.syncDirectory(directory)
  } catch (cause) {
    throw new ManifestUnsure(`${join(directory, manifestName)} could not be replaced`, {cause})
  }
}
