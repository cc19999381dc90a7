import {join} from 'node:path'
import {blockingFiles as files} from '../file/files.js'

/**
 * Folders in the data folder with deliberate copies of older state: snapshots, and the original files of repairs.
 * Erasing a customer does not change them.
 */
export const keptCopies = (dir: string): string[] =>
  [
    ...files.list(join(dir, '.snapshots')).map((name) => join(dir, '.snapshots', name)),
    ...files.list(dir).flatMap((name) => (name.startsWith('.damaged-') ? [join(dir, name)] : [])),
  ].sort()
