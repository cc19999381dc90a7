import {Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {nobodyHas} from '../../src/cli/customers/candidates.js'
import {textFlag, textsFlag} from '../../src/cli/input/flags.js'
import {ifFound} from '../../src/cli/input/is-found.js'
import {parseRef, refArg} from '../../src/cli/input/refs.js'
import {checkTypes, messageTypes} from '../../src/cli/messages/types.js'
import {sinceOf} from '../../src/cli/process/durations.js'
import {historyOf} from '../../src/cli/records/history.js'
import {historyView} from '../../src/cli/records/history-view.js'
import {readAudit} from '../../src/cli/safety/audit.js'
import {auditFolder} from '../../src/cli/target/settings.js'

export default class CustomersHistory extends BaseCommand<typeof CustomersHistory> {
  static override operations: Calls = [...customerReads, 'queryMessages']
  static override summary = 'Show what happened to a customer'
  static override description =
    'Latest first: messages with the values before and after, what this tool did from this machine, and versions that neither explains. Use the id for a deleted customer. Ends with code 3 if there is nothing about it.'
  static override examples = [
    '<%= config.bin %> customers history ada@example.com',
    '<%= config.bin %> customers history key=ada --since 30d --type CustomerEmailChanged',
    '<%= config.bin %> customers history key=ada -o jsonl',
  ]
  static override args = {ref: refArg('a customer')}
  static override flags = {
    limit: Flags.integer({char: 'n', default: 50, min: 1, summary: 'Largest number of events.'}),
    since: textFlag('TIME', 'Only events since a day, a moment, or an age: 2026-11-01, 30d, 12h.'),
    type: textsFlag('TYPE', 'Only this type of message, or this command of the audit log (repeatable).'),
  }

  async run(): Promise<void> {
    const {limit, type, since} = this.flags
    const after = since === undefined ? undefined : sinceOf(since, '--since', this.io.clock())
    const ref = parseRef(this.args.ref)
    const client = await this.client()
    const found = customerOf(client, ref, {asking: this.asking})
    const customer = ref.by === 'id' ? await ifFound(found) : await found
    const {lines} = readAudit(auditFolder(this.folders))
    const {events, gaps} = await historyOf({client, customer, id: customer?.id ?? ref.value, audit: lines})
    if (!customer && events.length === 0) throw nobodyHas(ref)
    if (type !== undefined) {
      const known = [...(await messageTypes()), ...events.flatMap((event) => [event.type, event.command ?? event.type])]
      checkTypes(type, known, (unknown) => `Nothing in this history has the type '${unknown}'.`)
    }
    const chosen = events.filter(
      (event) =>
        (after === undefined || event.time >= after) &&
        (type === undefined || type.includes(event.type) || type.includes(event.command ?? event.type)),
    )
    const page = {limit, count: Math.min(limit, chosen.length), total: chosen.length, results: chosen.slice(0, limit)}
    await this.output.list(page, historyView, '--limit shows more.')
    for (const gap of gaps) this.say(gap)
    if (!customer) this.say('There is no such customer any more.')
  }
}
