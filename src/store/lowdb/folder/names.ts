import {join} from 'node:path'
import {isHint} from '../directory/hint.js'
import {type Awaitable, type Files, unlinkQuietly} from '../file/files.js'
import {writeSealed} from '../file/sealed-file.js'
import type {Reach} from '../line/line.js'

const fileName = /^documents\.(\d+)\.jsonl$/

/** The number of a file of documents; 0 for another file. */
export const numberOf = (name: string): number => Number(fileName.exec(name)?.[1] ?? 0)

export const pathOf = (directory: string, number: number): string => join(directory, `documents.${number}.jsonl`)

/** Where a holder that closes its file says how far it goes. */
export const endPathOf = (directory: string, number: number): string => join(directory, `documents.${number}.end`)

const besideName = /^documents\.(\d+)\.(?:end|hint)$/

/** The highest number of what is beside files of documents: it was made once the first line of the file was on the disk. */
export const besideNumber = (names: readonly string[]): number =>
  Math.max(0, ...names.map((name) => Number(besideName.exec(name)?.[1] ?? 0)))

/** The highest number of a file of documents, and what tells whether another process has written since. */
export interface Newest {
  readonly number: number
  readonly mark: string
}

export async function newestIn(files: Files, directory: string): Promise<Newest> {
  const number = Math.max(0, ...(await files.list(directory)).map(numberOf))
  const path = pathOf(directory, number)
  return {number, mark: `${number} ${files.identity(path)} ${(await files.stat(path))?.size}`}
}

/**
 * Removes what is not needed any more beside the files with these numbers, of which the highest is that of this holder: a
 * file above it is of one that has taken over.
 */
export async function removeRemains(
  files: Files,
  directory: string,
  kept: readonly number[],
  remove: (path: string) => Awaitable<void> = (path) => unlinkQuietly(files, path),
): Promise<void> {
  const own = Math.max(...kept)
  for (const name of await files.list(directory)) {
    const number = Number(/^documents\.(\d+)\./.exec(name)?.[1] ?? 0)
    if (number === 0 || number > own) continue
    const isRemains = !kept.includes(number) || name.endsWith('.unfinished') || name.endsWith('.end')
    if (isRemains) await remove(join(directory, name))
  }
}

/** Removes the hints of other files than the one with this number. */
export async function removeHints(files: Files, directory: string, number: number): Promise<void> {
  for (const name of await files.list(directory)) {
    const isOld = isHint(name) && !name.startsWith(`documents.${number}.`)
    if (isOld) await unlinkQuietly(files, join(directory, name))
  }
}

interface WrittenFile {
  readonly file: {readonly number: number}
  readonly reach: Reach
}

/** Says how far a file goes, so that one that is cut later is damaged. Best effort: the state is complete without it. */
export async function writeEnd(files: Files, directory: string, {file, reach}: WrittenFile): Promise<void> {
  const path = endPathOf(directory, file.number)
  try {
    await files.unlink(path)
    await writeSealed(files, path, reach, false)
  } catch {
    await unlinkQuietly(files, path)
  }
}
