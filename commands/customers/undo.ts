import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {differenceLines, differences, labelOf} from '../../src/cli/customers/preview.js'
import {updateCustomer} from '../../src/cli/customers/update.js'
import {writeFlags} from '../../src/cli/input/flags.js'
import {parseRef, refArg} from '../../src/cli/input/refs.js'
import {spokenMoment} from '../../src/cli/output/times.js'
import {customerView, personOf} from '../../src/cli/output/views.js'
import {Failure} from '../../src/cli/process/failure.js'
import {type Act, actsOf, wouldRedo} from '../../src/cli/records/audit-events.js'
import {pruneKept} from '../../src/cli/records/kept.js'
import {type Change, changedSince, desiredBefore, UndoJournal} from '../../src/cli/records/undo-journal.js'
import type {AuditLine} from '../../src/cli/safety/audit.js'
import {readAudit} from '../../src/cli/safety/audit.js'
import {auditFolder, undoFolder} from '../../src/cli/target/settings.js'
import type {Customer} from '../../src/domain/customers/customer.js'
import {difference} from '../../src/domain/customers/diff.js'

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
    const names = new Set([customer.id, `key=${customer.key ?? ''}`])
    const isOurs = ({target, project}: AuditLine) => names.has(target ?? '') && project === client.projectKey
    const acts = actsOf(readAudit(auditFolder(this.folders)).lines, isOurs)
    const plan = planOf(journal.read(customer.id), customer, acts, now)
    const person = personOf(this.output.masked(customer))
    for (const note of plan.notes) this.say(note)
    const {id, version: versionNow} = customer
    const {isRedo} = plan
    const verb = isRedo ? 'bring back what the last undo took' : 'take back the change'
    const updated = await this.effect({
      at: 'target',
      plan: () => [
        {id, version: versionNow, actions: plan.actions},
        `would ${verb} of ${plan.time}, ${person}\nactions: ${plan.actions.map(({action}) => action).join(', ')}`,
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

const updates = ['customers update', 'customers undo']

/**
 * The actions that take back the last change of this tool. Throws NothingToUndo if it has made none or none that can be
 * taken back, and ChangedSince if somebody else has changed the same members.
 */
function planOf(change: Change | undefined, customer: Customer, acts: readonly Act[], now: number) {
  const last = acts.findLast(({result}) => result?.result === 'done')
  if (last && !updates.includes(last.intent.command) && (!change || last.intent.time > change.time)) {
    throw nothing(
      `The last act of this tool on this customer, ${spokenMoment(last.intent.time, now)}, was '${last.intent.command.replace('customers ', '')}', which cannot be taken back.`,
    )
  }
  if (!change) throw nothing('This machine keeps no change of this customer that could be taken back.')
  const changed = changedSince(change, customer)
  if (changed.length > 0) {
    throw new Failure(
      'conflict',
      'ChangedSince',
      `Somebody has changed ${changed.map(labelOf).join(', ')} since; nothing was sent.`,
      {
        hints: [
          'See what happened: `frontdesk customers history`.',
          'Set the values with `frontdesk customers update`.',
        ],
        details: changed.map((field) => ({field})),
      },
    )
  }
  const {actions, unreachable} = difference(customer, desiredBefore(change))
  if (actions.length === 0) {
    const why =
      change.lost.length > 0
        ? ` What changed is ${change.lost.map(labelOf).join(', ')}, which cannot be taken back.`
        : ''
    throw nothing(`Nothing of the last change can be taken back.${why}`)
  }
  const stays = [...new Set([...change.lost, ...unreachable])]
  return {
    time: change.time,
    // The last act was an undo: this brings back what it took.
    isRedo: wouldRedo(acts),
    actions,
    // What stays, as sentences.
    notes: [
      ...(customer.version === change.version
        ? []
        : [`Others have changed other fields since (version ${customer.version}); those stay.`]),
      ...(stays.length === 0 ? [] : [`Not taken back: ${stays.map(labelOf).join(', ')}.`]),
    ],
  }
}

const nothing = (message: string): Failure =>
  new Failure('notFound', 'NothingToUndo', message, {hints: ['See what happened: `frontdesk customers history`.']})
