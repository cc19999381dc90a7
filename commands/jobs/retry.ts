import {Args} from '@oclif/core'
import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {passwordFileFlags, pressureFlags} from '../../src/cli/bulk/flags.js'
import {bulkOutcome, importLines, planLines} from '../../src/cli/bulk/summaries.js'
import {writeFlags} from '../../src/cli/command/flags.js'
import {customerRows, resetLinkCalls} from '../../src/cli/command/operations.js'
import {findJob} from '../../src/cli/jobs/jobs.js'
import {checkRetry, runRetry} from '../../src/cli/jobs/retry.js'
import {jobsFolder} from '../../src/cli/target/settings.js'

export default class JobsRetry extends BulkCommand<typeof JobsRetry> {
  static override operations = [...customerRows, ...resetLinkCalls]
  static override summary = 'Import the failed rows of a job again'
  static override description =
    'Reads the rows from the report of the job, the options from its journal, and the passwords from its input files. Corrections that were made to the report are used.'
  static override examples = ['<%= config.bin %> jobs retry 20261120-093000125-1a2b3c']
  static override args = {job: Args.string({required: true, ignoreStdin: true, description: 'id of a job'})}
  static override flags = {
    ...pressureFlags,
    ...passwordFileFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const jobsDir = jobsFolder(this.folders)
    const job = await findJob(jobsDir, this.args.job)
    const report = checkRetry({job, resolved: this.resolved})
    const retry = {job, flags: this.flags, io: this.io, resolved: this.resolved, jobsDir}
    if (this.dryRun) {
      const plan = await this.bulk((run) => runRetry.dry(run, retry, report))
      await this.output.answer({dryRun: true, ...plan}, this.quoting(planLines(plan)))
      return
    }
    const result = await this.write({
      target: job.id,
      actions: ['retry'],
      request: () => this.bulk((run) => runRetry.write(run, retry, report)),
      settle: 'by itself',
      outcome: bulkOutcome,
    })
    await this.output.answer(result, this.quoting(importLines(result)))
    if (result.failed > 0) this.endWith('partial')
  }
}
