import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {dayFlagSummary, endsBadly, formatOf, formats, reportText} from '../../src/cli/deprecations/report.js'
import {reportFor} from '../../src/cli/deprecations/run.js'

const many = {multiple: true, multipleNonGreedy: true} as const

export default class DeprecationsCheck extends BaseCommand<typeof DeprecationsCheck> {
  static override shows = 'installation' as const
  static override summary = 'Find uses of what the API deprecated and removed'
  static override description =
    `Reads JSON, JSON Lines, HAR, GraphQL, JavaScript and TypeScript, settings and scripts; in folders, what their names
tell. Removed things are errors, deprecated ones warnings. Ends with code 9 if something is found (see --fail-on). A
comment with frontdesk-ignore-line or frontdesk-ignore-next-line, and ids behind it, lets a line pass.`
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
    url: Flags.string({...many, helpValue: 'URL', summary: 'A URL, with a method before it or not (repeatable).'}),
    graphql: Flags.string({...many, helpValue: 'TEXT|@FILE|-', summary: 'A GraphQL document (repeatable).'}),
    scopes: Flags.string({...many, helpValue: 'TEXT|@FILE|-', summary: 'The scopes of one client (repeatable).'}),
    request: Flags.string({helpValue: '"POST /carts"', summary: 'Where the payloads are sent.'}),
    'as-of': Flags.string({helpValue: 'DATE', summary: dayFlagSummary}),
    'fail-on': Flags.option({
      options: ['removed', 'deprecated', 'none'] as const,
      default: 'deprecated' as const,
      summary: 'What ends with code 9: removed things only, both, or nothing.',
    })(),
    format: Flags.option({options: formats, summary: 'Form of the report.'})(),
    ignore: Flags.string({...many, helpValue: 'ID', summary: 'Do not look for this (repeatable).'}),
    baseline: Flags.string({helpValue: 'FILE', summary: 'Let the findings in this file pass.'}),
    'update-baseline': Flags.boolean({summary: 'Write what is found to the baseline, and let it pass.'}),
  }

  async run(): Promise<void> {
    const {flags} = this
    const format = formatOf(flags.format, this.output.form)
    const report = await reportFor({...flags, paths: this.args.path ?? []}, this.io)
    await this.output.text(reportText(report, format, this.config.version))
    if (endsBadly(report, flags['fail-on'])) this.endWith('checkFailed')
  }
}
