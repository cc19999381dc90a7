import {join} from 'node:path'
import {type Files, hasCode, readAll, writeAll} from './files.js'
import {indexName} from './index-name.js'
import {journalEnd} from './load.js'
import {type Manifest, readManifest, writeManifest} from './manifest.js'
import {writeMark} from './mark.js'
import {openPrivate} from './private.js'

const chunkBytes = 1 << 20

/**
 * Copies a project as it is at one moment into a new directory, durably, while its writer may go on. Files that never
 * change get a second name instead of a copy where the file system allows it. Nothing for a project without state.
 */
export async function copyProject(
  files: Files,
  from: string,
  to: string,
  nonce: string,
): Promise<Manifest | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const manifest = await readManifest(files, from)
    if (!manifest) return undefined
    try {
      await files.makeDirectory(to)
      await copyFiles(files, manifest, from, to)
      await writeManifest(files, to, manifest, nonce)
      return manifest
    } catch (error) {
      await removeTree(files, to)
      // A compaction has removed files that the manifest named; the next manifest names others.
      if (!hasCode(error, 'ENOENT') || attempt === 20) throw error
    }
  }
}

async function copyFiles(files: Files, manifest: Manifest, from: string, to: string): Promise<void> {
  for (const {file} of manifest.runs) {
    await share(files, join(from, file), join(to, file))
    const index = indexName(file)
    // An index that is missing is made again by whoever opens the copy.
    if (await files.stat(join(from, index))) await share(files, join(from, index), join(to, index))
  }
  for (const journal of manifest.journals) {
    const path = join(from, journal.file)
    const {length} = await journalEnd(files, path, journal)
    await copy(files, path, join(to, journal.file), length)
    if (journal === manifest.journals.at(-1)) await writeMark(files, to, {file: journal.file, bytes: length})
  }
}

/** A second name for a file that never changes again, or a copy where the file system has no second names. */
export async function share(files: Files, from: string, to: string): Promise<void> {
  try {
    await files.link(from, to)
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP')) throw error
    await copy(files, from, to)
  }
}

/** Copies the first `length` bytes, or all. */
async function copy(files: Files, from: string, to: string, length?: number): Promise<void> {
  const source = await openPrivate(files, from, 'read')
  try {
    const target = await files.open(to, 'create')
    try {
      const end = length ?? source.size
      for (let position = 0; position < end; position += chunkBytes) {
        const chunk = readAll(files, source.fd, position, Math.min(chunkBytes, end - position))
        await writeAll(files, target, chunk, position)
      }
      await files.sync(target)
    } finally {
      await files.close(target)
    }
  } finally {
    await files.close(source.fd)
  }
}

/** Removes a directory of files and of such directories. */
export async function removeTree(files: Files, path: string): Promise<void> {
  for (const name of await files.list(path)) {
    const inside = join(path, name)
    if ((await files.stat(inside))?.kind === 'directory') await removeTree(files, inside)
    else await files.unlink(inside)
  }
  await files.removeDirectory(path)
}
