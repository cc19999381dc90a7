import {dirname} from 'node:path'
import {assertKnownFormat, parsedWithChecksum, stateFormat, withChecksum} from './checksum.js'
import {corrupt} from './failures.js'
import {type Files, readAll, writeNew} from './files.js'
import {ifThere, withFile} from './private.js'

/** Small files of one JSON object with format and checksum: the catalogue, ends of files, snapshots, an unfinished restore. */

/** Undefined if there is none. Throws StateCorrupt, StateVersion and StatePermissions. */
export const readSealed = (files: Files, path: string): Promise<object | undefined> =>
  ifThere(
    withFile(files, path, (fd, size) => {
      const value = parsedWithChecksum(readAll(files, fd, 0, size), path)
      if (typeof value !== 'object' || value === null) throw corrupt(`${path} is damaged.`, path)
      assertKnownFormat(Reflect.get(value, 'format'), path)
      return value
    }),
  )

/** A new file; on the disk when it resolves, unless that does not matter. */
export const writeSealed = (files: Files, path: string, value: object, isSynced = true): Promise<void> =>
  writeNew(files, path, `${withChecksum(JSON.stringify({format: stateFormat, ...value}))}\n`, isSynced)

/** Replaces a file atomically, also across a power cut. `nonce` makes the name of the file that is written first unique. */
export async function replaceSealed(files: Files, path: string, value: object, nonce: string): Promise<void> {
  const next = `${path}.${nonce}`
  await files.unlink(next)
  await writeSealed(files, next, value)
  await files.rename(next, path)
  await files.syncDirectory(dirname(path))
}
