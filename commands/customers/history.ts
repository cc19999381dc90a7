import {Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {noSuchCustomer} from '../../src/cli/customers/candidates.js'
import {withNames} from '../../src/cli/customers/preview.js'
import {textFlag, textsFlag} from '../../src/cli/input/flags.js'
import {ifFound} from '../../src/cli/input/is-found.js'
import {parseRef, refArg} from '../../src/cli/input/refs.js'
import {checkTypes, messageTypes} from '../../src/cli/messages/select.js'
import {sinceOf} from '../../src/cli/process/durations.js'
import type {HistoryEvent} from '../../src/cli/records/event.js'
import {historyOf} from '../../src/cli/records/history.js'
import {historyView} from '../../src/cli/records/history-view.js'
import {auditHere} from '../../src/cli/safety/audit.js'

export default class CustomersHistory extends BaseCommand<typeof CustomersHistory> {
  static override operations: Calls = [...customerReads, 'queryMessages', 'getCustomerSessions']
  static override summary = 'Show what happened to a customer'
  static override description =
    'Latest first: messages with the values before and after, one-time tokens with their ends, what this tool did from this machine, failed sign-ins as far as the server tells them, and versions that nothing explains. Use the id for a deleted customer. Ends with code 3 if there is no event.'
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
    const {events, gaps} = await historyOf({
      client,
      customer,
      id: customer?.id ?? ref.value,
      audit: auditHere(this),
      now: this.io.clock(),
    })
    if (!customer && events.length === 0) throw noSuchCustomer(ref)
    if (type !== undefined) {
      const known = [...(await messageTypes()), ...events.flatMap((event) => [event.type, event.command ?? event.type])]
      checkTypes(type, known, (unknown) => `Nothing in this history has the type '${unknown}'.`)
    }
    const chosen = events.filter(
      (event) =>
        (after === undefined || event.time >= after) &&
        (type === undefined || type.includes(event.type) || type.includes(event.command ?? event.type)),
    )
    const latest = chosen.slice(0, limit)
    const named = ({changes, ...event}: HistoryEvent) =>
      changes ? withNames(client, changes).then((list) => ({...event, changes: list})) : event
    const results = this.output.form === undefined ? await Promise.all(latest.map(named)) : latest
    const page = {limit, count: results.length, total: chosen.length, results}
    await this.output.list(page, historyView, '--limit shows more.')
    for (const gap of gaps) this.say(gap)
    if (!customer) this.say('There is no such customer any more.')
  }
}
