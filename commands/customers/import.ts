import {Args, Flags} from '@oclif/core'
import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {jobFlags, mappingFlags, matchFlags, pressureFlags, shardFlags} from '../../src/cli/bulk/flags.js'
import {runImport} from '../../src/cli/bulk/import.js'
import {runPlan} from '../../src/cli/bulk/plan-files.js'
import {flowEnd, recentRows, Since, sinceFlags} from '../../src/cli/bulk/since.js'
import {bulkOutcome, importLines, planLines} from '../../src/cli/bulk/summaries.js'
import {writeFlags} from '../../src/cli/command/flags.js'
import {customerRows, resetLinkCalls} from '../../src/cli/command/operations.js'
import {jobsFolder, sinceFolder} from '../../src/cli/target/settings.js'

export default class CustomersImport extends BulkCommand<typeof CustomersImport> {
  static override operations = [...customerRows, ...resetLinkCalls]
  static override summary = 'Create and update customers from files'
  static override description =
    'Reads CSV, JSON, JSON Lines and Excel workbooks of any size, also compressed with gzip. All rows are validated before the first write. An existing customer gets only the update actions for what differs. Failed rows are written to a report that --retry-failed can read.'
  static override examples = [
    '<%= config.bin %> customers import customers.csv --map-file map.json --password-mode external-auth --dry-run',
    "<%= config.bin %> customers import crm.csv --map 'Customer Id=key' --map 'E-Mail=email' --transform addresses.0.country=country",
    '<%= config.bin %> customers import customers.jsonl --resume',
    '<%= config.bin %> customers import customers.jsonl --shard 1/3 --concurrency 64',
    '<%= config.bin %> customers import customers.csv --retry-failed failed.csv',
    '<%= config.bin %> customers import customers.csv --password-mode external-auth --plan-out plan.jsonl',
    '<%= config.bin %> customers import --apply plan.jsonl',
    '<%= config.bin %> customers import customers.jsonl --since last',
    '<%= config.bin %> customers import customers.jsonl --password-mode reset-links --reset-links mailing.csv',
  ]
  static override args = {
    file: Args.string({multiple: true, ignoreStdin: true, description: 'files to read; - is the standard input'}),
  }
  static override flags = {
    ...mappingFlags,
    ...matchFlags,
    ...pressureFlags,
    ...shardFlags,
    ...sinceFlags,
    ...jobFlags,
    'retry-failed': Flags.string({
      helpValue: 'FILE',
      summary: 'Import the failed rows of this report; the files are then only read for their passwords.',
    }),
    'plan-out': Flags.string({
      helpValue: 'FILE',
      summary: 'Write what would be done into a new file, one line a row, to be read and applied; write nothing else.',
      exclusive: ['apply', 'since', 'retry-failed', 'resume'],
    }),
    apply: Flags.string({
      helpValue: 'FILE',
      summary: 'Do what this plan says; rows whose customer was changed meanwhile are refused.',
      exclusive: ['map', 'map-file', 'set-all', 'transform', 'preset', 'shard', 'since', 'retry-failed', 'dry-run'],
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const files = this.args.file ?? []
    const since = Since.of(this.flags, {
      folder: sinceFolder(this.folders),
      flow: ['import', flowEnd(this.resolved)],
      now: this.io.clock(),
    })
    if (since) this.say(since.note)
    const recent = await recentRows(since)
    const jobsDir = jobsFolder(this.folders)
    const job = {
      files,
      flags: this.flags,
      io: this.io,
      resolved: this.resolved,
      jobsDir,
      recent,
      command: this.ownCommand,
    }
    const {'plan-out': out, apply} = this.flags
    if (this.dryRun || out !== undefined) {
      const plan = await this.bulk((run) => (out === undefined ? runImport.dry(run, job) : runPlan.out(run, job, out)))
      await this.output.answer({dryRun: true, ...plan}, this.quoting(planLines(plan, files.length)))
      return
    }
    const result = await this.write({
      actions: ['import'],
      request: () =>
        this.withPage(jobsDir, () =>
          this.bulk((run) => (apply === undefined ? runImport.write(run, job) : runPlan.apply(run, job, apply))),
        ),
      settle: 'by itself',
      outcome: bulkOutcome,
    })
    await this.output.answer(result, this.quoting(importLines(result, files.length)))
    if (since && recent) since.reached = recent.latest
    since?.end(result.failed, (note) => this.say(note))
    if (result.failed > 0) this.endWith('partial')
  }
}
