import {Args, Flags} from '@oclif/core'
import {pageFlags} from '../../src/cli/bulk/flags.js'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {dayFlagSummary, endsBadly, formatOf, formats, reportText} from '../../src/cli/deprecations/forms.js'
import {reportFor} from '../../src/cli/deprecations/run.js'
import {choiceFlag, textFlag, textsFlag} from '../../src/cli/input/flags.js'
import {pageFile, writePage} from '../../src/cli/run/page-file.js'
import {commandText} from '../../src/cli/target/command-line.js'

export default class DeprecationsCheck extends BaseCommand<typeof DeprecationsCheck> {
  static override shows = 'installation' as const
  static override summary = 'Find uses of what the API deprecated and removed'
  static override description =
    `Reads JSON, JSON Lines, HAR, GraphQL, JavaScript, TypeScript, settings files and scripts. In a folder it picks files by
their names. Removed features are errors, deprecated ones warnings. Ends with code 9 if it finds any (see --fail-on). A
comment frontdesk-ignore-line or frontdesk-ignore-next-line, followed by ids, suppresses findings on that line.`
  static override examples = [
    '<%= config.bin %> deprecations check src',
    '<%= config.bin %> deprecations check draft.json --request "POST /customers"',
    '<%= config.bin %> deprecations check --url "https://api.europe-west1.gcp.commercetools.com/shop/carts?customerId=1"',
    '<%= config.bin %> deprecations check . --format sarif --out deprecations.sarif --fail-on removed',
  ]
  static override args = {
    path: Args.string({multiple: true, ignoreStdin: true, description: 'files and folders; - reads stdin'}),
  }
  static override flags = {
    ...pageFlags,
    url: textsFlag('URL', 'A URL to check, with an optional method before it (repeatable).'),
    graphql: textsFlag('TEXT|@FILE|-', 'A GraphQL document (repeatable).'),
    scopes: textsFlag('TEXT|@FILE|-', 'The scopes of one client (repeatable).'),
    request: textFlag('"POST /carts"', 'Request whose bodies the files contain.'),
    'as-of': textFlag('DATE', dayFlagSummary),
    'fail-on': Flags.option({
      options: ['removed', 'deprecated', 'none'] as const,
      default: 'deprecated' as const,
      summary: 'Which findings end the command with code 9: removed features, removed and deprecated ones, or none.',
    })(),
    format: choiceFlag(formats, 'Format of the report.'),
    ignore: textsFlag('ID', 'Do not report this deprecation (repeatable).'),
    baseline: textFlag('FILE', 'Do not report the findings that this file lists.'),
    'update-baseline': Flags.boolean({summary: 'Write all findings to the baseline file, and report none.'}),
  }

  protected override readonly reports = true

  async run(): Promise<void> {
    const {flags} = this
    const page = flags.report === undefined ? undefined : pageFile(flags.report)
    const format = formatOf(flags.format, this.output.form)
    const report = await reportFor({...flags, paths: this.args.path ?? []}, this)
    if (page !== undefined) {
      const {deprecationsPage} = await import('../../src/cli/deprecations/deprecations-page.js')
      const text = deprecationsPage(report, commandText(this.id, this.argv), this.io.clock())
      await writePage(this, page, text)
    }
    await this.output.text(reportText(report, format, this.config.version))
    // A file in a workspace is not the log of the job: it says what was found all the same.
    if (flags.out !== undefined && report.findings.length > 0) {
      const lines = reportText(report, 'text', this.config.version).trimEnd().split('\n')
      for (const line of lines) this.say(line)
    }
    if (endsBadly(report, flags['fail-on'])) this.endWith('checkFailed')
  }
}
