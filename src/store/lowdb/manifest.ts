import {join} from 'node:path'
import {StateError} from '../../domain/errors.js'
import {isSealed, sealed} from './checksum.js'
import {corrupt, ManifestUnsure} from './failures.js'
import {type Files, readAll, writeNew} from './files.js'
import {openPrivate} from './private.js'

/** Raised when older releases could no longer read what this one writes. */
const format = 1

/** An immutable file of documents of one kind. */
export interface RunFile {
  readonly kind: string
  readonly file: string
  readonly bytes: number
  readonly lines: number
  /** By how many documents it changes the size of what is older. */
  readonly grown: number
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
  /** Its length, once no more is appended. */
  readonly bytes?: number
}

/** Which files make up a project's state: runs, newest first, and journals, of which the last one grows. */
export interface Manifest {
  readonly format: number
  /** Counts manifests; a file bears the number of the manifest that it was made for. */
  readonly generation: number
  readonly runs: readonly RunFile[]
  readonly journals: readonly JournalFile[]
}

export const manifestName = 'MANIFEST.json'

export const journalName = (generation: number): string => `journal.${generation}.jsonl`

export const firstManifest = (facets: number): Manifest => ({
  format,
  generation: 1,
  runs: [],
  journals: [{file: journalName(1), first: 1, facets}],
})

const isManifest = (value: unknown): value is Manifest => {
  const manifest = value as Partial<Manifest> | null
  return (
    typeof manifest === 'object' &&
    typeof manifest?.generation === 'number' &&
    Array.isArray(manifest.runs) &&
    Array.isArray(manifest.journals) &&
    manifest.journals.length > 0
  )
}

/** Nothing when the project has no state yet; what cannot be read whole is refused. */
export async function readManifest(files: Files, directory: string): Promise<Manifest | undefined> {
  const path = join(directory, manifestName)
  if (!(await files.stat(path))) return refuseRemains(files, directory)
  const {fd, size} = await openPrivate(files, path, 'read')
  try {
    const bytes = readAll(files, fd, 0, size)
    if (!isSealed(bytes.subarray(0, -1))) throw corrupt(`${path} is damaged.`, path)
    const manifest: unknown = JSON.parse(bytes.toString())
    if (!isManifest(manifest)) throw corrupt(`${path} is not a manifest.`, path)
    if (manifest.format > format) {
      const message = `${path} was written by a newer release (format ${manifest.format}, this one reads ${format}).`
      throw new StateError('StateVersion', message, path, 'Use that release, or another data directory.')
    }
    return manifest
  } finally {
    await files.close(fd)
  }
}

/** Content without a manifest is damage: the manifest is durable before the first commit is acknowledged. */
async function refuseRemains(files: Files, directory: string): Promise<undefined> {
  for (const name of await files.list(directory)) {
    if (!/\.(ndjson|jsonl)$/.test(name)) continue
    const stat = await files.stat(join(directory, name))
    if (stat?.size) throw corrupt(`${join(directory, manifestName)} is missing beside ${name}.`, directory)
  }
  return undefined
}

/** Replaces the manifest at once: before a power cut the old one, after it the new one, never a mixture. */
export async function writeManifest(files: Files, directory: string, manifest: Manifest, nonce: string): Promise<void> {
  const next = join(directory, `${manifestName}.${nonce}`)
  await files.unlink(next)
  await writeNew(files, next, `${sealed(JSON.stringify(manifest))}\n`)
  // The files that it names come first.
  await files.syncDirectory(directory)
  try {
    await files.rename(next, join(directory, manifestName))
    await files.syncDirectory(directory)
  } catch (cause) {
    throw new ManifestUnsure(`${join(directory, manifestName)} could not be replaced`, {cause})
  }
}
