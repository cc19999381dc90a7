import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {
  duplicateFlags,
  jobFlags,
  mappingFlags,
  matchFlags,
  passwordFileFlags,
  pressureFlags,
  referenceFlags,
  sinceFlags,
} from '../../src/cli/bulk/flags.js'
import {planRows, planToFile, type RowSource, rowsOfFiles, rowsOfPlan, writeRows} from '../../src/cli/bulk/rows.js'
import {ShownPlan} from '../../src/cli/bulk/shown-plan.js'
import {Since} from '../../src/cli/bulk/since.js'
import {importLines} from '../../src/cli/bulk/summaries.js'
import {type Calls, customerRows, markCalls, resetLinkCalls} from '../../src/cli/command/operations.js'
import {optionalArgs, outputFile, textFlag, writeFlags} from '../../src/cli/input/flags.js'
import {usage} from '../../src/cli/process/failure.js'

/** What a plan has decided, so that a flag could not change it. */
const decidedByPlan = Object.keys({...mappingFlags, ...matchFlags, ...duplicateFlags, ...referenceFlags, ...sinceFlags})

export default class CustomersImport extends BulkCommand<typeof CustomersImport> {
  static override operations: Calls = [
    ...customerRows,
    {operations: ['createCustomerGroup', 'createStore'], when: '--create-references'},
    ...markCalls,
    ...resetLinkCalls,
  ]
  static override summary = 'Create and update customers from files'
  static override description =
    'Reads CSV, JSON, JSON Lines, XML and Excel workbooks of any size, also compressed with gzip. Validates all rows before the first write. Updates only the fields of existing customers that differ. Failed rows are written to a report that --retry-failed can read.'
  static override examples = [
    '<%= config.bin %> customers import customers.csv --map-file map.json --password-mode external-auth --dry-run',
    "<%= config.bin %> customers import crm.csv --map 'Customer Id=key' --map 'E-Mail=email' --transform addresses.0.country=country",
    '<%= config.bin %> customers import customers.jsonl --resume',
    '<%= config.bin %> customers import customers.csv --retry-failed failed.csv',
    '<%= config.bin %> customers import customers.csv --password-mode external-auth --plan-out plan.jsonl',
    '<%= config.bin %> customers import --apply plan.jsonl',
    '<%= config.bin %> customers import customers.jsonl --since last',
    '<%= config.bin %> customers import customers.jsonl --password-mode reset-links --reset-links mailing.csv',
  ]
  static override args = {file: optionalArgs('files to read; - is the standard input')}
  static override flags = {
    ...mappingFlags,
    ...matchFlags,
    ...duplicateFlags,
    ...referenceFlags,
    ...pressureFlags,
    ...sinceFlags,
    ...jobFlags,
    'retry-failed': textFlag(
      'FILE',
      'Import the failed rows of this report; of the files, only the passwords are read.',
    ),
    'plan-out': outputFile(
      'FILE',
      'Write the plan that --dry-run shows to a new file, for --apply; write nothing else.',
      {
        exclusive: [
          'apply',
          'since',
          'retry-failed',
          'resume',
          'max-failures',
          'report',
          ...Object.keys(passwordFileFlags),
        ],
      },
    ),
    apply: textFlag('FILE', 'Carry out this plan; refuse rows whose customer has changed since.', {
      exclusive: [...decidedByPlan, 'retry-failed', 'dry-run'],
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const files = this.args.file ?? []
    const since = Since.of(this, ['import'], this.resolved)
    const {'plan-out': out, apply} = this.flags
    if (apply !== undefined && files.length > 0) throw usage('--apply takes no file: the plan names its own.')
    const shown = new ShownPlan(this.output, this.flags, files.length)
    const linesOf = (plan: Parameters<typeof shown.lines>[0]) => this.quoting(shown.lines(plan))
    const planned = (rows: RowSource) => this.bulk((bulk) => planRows(bulk, rows, shown, this))
    if (out !== undefined) {
      const plan = await this.effect({
        at: 'machine',
        plan: async () => {
          const foreseen = await planned(rowsOfFiles(this, files))
          return [foreseen, linesOf(foreseen)]
        },
        act: () => this.bulk((bulk) => planToFile(bulk, this, files, out)),
      })
      if (plan) await this.output.answer({dryRun: true, ...plan}, linesOf(plan))
      return
    }
    const open = apply === undefined ? rowsOfFiles(this, files, since) : rowsOfPlan(this, apply)
    await this.job({
      actions: ['import'],
      plan: () => planned(open),
      planLines: linesOf,
      run: () => this.bulk((bulk) => writeRows(bulk, open, this, this.ownCommand)),
      lines: (result) => this.quoting(importLines(result, files.length)),
      since,
    })
  }
}
