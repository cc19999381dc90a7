import {join} from 'node:path'
import {isHint} from '../directory/hint.js'
import {type Awaitable, type Files, unlinkQuietly} from '../file/files.js'
import {writeSealed} from '../file/sealed-file.js'
import type {Journal} from './journal.js'
import {endPathOf} from './names.js'

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

/** Says how far a file goes, so that one that is cut later is damaged. Best effort: the state is complete without it. */
export async function writeEnd(files: Files, directory: string, {file, reach}: Journal): Promise<void> {
  const path = endPathOf(directory, file.number)
  try {
    await files.unlink(path)
    await writeSealed(files, path, reach, false)
  } catch {
    await unlinkQuietly(files, path)
  }
}
