import type {Client} from '../client/client.js'
import {defined} from '../domain/equal.js'
import {StateError} from '../domain/errors.js'
import {removeQuietly} from '../files/private-file.js'
import type {CauseMembers} from './check/causes.js'
import type {Place} from './input/row.js'
import {ImageReader, imagesPath} from './jobs/before-images.js'
import {fingerprintOf, journalPath, noteEnding, reportPath, type StoredJob, sameJob} from './jobs/jobs.js'
import {JobProgress} from './jobs/journal.js'
import type {Counts} from './jobs/journal-lines.js'
import {Memory} from './jobs/memory.js'
import {claimRows} from './jobs/row-lock.js'
import {isOpen, jobStates} from './jobs/states.js'
import {carryOut} from './run/execution.js'
import {beginJob, type OpenJob, resumeJob, rowsOf} from './run/open-job.js'
import {type RunOptions, runOf} from './run/options.js'
import {batchesOf} from './send/batches.js'
import {callsOf} from './send/customer-calls.js'
import {Sender} from './send/sender.js'
import {earlierVersions} from './undo/earlier-versions.js'
import {NothingToUndo, openOf, type PlannedUndo, planUndone, undoneRows} from './undo/plan.js'
import {undoWriter} from './undo/writer.js'

/** How an undo sends its requests, and where jobs are kept. */
export interface UndoOptions extends RunOptions {
  /** Where journals, before-images and reports are kept. */
  readonly jobsDir: string
  /** Puts back what else the job moved; the undo has not ended before. */
  readonly putBack?: () => Promise<void>
}

export type OpenNext = (typeof jobStates)[keyof typeof jobStates]['open']
export type UndoKind = PlannedUndo['kind']

/** What stays as the job left it. */
interface UndoLeaves {
  readonly undoOf: string
  /** Rows that the job may have sent, without a note of their end or a before-image. */
  readonly open: number
  /** How to go on with these: wait for the run, resume it and undo it again, or look for what it created. */
  readonly openNext?: OpenNext
  /** What was created for the rows of the job. */
  readonly referencesLeft?: readonly string[]
}

/** What taking a job back would do. */
export interface UndoPlan extends Readonly<Record<UndoKind, number>>, UndoLeaves {
  /** What the job read, and when it began. */
  readonly files: readonly string[]
  /** The profile that a copy read. */
  readonly copiedFrom?: string
  readonly startedAt: string
  readonly read: number
  /** The first rows that are refused. */
  readonly refused: readonly (Place & {readonly id: string; readonly reason: string})[]
}

/** The counts of an undo, which add up to `read`. */
export interface UndoResult extends Counts, CauseMembers, UndoLeaves {
  readonly deleted: number
  readonly restored: number
  readonly job: string
  /** The table of rows that were refused, if any was. */
  readonly report: string | null
}

const firstRefused = 10

function checkUndoable(dir: string, {header: {job, options}, state, progress}: StoredJob, begun?: StoredJob): void {
  if (typeof options['undoOf'] === 'string') {
    const remedy = 'To have those rows again, import their file again.'
    throw new NothingToUndo(`The job ${job} took back ${options['undoOf']}.`, remedy)
  }
  const {undo} = jobStates[state]
  if (undo === 'takes it back' || (undo === 'has nothing to do' && begun && isOpen(begun.state))) return
  if (undo === 'has nothing to do') {
    const by = `The job ${job} was taken back by the job ${progress.undoneBy}.`
    throw new NothingToUndo(by, 'There is nothing left to do.')
  }
  throw new StateError(
    'StateLocked',
    `The job ${job} is still at work.`,
    journalPath(dir, job),
    'Wait for it to end, or end it.',
  )
}

type Undo = ReturnType<typeof undoContext>

/** What is needed to look at the rows of a job and to take them back. */
function undoContext(client: Client, undone: StoredJob, options: UndoOptions) {
  const {header} = undone
  const {sending, ...run} = runOf(options)
  const {jobsDir} = options
  const parts = {
    calls: callsOf(client),
    sender: new Sender(sending),
    images: new ImageReader(imagesPath(jobsDir, header.job)),
    earlier: earlierVersions(jobsDir, header),
  }
  const files = header.files.map(({name}) => name)
  const stays = new Map<string, number>()
  return {
    ...run,
    files,
    images: parts.images,
    rows: () => undoneRows(jobsDir, undone),
    plan: async (rows: Parameters<typeof planUndone>[0], progress = new JobProgress()) => {
      const hasRestored = (row: number, version: number) => progress.hasRestored(row, version)
      const planned = await planUndone(rows, {...parts, hasRestored})
      for (const member of planned.flatMap((entry) => (entry.kind === 'restore' ? entry.stays : []))) {
        stays.set(member, (stays.get(member) ?? 0) + 1)
      }
      return planned
    },
    write: undoWriter({client, ...parts}),
    reportUnrevertedFields: () => {
      for (const [member, rows] of stays) run.onEvent({type: 'unreachable', member, rows})
    },
  }
}

/** Of the job that takes another back. */
const fingerprintOfUndo = ({header: {job, projectKey, storeKey = '', target}}: StoredJob): string =>
  fingerprintOf(['undo', job, projectKey, storeKey, target])

/** Plans what `undoJob` would do; only reads. Throws NothingToUndo, and StateError for a job that still runs. */
export async function planUndo(client: Client, undone: StoredJob, options: UndoOptions): Promise<UndoPlan> {
  const begun = await sameJob(options.jobsDir, fingerprintOfUndo(undone))
  checkUndoable(options.jobsDir, undone, begun)
  const undo = undoContext(client, undone, options)
  const counts: Record<UndoKind, number> = {delete: 0, restore: 0, unchanged: 0, conflict: 0}
  const refused: UndoPlan['refused'][number][] = []
  let read = 0
  try {
    for await (const batch of batchesOf(undo.rows())) {
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
  undo.reportUnrevertedFields()
  const {job, startedAt, options: about} = undone.header
  const copiedFrom = about['copiedFrom'] as string | undefined
  const open = openOf(options.jobsDir, undone)
  const left = {...open, refused, ...defined({referencesLeft: undone.references, copiedFrom})}
  return {undoOf: job, files: undo.files, startedAt, read, ...counts, ...left}
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
  const {header} = undone
  const {projectKey, storeKey, target, files} = header
  const identity = {projectKey, target, ...defined({storeKey}), options: {undoOf: header.job}}
  const rows = fingerprintOf(rowsOf(files, identity))
  const claim = claimRows(jobsDir, rows)
  const undo = undoContext(client, undone, options)
  try {
    const fingerprint = fingerprintOfUndo(undone)
    const before = await sameJob(jobsDir, fingerprint)
    checkUndoable(jobsDir, undone, before)
    const open =
      before && isOpen(before.state)
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
  {jobsDir, signal, putBack}: UndoOptions,
): Promise<UndoResult> {
  const {concurrency, onEvent, plan, runtime} = undo
  const {job, journal, progress} = open
  const {
    header,
    state,
    counts: {created, updated},
  } = undone
  const left = openOf(jobsDir, undone)
  const uses = jobStates[state].forget === 'used images'
  const memory = await Memory.open(jobsDir, header)
  await memory.begin()
  const write: typeof undo.write = async (planned, intended) => {
    const outcome = await undo.write(planned, intended)
    if (outcome.outcome === 'restored') memory.restore(planned.row.id, outcome.version, planned.written)
    return outcome
  }
  onEvent({type: 'started', job, rows: created + updated, counts: progress.counts})
  const carrying = carryOut<PlannedUndo>({
    ...{...open, files: undo.files, reportPath: reportPath(jobsDir, job)},
    pieces: undo.rows(),
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
    ...{writer: {write}, waits: () => Promise.resolve(true)},
    ...{rowsAtWork: concurrency, onEvent},
    now: runtime.now,
    again: 'Repeat the command to go on where it ended.',
    flush: memory.flush,
    last: async ({failed}) => {
      await putBack?.()
      // A job that can go on is taken back to the end once it has.
      if (failed === 0 && (uses || left.open === 0)) await noteEnding(jobsDir, header.job, {undone: {by: job}})
    },
    ...defined({signal}),
  })
  const {counts, report} = await carrying.finally(() => memory.close())
  undo.reportUnrevertedFields()
  // What is taken back needs no way back.
  if (counts.failed === 0 && uses) removeQuietly(imagesPath(jobsDir, header.job))
  const {deleted = 0, restored = 0} = counts
  return {
    ...{...counts, deleted, restored, job, undoOf: header.job, report},
    ...left,
    ...defined({referencesLeft: undone.references}),
    ...progress.causes.members,
  }
}
