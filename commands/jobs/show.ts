import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {isPage} from '../../src/cli/bulk/flags.js'
import {findStoredJob, jobView, shownJob} from '../../src/cli/bulk/jobs.js'
import {outputFile, requiredArg} from '../../src/cli/input/flags.js'
import {usage} from '../../src/cli/process/failure.js'
import {jobsFolder} from '../../src/cli/target/settings.js'

export default class JobsShow extends BulkCommand<typeof JobsShow> {
  static override summary = 'Show a bulk run: its files, options, counts and report'
  static override description = 'The number of rows read is the sum of created, updated, unchanged, skipped and failed.'
  static override examples = [
    '<%= config.bin %> jobs show 20261120-093000125-1a2b3c',
    '<%= config.bin %> jobs show 20261120-093000125-1a2b3c --report run.html',
  ]
  static override args = {job: requiredArg('id of a job')}
  static override flags = {
    report: outputFile('FILE.html', 'Also write an HTML page; it loads nothing.', {writes: 'replaced'}),
  }

  async run(): Promise<void> {
    const {report} = this.flags
    if (report !== undefined && !isPage(report))
      throw usage(`--report ${report} is no page.`, 'Name a file that ends with .html.')
    const job = shownJob(await findStoredJob(jobsFolder(this.folders), this.args.job))
    if (report !== undefined) await this.jobPage(job.id, report)
    await this.output.document(job, {columns: jobView.columns})
  }
}
