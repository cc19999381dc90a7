import {join} from 'node:path'
import {corrupt, lockLost, ManifestUnsure} from './failures.js'
import {type Files, hasCode, unlinkQuietly} from './files.js'
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
  /** Written by a merge, of the kinds that have no segments: the documents as one commit. */
  readonly isMerged?: true
}

/** The files of a project's state: segments, newest first, and journals, of which the last one is active. */
export interface Manifest {
  /** Number of the manifest; a file's name has the generation of the manifest that it was created for. */
  readonly generation: number
  readonly segments: readonly SegmentFile[]
  readonly journals: readonly JournalFile[]
}

export const journalName = (generation: number): string => `journal.${generation}.jsonl`

/** The name of a segment's index. */
export const indexName = (segmentName: string): string => segmentName.replace(/ndjson$/, 'idx')

const isManifest = (value: object): value is Manifest => {
  const {generation, segments, journals} = value as Partial<Manifest>
  return typeof generation === 'number' && Array.isArray(segments) && Array.isArray(journals) && journals.length > 0
}

/** The generation in the name of a manifest; 0 for other files. */
export const manifestGeneration = (name: string): number => Number(/^MANIFEST\.(\d+)\.json$/.exec(name)?.[1] ?? 0)

export const manifestPath = (directory: string, generation: number): string =>
  join(directory, `MANIFEST.${generation}.json`)

const unfinished = 'MANIFEST.new.'

/** Whether a name is that of a manifest which has not taken effect. */
export const isUnfinished = (name: string): boolean => name.startsWith(unfinished)

/** Of the manifests among some names, the newest first. */
const generationsIn = (names: readonly string[]): number[] =>
  names
    .map(manifestGeneration)
    .filter((generation) => generation > 0)
    .sort((one, other) => other - one)

/**
 * The manifest in effect; undefined if the project has no state yet. Throws StateCorrupt for one that cannot be read.
 *
 * It is the newest. Only the name of an opening's manifest may get to the disk without that of its journal: then the power
 * went before anything was acknowledged, and the manifest before it, which is removed later, is in effect.
 */
export async function readManifest(files: Files, directory: string): Promise<Manifest | undefined> {
  const names = await files.list(directory)
  const generations = generationsIn(names)
  for (const generation of generations) {
    const manifest = await manifestAt(files, manifestPath(directory, generation))
    if (generation === generations.at(-1) || (await hasJournal(files, directory, manifest))) return manifest
  }
  return refuseRemains(files, directory, names)
}

/** Whether the journal that its holder writes is there. */
async function hasJournal(files: Files, directory: string, {journals}: Manifest): Promise<boolean> {
  const last = journals.at(-1) as JournalFile
  return last.bytes !== undefined || (await files.stat(join(directory, last.file))) !== undefined
}

/** The newest readable manifest, ignoring damaged ones. */
export async function newestReadableManifest(files: Files, directory: string): Promise<Manifest | undefined> {
  for (const generation of generationsIn(await files.list(directory))) {
    try {
      return await manifestAt(files, manifestPath(directory, generation))
    } catch (error) {
      if (hasCode(error, 'StateVersion')) throw error
    }
  }
  return undefined
}

async function manifestAt(files: Files, path: string): Promise<Manifest> {
  const manifest = await readSealed(files, path)
  // Another manifest may have taken its place since it was listed.
  if (!manifest) throw Object.assign(new Error(`${path} is not there`), {code: 'ENOENT'})
  if (!isManifest(manifest)) throw corrupt(`${path} is not a manifest.`, path)
  return manifest
}

/** Throws for files without a manifest: the manifest is durable before the first commit is acknowledged. */
async function refuseRemains(files: Files, directory: string, names: readonly string[]): Promise<undefined> {
  for (const name of names) {
    if (!/\.(ndjson|jsonl)$/.test(name)) continue
    const stat = await files.stat(join(directory, name))
    if (stat?.size) throw corrupt(`The manifest of ${directory} is missing beside ${name}.`, directory)
  }
  return undefined
}

/** Which names are on the disk: those of its files before a manifest takes effect, its own when `writeManifest` resolves. */
interface Durable {
  readonly files: boolean
  readonly own: boolean
}

/**
 * Installs a manifest atomically, also across a power cut: its name can be linked only once. Its generation must be above
 * every one in the directory. Throws StateLocked if another process installed that generation first.
 */
export async function writeManifest(
  files: Files,
  directory: string,
  {generation, segments, journals}: Manifest,
  {nonce, durable = {files: true, own: true}}: {readonly nonce: string; readonly durable?: Durable},
): Promise<void> {
  const next = join(directory, `${unfinished}${nonce}`)
  await files.unlink(next)
  try {
    await writeSealed(files, next, {generation, segments, journals})
    if (durable.files) await files.syncDirectory(directory)
    await files.link(next, manifestPath(directory, generation))
  } catch (error) {
    await files.unlink(next)
    if (hasCode(error, 'EEXIST')) throw lockLost(directory)
    throw error
  }
  try {
    if (durable.own) await files.syncDirectory(directory)
  } catch (cause) {
    throw new ManifestUnsure(`the manifest of ${directory} could not be replaced`, {cause})
  }
  await unlinkQuietly(files, next)
}
