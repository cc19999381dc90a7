import {Args} from '@oclif/core'
import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {pressureFlags} from '../../src/cli/bulk/flags.js'
import {bulkOutcome, importLines} from '../../src/cli/bulk/summaries.js'
import {writeFlags} from '../../src/cli/command/flags.js'
import type {Calls} from '../../src/cli/command/operations.js'
import {findStoredJob, shownJob} from '../../src/cli/jobs/jobs.js'
import {checkSameTarget, openLines, runUndo, undoPlanLines, undoQuestion} from '../../src/cli/jobs/undo.js'
import {jobsFolder} from '../../src/cli/target/settings.js'

export default class JobsUndo extends BulkCommand<typeof JobsUndo> {
  static override operations: Calls = ['queryCustomers', 'updateCustomerById', 'deleteCustomerById']
  static override summary = 'Take back a bulk run'
  static override description =
    'Deletes the customers that the job created and restores those that it changed, from what it kept for 30 days. Customers that somebody changed since are left alone and reported. Passwords and verified emails are not restored, and an undo cannot be taken back. It can be interrupted: the same command goes on.'
  static override examples = [
    '<%= config.bin %> jobs undo 20261120-093000125-1a2b3c --dry-run',
    '<%= config.bin %> jobs undo 20261120-093000125-1a2b3c --yes --ticket CS-17',
  ]
  static override args = {job: Args.string({required: true, ignoreStdin: true, description: 'id of a job'})}
  static override flags = {...pressureFlags, ...writeFlags}

  async run(): Promise<void> {
    const jobsDir = jobsFolder(this.folders)
    const stored = await findStoredJob(jobsDir, this.args.job)
    checkSameTarget(shownJob(stored), this.resolved, '')
    const job = {stored, flags: this.flags, jobsDir}
    if (this.dryRun) {
      const plan = await this.bulk((run) => runUndo.dry(run, job))
      await this.output.answer({dryRun: true, ...plan}, undoPlanLines(plan))
      return
    }
    // Prints the target above the question, so that a person confirms the right one.
    await this.safety.permit()
    if (!this.flags.yes) {
      const {ask} = this
      const plan = ask.interactive ? await this.bulk((run) => runUndo.dry(run, job)) : undefined
      await ask.confirm(plan ? undoQuestion(plan) : `Take back the job ${this.args.job}?`)
    }
    const result = await this.write({
      target: stored.header.job,
      actions: ['undo'],
      request: () => this.bulk((run) => runUndo.write(run, job)),
      settle: 'by itself',
      outcome: bulkOutcome,
    })
    await this.output.answer(result, [importLines(result), ...openLines(result)].join('\n'))
    if (result.failed > 0 || result.open > 0) this.endWith('partial')
  }
}
