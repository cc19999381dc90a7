import {Args} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {findJob, jobView} from '../../src/cli/jobs/jobs.js'
import {jobsFolder} from '../../src/cli/target/settings.js'

export default class JobsShow extends BaseCommand<typeof JobsShow> {
  static override summary = 'Show a bulk run: its files, options, counts and report'
  static override description = 'The number of rows read is the sum of created, updated, unchanged, skipped and failed.'
  static override examples = ['<%= config.bin %> jobs show 20261120-093000125-1a2b3c']
  static override args = {job: Args.string({required: true, ignoreStdin: true, description: 'id of a job'})}

  async run(): Promise<void> {
    const job = await findJob(jobsFolder(this.folders), this.args.job)
    await this.output.document(job, {columns: jobView.columns})
  }
}
