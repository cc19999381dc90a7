import {join} from 'node:path'
import {StateError} from '../../domain/errors.js'
import {isSealed, sealed} from './checksum.js'
import {type Files, readAll, writeNew} from './files.js'
import {openPrivate} from './private.js'

/** Raised when older releases could no longer read what this one writes. */
const format = 1

export interface BaseFile {
  readonly kind: string
  readonly file: string
  readonly bytes: number
  readonly documents: number
  readonly crc32: number
}

export interface JournalFile {
  readonly file: string
  /** Sequence number of its first line. */
  readonly first: number
}

/** Which files make up a project's state: immutable bases, then journals in order, of which the last one grows. */
export interface Manifest {
  readonly format: number
  readonly generation: number
  readonly bases: readonly BaseFile[]
  readonly journals: readonly JournalFile[]
}

export const manifestName = 'MANIFEST.json'

export const firstManifest: Manifest = {
  format,
  generation: 1,
  bases: [],
  journals: [{file: 'journal.1.jsonl', first: 1}],
}

export const corrupt = (message: string, path: string): StateError =>
  new StateError(
    'StateCorrupt',
    message,
    path,
    "Run 'frontdesk server doctor' to see what is damaged and what is whole.",
  )

const isManifest = (value: unknown): value is Manifest => {
  const manifest = value as Partial<Manifest> | null
  return (
    typeof manifest === 'object' &&
    typeof manifest?.generation === 'number' &&
    Array.isArray(manifest.bases) &&
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
    const bytes = await readAll(files, fd, 0, size)
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
  await writeNew(files, next, `${sealed(JSON.stringify(manifest))}\n`)
  await files.rename(next, join(directory, manifestName))
  await files.syncDirectory(directory)
}
