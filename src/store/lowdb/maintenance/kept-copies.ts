import {readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {hasCode} from '../format/files.js'

/**
 * Folders beside the state that keep older documents because somebody wanted that: snapshots, and what a repair put
 * aside. Erasing a customer leaves them alone.
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
