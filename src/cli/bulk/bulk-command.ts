import {setFlagsFromString} from 'node:v8'
import type {Command} from '@oclif/core'
import type {Client} from '../../client/client.js'
import type {Target} from '../../client/target.js'
import type {Listener} from '../../transfer/run/events.js'
import {BaseCommand} from '../command/base-command.js'
import {findStoredJob} from '../jobs/jobs.js'
import {isPage} from '../page/page-file.js'
import {Failure} from '../process/failure.js'
import {observed} from '../redaction/observed.js'
import {commandText} from '../target/command-line.js'
import {withFailures} from './failures.js'
import {ProgressReporter} from './progress-reporter.js'
import {type Told, withTold} from './told.js'

export interface BulkRun {
  readonly client: Client
  readonly onEvent: Listener
}

/** The job that a run had begun when it failed. */
function jobIn(error: unknown): string | undefined {
  const [first] = error instanceof Failure ? error.details : []
  const job: unknown = typeof first === 'object' && first !== null ? Reflect.get(first, 'job') : undefined
  return typeof job === 'string' ? job : undefined
}

/** What commands over many customers share: a client that leaves retrying to the engine, progress, and failures. */
export abstract class BulkCommand<T extends typeof Command> extends BaseCommand<T> {
  /** Runs a task against the target of the command. */
  protected bulk<R>(task: (run: BulkRun) => Promise<R>): Promise<R & Told> {
    return this.bulkAt(this.resolved.target, task)
  }

  /** Runs a task against a target. Repeats are the engine's, which slows down all requests at once. */
  protected async bulkAt<R>(target: Target, task: (run: BulkRun) => Promise<R>): Promise<R & Told> {
    // V8's default heap growth keeps several times the live data: a third more memory, for nothing.
    setFlagsFromString('--heap-growing-percent=50')
    const [{connect}, reporter] = await Promise.all([
      import('../../client/connect.js'),
      ProgressReporter.create(this.io, this.flags.quiet, (note) => this.redaction.note(note)),
    ])
    reporter.start()
    const run = async (): Promise<R & Told> => {
      const client = await connect(target, {...this.connection.options(), retries: 0})
      try {
        return await withTold(reporter.take, (onEvent) => task({client: observed(client, this.redaction), onEvent}))
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

  /** Runs a job of rows, and writes its page for `--report FILE.html`, however the job ends. */
  protected async withPage<R extends {readonly job: string}>(jobsDir: string, run: () => Promise<R>): Promise<R> {
    const {report} = this.flags as {readonly report?: string}
    if (!isPage(report)) return run()
    const {checkFree} = await import('../../transfer/output/private-file.js')
    await this.guarded(() => checkFree(report, true))
    try {
      const result = await run()
      await this.jobPage(jobsDir, result.job, report)
      return result
    } catch (error) {
      const job = jobIn(error)
      if (job !== undefined) await this.jobPage(jobsDir, job, report)
      throw error
    }
  }

  /** Writes the page of a job. */
  protected async jobPage(jobsDir: string, job: string, path: string): Promise<void> {
    const [{writeJobPage}, stored] = await Promise.all([
      import('../page/write-job-page.js'),
      findStoredJob(jobsDir, job),
    ])
    const about = (...words: readonly string[]) => this.commandLine(words)
    const quoting = (text: string) => this.quoting(text)
    await this.guarded(() => writeJobPage(stored, {path, about, quoting, madeAt: this.io.clock()}))
  }

  /** The command line of this run, for people. */
  protected get ownCommand(): string {
    return commandText(this.id, this.argv)
  }

  /** Lines that quote cells of files and answers of the server, under `--redact` without what is quoted. */
  protected quoting(lines: string): string {
    return this.redaction.note(lines)
  }

  /** Runs a task of the engine that needs no target. */
  protected guarded<R>(task: () => Promise<R>, beforeNote?: () => void): Promise<R> {
    return withFailures(task, (line) => {
      beforeNote?.()
      if (this.output.form !== 'json') this.stderr(line)
    })
  }
}
