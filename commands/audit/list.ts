import {Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {auditView} from '../../src/cli/output/views.js'
import {readAudit} from '../../src/cli/safety/audit-chain.js'
import {auditFolder} from '../../src/cli/target/settings.js'

export default class AuditList extends BaseCommand<typeof AuditList> {
  static override summary = 'List what was written from this machine'
  static override description =
    'The latest last. An intent without a result was interrupted, or its outcome is unknown.'
  static override examples = [
    '<%= config.bin %> audit list --limit 20',
    '<%= config.bin %> audit list --target key=ada -o jsonl',
  ]
  static override flags = {
    limit: Flags.integer({char: 'n', default: 50, min: 1, summary: 'The last so many lines.'}),
    target: Flags.string({helpValue: 'ID', summary: 'Only about this resource.'}),
    ticket: Flags.string({helpValue: 'ID', summary: 'Only with this ticket.'}),
  }

  async run(): Promise<void> {
    const {target, ticket, limit} = this.flags
    const {lines} = readAudit(auditFolder(this.folders))
    const results = lines
      .filter(
        (line) => (target === undefined || line.target === target) && (ticket === undefined || line.ticket === ticket),
      )
      .slice(-limit)
    await this.output.page({count: results.length, results}, auditView)
  }
}
