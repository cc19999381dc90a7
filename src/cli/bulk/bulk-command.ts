import type {Command} from '@oclif/core'
import type {Target} from '../../client/target.js'
import {defined} from '../../domain/equal.js'
import {quoted} from '../../files/file-errors.js'
import type {InvalidRows} from '../../transfer/run/validation.js'
import {BaseCommand} from '../command/base-command.js'
import {interruptedOr} from '../process/interruption.js'
import {pruneKept} from '../records/kept.js'
import {readable} from '../run/connection.js'
import {withRedaction} from '../run/redaction.js'
import {jobsFolder} from '../target/settings.js'
import {causeLines} from './cause-lines.js'
import {isPage, refuseOfOtherModes} from './flags.js'
import {findStoredJob} from './jobs.js'
import {maxFailures} from './options.js'
import {type BulkRun, collectNotes, type RunNotes} from './rows.js'
import type {Since} from './since.js'

/** What a plan foresees of rows that will fail. */
interface Foreseen {
  readonly read: number
  readonly invalid?: number
  readonly conflict: number
  /** Rows of an undone job whose outcome is unknown. */
  readonly open?: number
}

interface JobResult extends RunNotes {
  readonly job: string
  readonly failed: number
  readonly open?: number
}

interface BulkJob<P, R> {
  readonly actions: readonly string[]
  readonly target?: string
  readonly plan: () => Promise<P>
  readonly planLines: (plan: P) => string
  readonly confirm?: () => Promise<void>
  readonly run: () => Promise<R>
  readonly lines: (result: R) => string
  readonly since?: Since | undefined
}

/** What the audit says of a run: rows that failed are in its report. */
const outcomeOf = ({failed, alreadyFinished}: JobResult): string =>
  alreadyFinished ? 'unchanged' : failed === 0 ? 'done' : 'partial'

/** What commands over many customers share: a client that leaves retrying to the engine, progress, and failures. */
export abstract class BulkCommand<T extends typeof Command> extends BaseCommand<T> {
  override async init(): Promise<void> {
    await super.init()
    refuseOfOtherModes(this.given, this.flags)
  }

  protected bulk<R>(task: (run: BulkRun) => Promise<R>): Promise<R & RunNotes> {
    return this.bulkAt(this.resolved.target, task)
  }

  /** Runs a task against a target. Repeats are the engine's, which slows down all requests at once. */
  protected async bulkAt<R>(target: Target, task: (run: BulkRun) => Promise<R>): Promise<R & RunNotes> {
    const [{connect}, {ProgressReporter}] = await Promise.all([
      import('../../client/connect.js'),
      import('./progress-reporter.js'),
    ])
    const reporter = new ProgressReporter(this.io, this.flags.quiet, (note) => this.redaction.note(note))
    await pruneKept(this)
    reporter.start()
    const run = async (): Promise<R & RunNotes> => {
      const client = await connect(...(await readable(target, {...this.connection.options(), retries: 0}, this.isDry)))
      try {
        return await collectNotes(reporter.take, (onEvent) =>
          task({client: withRedaction(client, this.redaction), onEvent}),
        )
      } finally {
        await client.close()
      }
    }
    try {
      return await this.guarded(run, () => reporter.clear())
    } finally {
      reporter.end()
    }
  }

  /** Plans a job in a dry run, else carries it out; reports it, and ends as it ended. */
  protected async job<P extends Foreseen, R extends JobResult>(job: BulkJob<P, R>): Promise<void> {
    const {actions, target, confirm, run, since} = job
    const result = await this.effect({
      at: 'target',
      plan: async () => {
        const plan = await job.plan()
        await this.#endAsForeseen(plan)
        return [plan, job.planLines(plan)]
      },
      ...defined({confirm}),
      act: (write) =>
        write({
          ...{target, actions, settle: 'by itself', outcome: outcomeOf},
          request: async () => {
            const ended = await this.#withPage(run)
            if (!ended.alreadyFinished) await since?.end(ended.failed, ended.job)
            return ended
          },
        }),
    })
    if (!result) return
    await this.output.answer(result, job.lines(result))
    if (result.failed > 0 || (result.open ?? 0) > 0) this.endWith('partial')
  }

  /** Ends a dry run as the run would end: rows fail, or so many that it would not begin. */
  async #endAsForeseen({read, invalid = 0, conflict, open = 0}: Foreseen): Promise<void> {
    if (invalid + conflict + open > 0) this.endWith('partial')
    const {'max-failures': most} = this.flags as {readonly 'max-failures'?: string}
    if (most === undefined) return
    const [{failureLimit}, limit] = await Promise.all([
      import('../../transfer/run/failure-limit.js'),
      maxFailures(most),
    ])
    try {
      failureLimit(limit, read).check(invalid + conflict)
    } catch (error) {
      this.stderr(`The run would not begin: ${(error as Error).message}`)
      this.endWith('usage')
    }
  }

  async #withPage<R extends JobResult>(run: () => Promise<R>): Promise<R> {
    const {report} = this.flags as {readonly report?: string}
    if (!isPage(report)) return run()
    const {checkFree} = await import('../../transfer/files/private-file.js')
    await this.guarded(() => checkFree(report, true))
    try {
      const result = await run()
      await this.jobPage(result.job, report)
      return result
    } catch (error) {
      // Of RunStopped, whose class is loaded with the engine only.
      const {job} = error as {readonly job?: string}
      if (job !== undefined) await this.jobPage(job, report)
      throw error
    }
  }

  protected async jobPage(job: string, path: string): Promise<void> {
    const [{writeJobPage}, stored] = await Promise.all([
      import('./job-page.js'),
      findStoredJob(jobsFolder(this.folders), job),
    ])
    await this.guarded(() => writeJobPage(this, stored, path))
  }

  protected get ownCommand(): string {
    return ['frontdesk', ...this.command.split(' '), ...this.argv].map(quoted).join(' ')
  }

  /** Lines that quote cells of files and answers of the server, under `--redact` without what is quoted. */
  protected quoting(lines: string): string {
    return this.redaction.note(lines)
  }

  /** Runs a task of the engine that needs no target, and says of a failure why rows failed. */
  protected async guarded<R>(task: () => Promise<R>, beforeNote?: () => void): Promise<R> {
    try {
      return await task()
    } catch (error) {
      const {causes = {}, fileCount = 1} = error as Partial<InvalidRows>
      beforeNote?.()
      if (this.output.form !== 'json') for (const line of causeLines(causes, fileCount)) this.stderr(line)
      throw interruptedOr(error)
    }
  }
}
