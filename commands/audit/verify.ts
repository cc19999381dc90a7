import {Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {textFlag} from '../../src/cli/input/flags.js'
import {Failure, usage} from '../../src/cli/process/failure.js'
import {appendAudit, auditFile} from '../../src/cli/safety/audit.js'
import {type AuditReading, readAudit} from '../../src/cli/safety/audit-chain.js'
import {auditFolder} from '../../src/cli/target/settings.js'

const hashForm = /^[0-9a-f]{64}$/

export default class AuditVerify extends BaseCommand<typeof AuditVerify> {
  static override summary = 'Check the hash chain of the audit log'
  static override description =
    'Ends with code 9 if a line was changed, removed, inserted or cut off. The chain has no key, so a rewrite of the whole log and its head is not noticed. To notice that too, keep the last hash elsewhere and give it with --head later.'
  static override examples = [
    '<%= config.bin %> audit verify',
    '<%= config.bin %> audit verify --head 6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
  ]
  static override flags = {
    head: textFlag('HASH', 'A last hash that you kept elsewhere; the log must still contain it.'),
    adopt: Flags.boolean({
      summary: 'Accept the log as it is; a permanent line records this and who did it.',
    }),
  }

  async run(): Promise<void> {
    const folder = auditFolder(this.folders)
    const {head: kept, adopt} = this.flags
    if (kept !== undefined && !hashForm.test(kept)) {
      throw usage('--head is not a hash of 64 hexadecimal digits.', 'Give a hash that audit verify printed.')
    }
    const found = readAudit(folder)
    if (kept !== undefined && !found.hashes.has(kept)) {
      throw new Failure(
        'checkFailed',
        'AuditBroken',
        'The audit log no longer holds the hash that you kept: it was cut.',
        {
          hints: [`Compare ${auditFile(folder)} with a copy.`],
        },
      )
    }
    if (found.broken.length > 0) {
      if (!adopt) throw broken(folder, found)
      const what = `would adopt the ${found.lines.length} lines of the audit log as they are`
      await this.effect({
        at: 'machine',
        plan: () => [{adopts: found.digest}, what],
        act: async () => this.#adopt(folder, found),
      })
      if (this.isDry) return
    }
    const {lines, head, adoptedAt} = readAudit(folder)
    const adopted = adoptedAt === 0 ? '' : `; everything before line ${adoptedAt} was adopted`
    const shown = {lines: lines.length, head, ...(adoptedAt === 0 ? {} : {adoptedAt})}
    await this.output.answer(shown, `${lines.length} lines, whole; the last hash is ${head}${adopted}`)
  }

  #adopt(folder: string, {digest, lines}: AuditReading): void {
    if (lines.length === 0) throw usage('There is no line to adopt.', 'Without a log, remove its head as well.')
    const profile = this.chosen.name.value
    const entry = {phase: 'adoption', profile, project: '-', command: 'audit verify', adopts: digest} as const
    appendAudit(folder, entry, this.io.clock())
  }
}

function broken(folder: string, {broken: at, headMissing}: AuditReading): Failure {
  const why = headMissing ? ' The file audit.head, which vouches for the last line, is missing.' : ''
  return new Failure('checkFailed', 'AuditBroken', `The audit log is broken at line ${at.join(', ')}.${why}`, {
    hints: [`Compare ${auditFile(folder)} with a copy. If you know why, repeat with --adopt.`],
    details: at.map((line) => ({line})),
  })
}
