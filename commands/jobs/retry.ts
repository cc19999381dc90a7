import {Args} from '@oclif/core'
import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {passwordFileFlags, pressureFlags} from '../../src/cli/bulk/flags.js'
import {checkSameTarget, findJob, type ShownJob} from '../../src/cli/bulk/jobs.js'
import {type KeptOptions, type Opening, planRows, rowsByKept, writeRows} from '../../src/cli/bulk/rows.js'
import {importLines, planLines} from '../../src/cli/bulk/summaries.js'
import {customerRows, resetLinkCalls} from '../../src/cli/command/operations.js'
import {writeFlags} from '../../src/cli/input/flags.js'
import {Failure, usage} from '../../src/cli/process/failure.js'
import {jobsFolder} from '../../src/cli/target/settings.js'

export default class JobsRetry extends BulkCommand<typeof JobsRetry> {
  static override operations = [...customerRows, ...resetLinkCalls]
  static override summary = 'Import the failed rows of a job again'
  static override description =
    'Reads the rows from the report of the job, where you may correct them, the options from its journal, and the passwords from its input files.'
  static override examples = ['<%= config.bin %> jobs retry 20261120-093000125-1a2b3c']
  static override args = {job: Args.string({required: true, ignoreStdin: true, description: 'id of a job'})}
  static override flags = {
    ...pressureFlags,
    ...passwordFileFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const job = await findJob(jobsFolder(this.folders), this.args.job)
    const open = this.#rows(job, this.#report(job))
    await this.job({
      actions: ['retry'],
      target: job.id,
      plan: () => this.bulk((bulk) => planRows(bulk, open)),
      planLines: (plan) => this.quoting(planLines(plan)),
      run: () => this.bulk((bulk) => writeRows(bulk, open, this)),
      lines: (result) => this.quoting(importLines(result)),
    })
  }

  /** The report of a job. Throws if the job has none, or wrote to another target. */
  #report(job: ShownJob): string {
    const {undoOf} = job.options
    if (typeof undoOf === 'string') {
      throw usage(`The job ${job.id} took back ${undoOf}.`, `Repeat \`frontdesk jobs undo ${undoOf}\`.`)
    }
    if (job.report === null) {
      throw new Failure('usage', 'NothingToRetry', `The job ${job.id} has no report of failed rows.`, {
        hints: job.state === 'finished' ? [] : ['Repeat its command with --resume first.'],
      })
    }
    const elsewhere = ', or import its report elsewhere: `frontdesk customers import --retry-failed FILE`'
    checkSameTarget(job, this.resolved, elsewhere)
    return job.report
  }

  /** The failed rows of a job, with the options that it had. */
  #rows(job: ShownJob, report: string): Opening {
    const {shard: _, files = [], ...kept} = job.options as unknown as KeptOptions
    const named = files.filter((file) => file !== '-')
    // The job checked all rows of its shard, and its report holds no others.
    return rowsByKept(this, {...kept, skipInvalid: true}, {files: named, report, retryOf: job.id})
  }
}
