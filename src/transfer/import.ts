import {resolve} from 'node:path'
import type {Client} from '../client/client.js'
import {defined} from '../domain/equal.js'
import {checkFree} from './files/private-file.js'
import type {Source} from './input/row.js'
import {BeforeImages, imagesPath, pruneImages} from './jobs/before-images.js'
import {reportPath} from './jobs/jobs.js'
import type {Counts} from './jobs/journal-lines.js'
import type {KeptMembers} from './jobs/kept-members.js'
import {claimRows} from './jobs/row-lock.js'
import {jobStates} from './jobs/states.js'
import type {AppliedPlan} from './run/applied-plan.js'
import {carryOut} from './run/execution.js'
import {type FailureLimit, failureLimit} from './run/failure-limit.js'
import {ImportRun} from './run/import-run.js'
import {beginJob, identify, jobToResume, type OpenJob, resumeJob} from './run/open-job.js'
import type {BulkOptions} from './run/options.js'
import type {NoteReference} from './target/references.js'
import {type NewPasswords, type NewPasswordsOptions, newPasswordsOf} from './write/new-passwords.js'
import {Writer} from './write/write-row.js'

/** An import: the options of its plan, and where it keeps its journal, report and passwords. */
export interface ImportOptions extends BulkOptions, NewPasswordsOptions {
  readonly jobsDir: string
  readonly target: string
  readonly resume?: boolean
  /** Carries out this plan, made by `planToFile` of the same files with the same options, and nothing else. */
  readonly applies?: AppliedPlan
  /** Customer groups, stores and types that were created for the rows already. */
  readonly brought?: readonly string[]
  /** Where failed rows go; by default beside the journal. */
  readonly report?: string
  /** The command line to repeat, for people. It does not decide what the job does. */
  readonly command?: string
  /** Further facts for `jobs`, such as the paths as they were given. */
  readonly about?: Readonly<Record<string, unknown>>
}

/** The counts of an import, which add up to `read`, and its job. */
export interface ImportResult extends Counts {
  readonly job: string
  /** The table of failed rows, if any row failed. */
  readonly report: string | null
  /** Customer groups and stores that were created first, if any were. */
  readonly createdReferences?: readonly string[]
  /** Members that stay because somebody else changed them, if there are any. */
  readonly kept?: KeptMembers
}

/**
 * Creates and updates the customers of a project from the rows of files. Writes nothing unless every row is valid. Throws
 * InputError and InvalidRows before the first write, RunStopped after it.
 *
 *     await importCustomers(client, sources.list, {jobsDir: 'jobs', target: apiUrl, passwordMode: 'external-auth'})
 */
export async function importCustomers(
  client: Client,
  sources: readonly Source[],
  options: ImportOptions,
): Promise<ImportResult> {
  const {jobsDir, report} = options
  const bulk = new ImportRun(client, sources, options)
  const openNewPasswords = newPasswordsOf(bulk.plan, options)
  if (report !== undefined) await checkFree(report, true)
  const {target, command, about, applies} = options
  const wrote = [options.passwordFile, options.resetLinks?.path].flatMap((path) =>
    path === undefined ? [] : [resolve(path)],
  )
  const identity = {...bulk.identity({target, ...defined({command, about, plan: applies?.digest})}), wrote}
  const files = await identify(sources, identity, await bulk.rows.joined())
  applies?.checkFiles(files.files)
  const claim = claimRows(jobsDir, files.rows)
  try {
    const before = options.resume ? await jobToResume(jobsDir, files) : undefined
    if (before && jobStates[before.state].resume === 'says so') {
      bulk.onEvent({type: 'already-finished', job: before.header.job, ...defined({at: before.endedAt})})
      bulk.onEvent({type: 'causes', causes: before.causes})
      return {...before.counts, job: before.header.job, report: before.report, ...before.progress.kept.found}
    }
    if (options.resume && !before) bulk.onEvent({type: 'nothing-to-resume'})

    const {rows, coverage} = await bulk.validated({announces: true})
    const passwords = await openNewPasswords({client, ...bulk}, before !== undefined)
    try {
      await pruneImages(jobsDir)
      await (await bulk.memory)?.begin()
      const open = before ? await resumeJob(jobsDir, before) : await beginJob(jobsDir, files, identity, bulk.runtime)
      if (!before) open.journal.append({coverage})
      if (options.brought?.length) await noteReferences(open, options.brought)
      for (const job of open.replaces ?? []) bulk.onEvent({type: 'replaced', job})
      bulk.onEvent({type: 'started', job: open.job, rows, counts: open.progress.counts})
      const limit = failureLimit(options.maxFailures, rows)
      return await carriedOut(bulk, sources, {...open, limit}, passwords, options)
    } finally {
      await passwords.close()
    }
  } finally {
    claim.release()
    await bulk.close()
  }
}

function noteReferences({journal}: OpenJob, references: readonly string[], isRefused?: true): Promise<void> {
  journal.append({references, ...defined({isRefused})})
  return journal.flush()
}

async function carriedOut(
  bulk: ImportRun,
  sources: readonly Source[],
  open: OpenJob & {readonly limit: FailureLimit},
  passwords: NewPasswords,
  options: ImportOptions,
): Promise<ImportResult> {
  const {job, progress} = open
  const {jobsDir, applies, signal} = options
  const images = new BeforeImages(imagesPath(jobsDir, job))
  try {
    await images.resume((row) => !progress.isFinished(row))
    const {pieces} = await bulk.rows.check()
    const memory = await bulk.memory
    const {calls, sender, planRowsForGood, concurrency, onEvent} = bulk
    const writer = new Writer({
      ...bulk.plan,
      ...{calls, sender, images, memory},
      onlyAsPlanned: applies !== undefined,
      newPassword: (draft) => passwords.newPassword(draft),
      resetLinks: passwords.resetLinks,
    })
    const isIntended = (row: number): boolean => progress.intended(row) !== undefined
    const note: NoteReference = (name, isRefused) => noteReferences(open, [name], isRefused)
    const plan: typeof planRowsForGood = async (batch) => {
      if (applies) return applies.decided(planRowsForGood(batch), isIntended)
      const planned = await planRowsForGood(batch)
      await bulk.createMissing(planned, note)
      return planned
    }
    const {counts, report} = await carryOut({
      ...open,
      files: sources.map(({name}) => name),
      reportPath: options.report ?? reportPath(jobsDir, job),
      pieces,
      plan,
      writer,
      waits: (row) => bulk.target.waits(row),
      rowsAtWork: concurrency,
      onEvent,
      now: bulk.runtime.now,
      ...defined({signal, flush: memory?.flush}),
    })
    bulk.tellNotUpdatable()
    onEvent({type: 'causes', causes: progress.causes.members})
    return {...counts, job, report, ...progress.kept.found, ...bulk.created}
  } finally {
    await images.close()
    await applies?.close()
  }
}
