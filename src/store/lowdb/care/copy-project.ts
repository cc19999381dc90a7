import {join} from 'node:path'
import {corrupt} from '../file/failures.js'
import {type Files, hasCode, readAll, writeAll} from '../file/files.js'
import {indexName, type Manifest, readManifest, writeManifest} from '../file/manifest.js'
import {openPrivate} from '../file/private.js'
import {replayFile} from '../line/replay.js'
import {verify} from './verify.js'

const chunkBytes = 1 << 20
const attempts = 20

/**
 * Copies a consistent state of a project into a new directory, durably, while its writer may continue. The copy shares
 * no files with the original and is verified as a whole: throws StateCorrupt if it is damaged. Does nothing for a
 * project without state.
 */
export async function copyProject(files: Files, from: string, to: string, nonce: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const manifest = await readManifest(files, from)
    if (!manifest) return
    try {
      await files.makeDirectory(to)
      const copied = await copyFiles(files, manifest, from, to)
      await assertSound(files, from, to, copied)
      return await writeManifest(files, to, copied, nonce)
    } catch (error) {
      await removeTree(files, to)
      if (!hasCode(error, 'ENOENT')) throw error
      // Either a compaction removed the files, and the next manifest names others; or the files are lost.
      if (attempt === attempts) throw corrupt(`A file of ${from} is missing: ${(error as Error).message}.`, from)
    }
  }
}

/** Copies the files of a manifest; returns that of the copy, whose journals are all sealed. */
async function copyFiles(files: Files, manifest: Manifest, from: string, to: string): Promise<Manifest> {
  for (const {file} of manifest.segments) {
    await copy(files, join(from, file), join(to, file))
    const index = indexName(file)
    // A missing index is rebuilt when the copy is opened.
    if (await files.stat(join(from, index))) await copy(files, join(from, index), join(to, index))
  }
  const journals = []
  for (const journal of manifest.journals) {
    const path = join(from, journal.file)
    const {length} = await replayFile(files, {...journal, path})
    await copy(files, path, join(to, journal.file), length)
    journals.push({...journal, bytes: length})
  }
  return {...manifest, journals}
}

async function assertSound(files: Files, from: string, to: string, manifest: Manifest): Promise<void> {
  const damage = (await verify(files, to, manifest)).find(({severity}) => severity === 'damage')
  if (damage) throw corrupt(damage.problem.replaceAll(to, from), damage.path.replaceAll(to, from))
}

/** Links an immutable file, or copies it if the file system has no hard links. */
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

/** Removes a directory tree. */
export async function removeTree(files: Files, path: string): Promise<void> {
  for (const name of await files.list(path)) {
    const inside = join(path, name)
    if ((await files.stat(inside))?.kind === 'directory') await removeTree(files, inside)
    else await files.unlink(inside)
  }
  await files.removeDirectory(path)
}
