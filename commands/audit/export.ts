import {BaseCommand} from '../../src/cli/command/base-command.js'
import {auditView} from '../../src/cli/output/views.js'
import {readAudit} from '../../src/cli/safety/audit-chain.js'
import {auditFolder} from '../../src/cli/target/settings.js'

export default class AuditExport extends BaseCommand<typeof AuditExport> {
  static override summary = 'Print the whole audit log'
  static override description = 'As JSON Lines unless --output says otherwise; --out writes it to a file.'
  static override examples = ['<%= config.bin %> audit export -o csv']

  async run(): Promise<void> {
    const {lines} = readAudit(auditFolder(this.folders))
    await this.output.page({count: lines.length, results: lines}, auditView, 'jsonl')
  }
}
