import {Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads, namesOf} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {textFlag} from '../../src/cli/input/flags.js'
import {parseRef} from '../../src/cli/input/refs.js'
import {auditView} from '../../src/cli/output/views.js'
import {sinceOf} from '../../src/cli/process/durations.js'
import {counted} from '../../src/cli/process/sanitize.js'
import {actEntries, actsOf, actsSince} from '../../src/cli/records/audit-events.js'
import {type AuditLine, isAbout, readAudit} from '../../src/cli/safety/audit.js'
import {auditFolder} from '../../src/cli/target/settings.js'
import {namedPlace} from '../../src/cli/target/subject.js'
import {placeOf} from '../../src/client/place.js'

export default class AuditList extends BaseCommand<typeof AuditList> {
  static override uses = ['profile', 'requests'] as const
  static override operations: Calls = [{operations: namesOf(customerReads), when: 'a --target that is no id'}]
  static override summary = 'List the writes that were sent from this machine'
  static override description =
    'Latest first, one entry for each write and its result; `no result` marks a command that still runs or was interrupted. -P NAME and --local list the writes to that target alone. --since lists all from then on, in the order in which they ended; an entry without a result comes again once it has one. Ends with code 3 if nothing matches --target or --ticket.'
  static override examples = [
    '<%= config.bin %> audit list --limit 20',
    '<%= config.bin %> audit list --target ada@example.com',
    '<%= config.bin %> audit list --limit 20 -P staging',
    '<%= config.bin %> audit list --since 2026-11-20T09:30:00Z -o jsonl',
  ]
  static override flags = {
    limit: Flags.integer({char: 'n', min: 1, summary: 'Largest number of entries; 50 if absent, all with --since.'}),
    since: textFlag(
      '2026-11-20',
      'Only writes that began or ended at this moment or later, the oldest first; 1d: a day ago.',
    ),
    target: textFlag('REF', 'Only about this resource, or this customer of the target.'),
    ticket: textFlag('ID', 'Only with this ticket.'),
  }

  async run(): Promise<void> {
    const {target, ticket, since} = this.flags
    const from = since === undefined ? undefined : sinceOf(since, '--since', this.io.clock())
    // A customer is one of this target; a ticket is of the machine.
    const place = target === undefined ? namedPlace(this) : placeOf(this.resolved.target)
    const {lines, unreadable} = readAudit(auditFolder(this.folders), place)
    if (unreadable > 0) this.say(`${counted(unreadable, 'line')} of the audit log cannot be read.`)
    const isNamed = target === undefined ? undefined : await this.#isNamed(target, lines)
    const about = lines.filter((line) => (isNamed?.(line) ?? true) && (ticket === undefined || line.ticket === ticket))
    const entries = actEntries(from === undefined ? actsOf(about, () => true).reverse() : actsSince(about, from))
    const limit = this.flags.limit ?? (from === undefined ? 50 : entries.length)
    const results = entries.slice(0, limit)
    const page = {limit, count: results.length, total: entries.length, results}
    await this.output.list(page, auditView, '--limit shows more.')
    if (about.length > 0 || (target ?? ticket) === undefined) return
    this.endWith('notFound')
    this.say('This machine has no audit lines about it.')
  }

  /**
   * Which lines are about a resource: those that name it as it was typed, or else the customer whom it refers to. The
   * project is asked only where no line has what was typed. Throws not found, or ambiguous.
   */
  async #isNamed(text: string, lines: readonly AuditLine[]): Promise<(line: AuditLine) => boolean> {
    const isTyped = isAbout({id: text.replace(/^id=/, '')})
    if (lines.some(isTyped)) return isTyped
    const ref = parseRef(text)
    // The log is of this machine alone: an id that it does not have needs no question.
    return ref.by === 'id' ? isTyped : isAbout(await customerOf(await this.client(), ref))
  }
}
