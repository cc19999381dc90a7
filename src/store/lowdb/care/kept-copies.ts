import {readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {hasCode} from '../file/files.js'

/**
 * Folders in the data folder with deliberate copies of older state: snapshots, and the original files of repairs.
 * Erasing a customer does not change them.
 */
export async function keptCopies(dir: string): Promise<string[]> {
  const [snapshots, beside] = await Promise.all([namesIn(join(dir, '.snapshots')), namesIn(dir)])
  return [
    ...snapshots.map((name) => join(dir, '.snapshots', name)),
    ...beside.filter((name) => name.startsWith('.damaged-')).map((name) => join(dir, name)),
  ].sort()
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}
