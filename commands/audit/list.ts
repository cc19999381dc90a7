import {Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads, namesOf, type OperationName} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {parseRef} from '../../src/cli/input/refs.js'
import {auditView} from '../../src/cli/output/views.js'
import {actRows} from '../../src/cli/records/audit-events.js'
import type {AuditLine} from '../../src/cli/safety/audit.js'
import {readAudit} from '../../src/cli/safety/audit-chain.js'
import {auditFolder} from '../../src/cli/target/settings.js'

const customerNames = namesOf(customerReads) as readonly OperationName[]

export default class AuditList extends BaseCommand<typeof AuditList> {
  static override operations: Calls = [
    {operations: customerNames, when: '--target of a customer by something else than its id'},
  ]
  static override summary = 'List the writes that were sent from this machine'
  static override description =
    'The latest last. An intent without a result belongs to a command that was interrupted, or whose outcome is unknown. Ends with code 3 if no line matches --target or --ticket.'
  static override examples = [
    '<%= config.bin %> audit list --limit 20',
    '<%= config.bin %> audit list --target ada@example.com -o jsonl',
  ]
  static override flags = {
    limit: Flags.integer({char: 'n', default: 50, min: 1, summary: 'Number of lines to show, counted from the end.'}),
    target: Flags.string({helpValue: 'REF', summary: 'Only about this resource, or this customer of the target.'}),
    ticket: Flags.string({helpValue: 'ID', summary: 'Only with this ticket.'}),
  }

  async run(): Promise<void> {
    const {target, ticket, limit} = this.flags
    const {lines} = readAudit(auditFolder(this.folders))
    const targets = target === undefined ? undefined : await this.#targets(target, lines)
    const about = lines.filter(
      (line) =>
        (targets === undefined || targets.has(line.target ?? '')) && (ticket === undefined || line.ticket === ticket),
    )
    // Programs get the lines; a person, what was meant and what became of it in one row.
    const rows =
      ['table', undefined].includes(this.output.form) && this.flags.fields === undefined ? actRows(about) : about
    const results = rows.slice(-limit)
    const page = {limit, count: results.length, total: rows.length, results}
    await this.output.list(page, auditView, '--limit shows more.')
    if (about.length > 0 || (target ?? ticket) === undefined) return
    this.endWith('notFound')
    this.say('This machine has written nothing of it.')
  }

  /**
   * The names under which the audit log may have a resource: as it was typed, and the id and key of the customer whom it
   * refers to. The project is asked only where no line has what was typed. Throws not found, or ambiguous.
   */
  async #targets(text: string, lines: readonly AuditLine[]): Promise<ReadonlySet<string>> {
    const typed = text.replace(/^id=/, '')
    if (lines.some(({target}) => target === typed)) return new Set([typed])
    const ref = parseRef(text)
    // The log is of this machine alone: an id that it does not have needs no question.
    if (ref.by === 'id') return new Set([typed])
    const {id, key} = await customerOf(await this.client(), ref)
    return new Set([id, ...(key === undefined ? [] : [`key=${key}`])])
  }
}
