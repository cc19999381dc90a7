import {Args} from '@oclif/core'
import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {pressureFlags} from '../../src/cli/bulk/flags.js'
import {checkSameTarget, findStoredJob, shownJob} from '../../src/cli/bulk/jobs.js'
import {rateOf} from '../../src/cli/bulk/options.js'
import type {RunNotes} from '../../src/cli/bulk/rows.js'
import {importLines} from '../../src/cli/bulk/summaries.js'
import {writeFlags} from '../../src/cli/input/flags.js'
import {interruption} from '../../src/cli/process/interruption.js'
import {oneLine} from '../../src/cli/process/sanitize.js'
import {jobsFolder} from '../../src/cli/target/settings.js'
import type {Client} from '../../src/client/client.js'
import {defined} from '../../src/domain/equal.js'
import type * as Engine from '../../src/transfer/undo.js'
import type {UndoOptions, UndoPlan} from '../../src/transfer/undo.js'

const people = (count: number): string => (count === 1 ? '1 customer' : `${count} customers`)

/** What an undo would do, for people. */
function undoPlanLines(plan: UndoPlan): string {
  const {read, restore, unchanged, conflict, refused} = plan
  const counts = [`${plan.delete} delete`, `${restore} restore`, `${unchanged} unchanged`, `${conflict} refused`]
  return [
    `${people(read)}: ${counts.join(', ')}`,
    ...refused.map(({id, line, reason}) => oneLine(`refused   line ${line} ${id}: ${reason}`)),
    ...(conflict > refused.length ? [`refused   and ${conflict - refused.length} more (the report lists each)`] : []),
    ...openLines(plan),
  ].join('\n')
}

/** The question before an undo. */
function undoQuestion(plan: UndoPlan): string {
  const {undoOf, restore, conflict} = plan
  const refused = conflict === 0 ? '' : `, and leave ${people(conflict)} alone that cannot be taken back`
  return `Take back the job ${undoOf}: delete ${people(plan.delete)} that it created, restore ${people(restore)} that it changed${refused}?`
}

/** Rows whose end nobody knows. */
const openLines = ({open, undoOf}: {readonly open: number; readonly undoOf: string}): string[] =>
  open === 0
    ? []
    : [
        `not taken back: ${open} rows that ${undoOf} may have sent when it was killed; continue it with --resume, and repeat this`,
      ]

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
    checkSameTarget(shownJob(stored), this.resolved)
    const plan = () => this.#undo(({planUndo}, client, options) => planUndo(client, stored, options))
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
      run: () => this.#undo(({undoJob}, client, options) => undoJob(client, stored, options)),
      lines: (result) => [importLines(result), ...openLines(result)].join('\n'),
    })
  }

  /** From flags to the engine. */
  #undo<R>(task: (engine: typeof Engine, client: Client, options: UndoOptions) => Promise<R>): Promise<R & RunNotes> {
    const {concurrency, rate, retries} = this.flags
    return this.bulk(async ({client, onEvent}) =>
      task(await import('../../src/transfer/undo.js'), client, {
        jobsDir: jobsFolder(this.folders),
        concurrency,
        onEvent,
        signal: interruption(),
        ...defined({ratePerSecond: rate === undefined ? undefined : rateOf(rate), retries}),
      }),
    )
  }
}
