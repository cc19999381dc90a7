import type {Client} from '../client/client.js'
import {defined} from '../domain/equal.js'
import {StateError} from '../domain/errors.js'
import {removeQuietly} from '../files/private-file.js'
import type {CauseMembers} from './check/causes.js'
import type {Place} from './input/row.js'
import {ImageReader, imagesPath} from './jobs/before-images.js'
import {fingerprintOf, journalPath, reportPath, type StoredJob, sameJob} from './jobs/jobs.js'
import {JobProgress} from './jobs/journal.js'
import type {Counts} from './jobs/journal-lines.js'
import {Memory} from './jobs/memory.js'
import {claimRows} from './jobs/row-lock.js'
import {carryOut} from './run/execution.js'
import {beginJob, type OpenJob, resumeJob, rowsOf} from './run/open-job.js'
import {type RunOptions, runOf} from './run/options.js'
import {batchesOf} from './send/batches.js'
import {callsOf} from './send/customer-calls.js'
import {Sender} from './send/sender.js'
import {EarlierVersions} from './undo/earlier-versions.js'
import {NothingToUndo, type PlannedUndo, planUndone, undoneRows} from './undo/plan.js'
import {UndoWriter} from './undo/writer.js'

/** How an undo sends its requests, and where jobs are kept. */
export interface UndoOptions extends RunOptions {
  /** Where journals, before-images and reports are kept. */
  readonly jobsDir: string
}

export type UndoKind = PlannedUndo['kind']

/** What taking a job back would do. */
export interface UndoPlan extends Readonly<Record<UndoKind, number>> {
  readonly undoOf: string
  readonly read: number
  /** Rows that the job may have sent, without a note of their end: they stay as they are. */
  readonly open: number
  /** What was created for the rows of the job, and stays. */
  readonly referencesLeft?: readonly string[]
  /** The first rows that are refused. */
  readonly refused: readonly (Place & {readonly id: string; readonly reason: string})[]
}

/** The counts of an undo, which add up to `read`. */
export interface UndoResult extends Counts, CauseMembers {
  readonly deleted: number
  readonly restored: number
  readonly job: string
  readonly undoOf: string
  readonly open: number
  /** What was created for the rows of the job, and stays. */
  readonly referencesLeft?: readonly string[]
  /** The table of rows that were refused, if any was. */
  readonly report: string | null
}

const [batchSize, firstRefused] = [250, 10]

function checkUndoable(dir: string, {header: {job, options}, state}: StoredJob): void {
  if (typeof options['undoOf'] === 'string') {
    const remedy = 'To have those rows again, import their file again.'
    throw new NothingToUndo(`The job ${job} took back ${options['undoOf']}.`, remedy)
  }
  if (state !== 'running') return
  throw new StateError(
    'StateLocked',
    `The job ${job} is still at work.`,
    journalPath(dir, job),
    'Wait for it to end, or end it.',
  )
}

type Undo = ReturnType<typeof undoOf>

/** What is needed to look at the rows of a job and to take them back. */
function undoOf(client: Client, {header, bytes}: StoredJob, options: UndoOptions) {
  const {sending, ...run} = runOf(options)
  const {jobsDir} = options
  const parts = {
    calls: callsOf(client),
    sender: new Sender(sending),
    images: new ImageReader(imagesPath(jobsDir, header.job)),
    earlier: new EarlierVersions(jobsDir, header),
  }
  const files = header.files.map(({name}) => name)
  const stays = new Map<string, number>()
  return {
    ...run,
    files,
    images: parts.images,
    rows: () => undoneRows(journalPath(jobsDir, header.job), bytes, files),
    plan: async (rows: Parameters<typeof planUndone>[0], progress = new JobProgress()) => {
      const hasRestored = (row: number, version: number) => progress.hasRestored(row, version)
      const planned = await planUndone(rows, {...parts, hasRestored})
      for (const member of planned.flatMap((entry) => (entry.kind === 'restore' ? entry.stays : []))) {
        stays.set(member, (stays.get(member) ?? 0) + 1)
      }
      return planned
    },
    writer: () => new UndoWriter({client, ...parts, ...run.runtime}),
    /** Reports the members that stay as the job left them. */
    tellStays: () => {
      for (const [member, rows] of stays) run.onEvent({type: 'unreachable', member, rows})
    },
  }
}

/** Of the job that takes another back. */
const fingerprintOfUndo = ({header: {job, projectKey, storeKey = '', target}}: StoredJob): string =>
  fingerprintOf(['undo', job, projectKey, storeKey, target])

/** Plans what `undoJob` would do; only reads. Throws NothingToUndo, and StateError for a job that still runs. */
export async function planUndo(client: Client, undone: StoredJob, options: UndoOptions): Promise<UndoPlan> {
  checkUndoable(options.jobsDir, undone)
  const undo = undoOf(client, undone, options)
  const begun = await sameJob(options.jobsDir, fingerprintOfUndo(undone))
  const counts: Record<UndoKind, number> = {delete: 0, restore: 0, unchanged: 0, conflict: 0}
  const refused: UndoPlan['refused'][number][] = []
  let read = 0
  try {
    for await (const batch of batchesOf(undo.rows(), batchSize)) {
      options.signal?.throwIfAborted()
      for (const planned of await undo.plan(batch, begun?.progress)) {
        read += 1
        counts[planned.kind] += 1
        const {id, place} = planned.row
        if (planned.kind === 'conflict' && refused.length < firstRefused)
          refused.push({id, ...place, reason: planned.message})
      }
      undo.onEvent({type: 'checking', rows: read})
    }
  } finally {
    await undo.images.close()
  }
  undo.tellStays()
  const left = defined({referencesLeft: undone.references})
  return {undoOf: undone.header.job, read, ...counts, open: undone.progress.open, refused, ...left}
}

/**
 * Takes a job back: deletes what it created and restores what it changed, each fenced by the version that the job left. The
 * undo is a job itself: repeat an interrupted one to continue it. Throws NothingToUndo, and RunStopped when it ends early.
 *
 *     const job = await readJob('jobs', '20261120-093000125-1a2b3c')
 *     if (job) await undoJob(client, job, {jobsDir: 'jobs'})
 */
export async function undoJob(client: Client, undone: StoredJob, options: UndoOptions): Promise<UndoResult> {
  const {jobsDir} = options
  checkUndoable(jobsDir, undone)
  const {header} = undone
  const {projectKey, storeKey, target, files} = header
  const identity = {projectKey, target, ...defined({storeKey}), options: {undoOf: header.job}}
  const rows = fingerprintOf(rowsOf(files, identity))
  const claim = claimRows(jobsDir, rows)
  const undo = undoOf(client, undone, options)
  try {
    const fingerprint = fingerprintOfUndo(undone)
    const before = await sameJob(jobsDir, fingerprint)
    if (before?.state === 'finished' && before.counts.failed === 0) {
      const by = `The job ${header.job} was taken back by the job ${before.header.job}.`
      throw new NothingToUndo(by, 'There is nothing left to do.')
    }
    const open =
      before && before.state !== 'finished'
        ? await resumeJob(jobsDir, before)
        : await beginJob(jobsDir, {files, rows, fingerprint}, identity, undo.runtime)
    return await carriedOut(undo, undone, open, options)
  } finally {
    await undo.images.close()
    claim.release()
  }
}

async function carriedOut(
  undo: Undo,
  undone: StoredJob,
  open: OpenJob,
  {jobsDir, signal}: UndoOptions,
): Promise<UndoResult> {
  const {concurrency, onEvent, plan, runtime} = undo
  const {job, journal, progress} = open
  const {created, updated} = undone.counts
  const memory = await Memory.open(jobsDir, undone.header)
  await memory.begin()
  const writer = undo.writer()
  const write: UndoWriter['write'] = async (planned, intended) => {
    const outcome = await writer.write(planned, intended)
    if (outcome.outcome === 'restored') memory.restore(planned.row.id, outcome.version, planned.written)
    return outcome
  }
  onEvent({type: 'started', job, rows: created + updated, counts: progress.counts})
  const carrying = carryOut<PlannedUndo>(open, undo.files, reportPath(jobsDir, job), {
    pieces: batchesOf(undo.rows(), batchSize),
    plan: async (rows) => {
      const planned = await plan(rows, progress)
      const restores = planned.flatMap((one) => {
        if (one.kind !== 'restore') return []
        const {version} = one.current
        return [{row: one.row.number, from: version, upTo: version + one.actions.length}]
      })
      // On disk with the plan of the rows, before they are sent.
      if (restores.length > 0) journal.append({restores})
      return planned
    },
    writer: {write},
    rowsAtWork: concurrency,
    onEvent,
    now: runtime.now,
    again: 'Repeat the command to go on where it ended.',
    flush: memory.flush,
    ...defined({signal}),
  })
  const {counts, report} = await carrying.finally(() => memory.close())
  undo.tellStays()
  // What is taken back needs no way back.
  if (counts.failed === 0 && undone.state !== 'unfinished') removeQuietly(imagesPath(jobsDir, undone.header.job))
  const {deleted = 0, restored = 0} = counts
  return {
    ...counts,
    deleted,
    restored,
    job,
    undoOf: undone.header.job,
    open: undone.progress.open,
    ...defined({referencesLeft: undone.references}),
    report,
    ...progress.causes.members,
  }
}
