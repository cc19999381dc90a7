import {StateError} from '../../../domain/errors.js'
import {DataFile} from '../directory/data-file.js'
import type {Documents} from '../directory/documents.js'
import type {Counted, SetAside} from '../directory/hint.js'
import {corrupt} from '../file/failures.js'
import {type Files, hasCode} from '../file/files.js'
import {openPrivate} from '../file/private.js'
import {assertKnownFormat, stateFormat} from '../file/sealed-file.js'
import {closed, commitsIn} from '../line/line.js'
import {besideNumber, numberOf, pathOf} from './names.js'

/*
 * The documents of a project are in files `documents.N.jsonl`, one for each holder that wrote, until copying joins them.
 * The one with the highest number is in effect: its first line names those before it, and how far each counts, so that a
 * holder who was forced out or stalled writes where nobody reads. Decision 75.
 */

/** What the first line of a file says of those before it. */
interface Header {
  readonly follows: readonly Counted[]
  readonly without?: readonly SetAside[]
}

/** The first commit of a file. */
export function headerOf({follows, without = []}: Header): {readonly bytes: Buffer; readonly checksum: number} {
  const header = {format: stateFormat, follows, ...(without.length > 0 ? {without} : {})}
  return closed(Buffer.from(`${JSON.stringify(header)}\n`), 0)
}

/** The files in effect, the oldest first, each open, and how far it counts; of the newest the size. */
export interface Chain {
  readonly parts: readonly {readonly file: DataFile; readonly end: number; readonly checksum: number}[]
  readonly without: readonly SetAside[]
}

export const closeChain = (chain: Chain | undefined): void => {
  for (const {file} of chain?.parts ?? []) file.retire()
}

export interface Opening {
  readonly files: Files
  readonly directory: string
  readonly documents: Documents
}

/** Opens a file, which counts whole. */
export async function openFile(
  {files, directory, documents}: Opening,
  number: number,
): Promise<Chain['parts'][number]> {
  const path = pathOf(directory, number)
  const {fd, size} = await openPrivate(files, path, 'read')
  return {file: new DataFile(files, {number, path, fd}, documents), end: size, checksum: 0}
}

const attempts = 10

/** Opens the files in effect; undefined if there are none. Throws StateCorrupt. */
export async function openChain(opening: Opening): Promise<Chain | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await chainNow(opening)
    } catch (error) {
      // A writer has joined the files meanwhile.
      if (!hasCode(error, 'ENOENT')) throw error
      if (attempt === attempts) throw corrupt(`A file of ${opening.directory} is missing.`, opening.directory)
    }
  }
}

async function chainNow({files, directory, documents}: Opening): Promise<Chain | undefined> {
  const names = await files.list(directory)
  const numbers = names
    .map(numberOf)
    .filter((number) => number > 0)
    .sort((a, b) => b - a)
  if (numbers.length === 0 && names.some((name) => name.startsWith('MANIFEST.'))) throw former(directory)
  const beside = besideNumber(names)
  if (beside > (numbers[0] ?? 0)) throw corrupt(`${pathOf(directory, beside)} is missing.`, directory)
  const opened: DataFile[] = []
  const open = async (number: number) => {
    const part = await openFile({files, directory, documents}, number)
    opened.push(part.file)
    return part
  }
  try {
    for (const number of numbers) {
      const newest = await open(number)
      const header = headerIn(newest.file, newest.end)
      if (!header) {
        if (beside === number) throw corrupt(`${newest.file.path} is damaged at its beginning.`, newest.file.path)
        newest.file.retire()
        continue
      }
      const parts: Chain['parts'][number][] = []
      for (const [earlier, end, checksum] of header.follows) {
        const {file, end: size} = await open(earlier)
        if (size < end) throw corrupt(`${file.path} is shorter than it was.`, file.path)
        parts.push({file, end, checksum})
      }
      return {parts: [...parts, newest], without: header.without ?? []}
    }
    return undefined
  } catch (error) {
    for (const file of opened) file.retire()
    throw error
  }
}

const former = (directory: string): StateError =>
  new StateError(
    'StateVersion',
    `${directory} has files of a former format.`,
    directory,
    "Move it to a database and back: 'frontdesk server migrate-store' of commit 9fa0e815 is the last that reads it.",
  )

/** The first line of a file; undefined for one that a holder has begun and not finished. */
export function headerIn(file: DataFile, size: number): Header | undefined {
  const stretch = {path: file.path, read: file.read, from: 0, to: size, checksum: 0}
  let isFirst = true
  for (const {isWhole, provesEarlier, lines} of commitsIn(stretch)) {
    if (isFirst && isWhole) {
      const {format, ...header} = JSON.parse(lines.toString()) as Header & {readonly format: unknown}
      assertKnownFormat(format, file.path)
      return header
    }
    if (provesEarlier) throw corrupt(`${file.path} is damaged at its beginning.`, file.path)
    isFirst = false
  }
  return undefined
}
