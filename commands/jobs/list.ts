import {jobView, listJobs} from '../../src/cli/bulk/jobs.js'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {pruneKept} from '../../src/cli/records/kept.js'
import {jobsFolder} from '../../src/cli/target/settings.js'
import {namedPlace} from '../../src/cli/target/subject.js'

export default class JobsList extends BaseCommand<typeof JobsList> {
  static override summary = 'List the bulk runs of this machine'
  static override description =
    'Newest first, kept for 30 days (FRONTDESK_KEEP_DAYS); -P NAME and --local list those of that target alone. To continue an unfinished run, repeat its command with --resume; an import of the same files after a correction closes it.'
  static override examples = ['<%= config.bin %> jobs list', '<%= config.bin %> jobs list -o ids']

  async run(): Promise<void> {
    await pruneKept(this)
    const results = await listJobs(jobsFolder(this.folders), namedPlace(this))
    await this.output.page({count: results.length, results}, jobView)
  }
}
