import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {differenceLines, differences} from '../../src/cli/customers/preview.js'
import {updateCustomer} from '../../src/cli/customers/update.js'
import {writeFlags} from '../../src/cli/input/flags.js'
import {parseRef, refArg} from '../../src/cli/input/refs.js'
import {customerView, personOf} from '../../src/cli/output/views.js'
import {pruneKept} from '../../src/cli/records/kept.js'
import {UndoJournal} from '../../src/cli/records/undo-journal.js'
import {planOf} from '../../src/cli/records/undo-plan.js'
import {readAudit} from '../../src/cli/safety/audit-chain.js'
import {auditFolder, undoFolder} from '../../src/cli/target/settings.js'

export default class CustomersUndo extends BaseCommand<typeof CustomersUndo> {
  static override operations: Calls = [...customerReads, 'updateCustomerById']
  static override summary = 'Take back the last change of a customer'
  static override description =
    'Takes back the last update that this tool made from this machine, within 30 days. If somebody changed the same fields since, ends with code 5 and sends nothing; changes of other fields stay. Passwords, tokens, deletions and erasures cannot be taken back. A second undo repeats the change.'
  static override examples = [
    '<%= config.bin %> customers undo ada@example.com --dry-run',
    '<%= config.bin %> customers undo key=ada --ticket CS-17',
  ]
  static override args = {ref: refArg('a customer')}
  static override flags = writeFlags

  async run(): Promise<void> {
    const client = await this.client()
    const customer = await customerOf(client, parseRef(this.args.ref), {asking: this.asking})
    const now = this.io.clock()
    await pruneKept(this)
    const journal = new UndoJournal(undoFolder(this.folders), this.resolved.target)
    const {lines} = readAudit(auditFolder(this.folders))
    const plan = planOf({change: journal.read(customer.id), customer, lines, projectKey: client.projectKey, now})
    const person = personOf(this.output.masked(customer))
    for (const note of plan.notes) this.say(note)
    const {id, version: versionNow} = customer
    const {isRedo} = plan
    const verb = isRedo ? 'bring back what the last undo took' : 'take back the change'
    const names = plan.actions.map(({action}) => action).join(', ')
    const updated = await this.effect({
      at: 'target',
      plan: () => [
        {id, version: versionNow, actions: plan.actions},
        `would ${verb} of ${plan.time}, ${person}\nactions: ${names}`,
      ],
      // Whoever undoes twice is at a loss rather than of that mind.
      confirm: async () => {
        if (isRedo && this.ask.interactive)
          await this.ask.confirm(`The last act was an undo: bring back for ${person} what it took?`)
      },
      act: (write) =>
        updateCustomer({
          client,
          before: customer,
          actions: () => [...plan.actions],
          onConflict: 'fail',
          write,
          clock: this.io.clock,
          look: this.commandLine(['customers', 'card', id]),
        }),
    })
    if (!updated) return
    const {before, after} = updated
    journal.remember(before, after, now, (text) => this.say(text))
    await this.output.change(after, customerView, [
      `${isRedo ? 'brought back' : 'taken back'}, ${personOf(this.output.masked(after))}: version ${before.version} → ${after.version}`,
      ...differenceLines(differences(before, after), this.output),
    ])
  }
}
