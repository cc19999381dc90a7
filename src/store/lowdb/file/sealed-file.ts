import {dirname} from 'node:path'
import {crc32} from 'node:zlib'
import {StateError} from '../../../domain/errors.js'
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

/** Records are lines of JSON that end in the checksum of the bytes before it. */

/** Format version, raised when older releases cannot read the new format. */
export const stateFormat = 1

/** CRC-32 of bytes, or of the UTF-8 bytes of a text, continuing from the sum of what came before. */
export const checksumOf = (content: Uint8Array | string, start = 0): number => crc32(content, start)

/** Appends to the text of a JSON object the checksum of its UTF-8 bytes, as last member `x`. */
export function withChecksum(json: string): string {
  const open = json.slice(0, -1)
  return `${open},"x":"${crc32(open).toString(16).padStart(8, '0')}"}`
}

const suffixLength = withChecksum('{}').length - 1

/** Whether a record ends in its checksum. */
export const hasValidChecksum = (json: string): boolean => withChecksum(`${json.slice(0, -suffixLength)}}`) === json

/** Parses a file of one record. Throws StateCorrupt if its checksum does not match. */
export function parsedWithChecksum(bytes: Buffer, path: string): unknown {
  const [line = '', ...rest] = bytes.toString().split('\n')
  if (rest.join() !== '' || rest.length !== 1 || !hasValidChecksum(line)) throw corrupt(`${path} is damaged.`, path)
  return JSON.parse(line)
}

/** Throws StateVersion for a newer format, which this release could misread. */
export function assertKnownFormat(format: unknown, path: string): void {
  if (format === stateFormat) return
  const message = `${path} was written by a newer release (format ${String(format)}, this one reads ${stateFormat}).`
  throw new StateError('StateVersion', message, path, 'Use that release, or another data directory.')
}
