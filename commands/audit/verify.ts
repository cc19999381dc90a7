import {auditFile, readAudit} from '../../src/cli/audit.js'
import {BaseCommand} from '../../src/cli/base-command.js'
import {Failure} from '../../src/cli/failure.js'
import {auditFolder} from '../../src/cli/settings.js'

export default class AuditVerify extends BaseCommand<typeof AuditVerify> {
  static override summary = 'Check the chain of the audit log'
  static override description =
    'Ends with code 9 if a line was changed, taken out or put in. Who rewrites the whole log and its head goes unnoticed: keep the last hash elsewhere.'
  static override examples = ['<%= config.bin %> audit verify']

  async run(): Promise<void> {
    const folder = auditFolder(this.folders)
    const {lines, broken, head} = readAudit(folder)
    if (broken.length > 0) {
      throw new Failure('checkFailed', 'AuditBroken', `The audit log is broken at line ${broken.join(', ')}.`, {
        hints: [`Compare ${auditFile(folder)} with a copy.`],
        details: broken.map((line) => ({line})),
      })
    }
    await this.output.answer({lines: lines.length, head}, `${lines.length} lines, whole; the last hash is ${head}`)
  }
}
