import {Args} from '@oclif/core'
import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {passwordFileFlags, pressureFlags} from '../../src/cli/bulk/flags.js'
import {findJob} from '../../src/cli/bulk/jobs.js'
import {checkRetry, rowsOfJob} from '../../src/cli/bulk/retry.js'
import {planRows, writeRows} from '../../src/cli/bulk/rows.js'
import {importLines, planLines} from '../../src/cli/bulk/summaries.js'
import {customerRows, resetLinkCalls} from '../../src/cli/command/operations.js'
import {writeFlags} from '../../src/cli/input/flags.js'
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
    const open = rowsOfJob(this, job, checkRetry(job, this.resolved))
    await this.job({
      actions: ['retry'],
      target: job.id,
      plan: () => this.bulk((bulk) => planRows(bulk, open)),
      planLines: (plan) => this.quoting(planLines(plan)),
      run: () => this.bulk((bulk) => writeRows(bulk, open, this)),
      lines: (result) => this.quoting(importLines(result)),
    })
  }
}
