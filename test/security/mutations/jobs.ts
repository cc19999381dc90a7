import {type MutationGroup, of} from './mutation.js'

/** What taking a job back, and two runs over one file, could do to somebody else's work. */

const plan = of('src/transfer/undo/plan.ts')
const claim = of('src/transfer/jobs/row-lock.ts')
const forget = of('src/transfer/jobs/forget.ts')
const handles = of('src/files/private-handle.ts')

export const jobs: MutationGroup = {
  // These alone: the others of the folder need no mutation of this kind to be slow.
  folders: [],
  tests: ['transfer/undo', 'transfer/at-work', 'transfer/before-images'],
  mutations: [
    plan(
      'who was changed since the job created them is deleted',
      "if (isOurs) return {row, kind: 'delete'",
      "if (true) return {row, kind: 'delete'",
    ),
    plan('a change of somebody else is overwritten', 'earlier.isAt(current, row.version)', 'true'),
    claim('two runs write the same rows', 'tryLock(path, ', 'tryLock(path + Math.random(), '),
    claim('a run that was killed holds its rows for good', "livenessOf(found) !== 'alive'", 'false'),
    forget('what jobs replaced outlives its customer', "ids.includes(imageIn(text)?.id ?? '')", 'ids.length === 0'),
    handles(
      'others of the machine read what a job replaced',
      'if (stats.isFile() && stats.size === 0) await file.chmod(0o600)',
      'await file.chmod(0o644)',
    ),
  ],
}
