import {Args} from '@oclif/core'
import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {pressureFlags} from '../../src/cli/bulk/flags.js'
import {findStoredJob, shownJob} from '../../src/cli/bulk/jobs.js'
import {importLines} from '../../src/cli/bulk/summaries.js'
import {checkSameTarget, openLines, runUndo, undoPlanLines, undoQuestion} from '../../src/cli/bulk/undo.js'
import {writeFlags} from '../../src/cli/input/flags.js'
import {jobsFolder} from '../../src/cli/target/settings.js'

export default class JobsUndo extends BulkCommand<typeof JobsUndo> {
  static override operations = ['queryCustomers', 'updateCustomerById', 'deleteCustomerById'] as const
  static override summary = 'Take back a bulk run'
  static override description =
    'Deletes the customers that the job created and restores those that it changed, for 30 days. Customers that were changed since are left unchanged and reported. Passwords and verified emails are not restored, and an undo cannot be taken back. After an interruption, run the same command again.'
  static override examples = [
    '<%= config.bin %> jobs undo 20261120-093000125-1a2b3c --dry-run',
    '<%= config.bin %> jobs undo 20261120-093000125-1a2b3c --yes --ticket CS-17',
  ]
  static override args = {job: Args.string({required: true, ignoreStdin: true, description: 'id of a job'})}
  static override flags = {...pressureFlags, ...writeFlags}

  async run(): Promise<void> {
    const stored = await findStoredJob(jobsFolder(this.folders), this.args.job)
    checkSameTarget(shownJob(stored), this.resolved, '')
    const plan = () => this.bulk((bulk) => runUndo.dry(bulk, this, stored))
    await this.job({
      actions: ['undo'],
      target: stored.header.job,
      plan,
      planLines: undoPlanLines,
      confirm: async () => {
        if (this.flags.yes) return
        const {ask} = this
        await ask.confirm(ask.interactive ? undoQuestion(await plan()) : `Take back the job ${this.args.job}?`)
      },
      run: () => this.bulk((bulk) => runUndo.write(bulk, this, stored)),
      lines: (result) => [importLines(result), ...openLines(result)].join('\n'),
    })
  }
}
