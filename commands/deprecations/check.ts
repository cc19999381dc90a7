import {BaseCommand} from '../../src/cli/command/base-command.js'
import {dayOf, idHint} from '../../src/cli/deprecations/filter.js'
import {formats, reportText} from '../../src/cli/deprecations/forms.js'
import {choiceFlag, defaultFlag, type FlagValues, optionalArgs, textFlag, textsFlag} from '../../src/cli/input/flags.js'
import {sourceName, textOf} from '../../src/cli/input/json-input.js'
import {readAll} from '../../src/cli/input/secret-inputs.js'
import {reportForm} from '../../src/cli/output/ci-text.js'
import {usage} from '../../src/cli/process/failure.js'
import type {Io} from '../../src/cli/process/io.js'
import {type Check, type CheckResult, startCheck} from '../../src/deprecations/check/check.js'
import {countOf, type Note, type Report} from '../../src/deprecations/check/finding.js'
import type {SourceKind} from '../../src/deprecations/check/kind.js'
import {placeOf} from '../../src/deprecations/check/place.js'
import {checkPaths, UnreadablePath} from '../../src/deprecations/check/walk.js'
import {getDeprecation} from '../../src/deprecations/list.js'
import {defined} from '../../src/domain/equal.js'

const checkFlags = {
  url: textsFlag('URL', 'A URL to check, with an optional method before it (repeatable).'),
  graphql: textsFlag('TEXT|@FILE|-', 'A GraphQL document (repeatable).'),
  scopes: textsFlag('TEXT|@FILE|-', 'The scopes of one client (repeatable).'),
  request: textFlag('"POST /carts"', 'Request whose bodies the files contain.'),
  'as-of': textFlag('DATE', 'Use the status that each deprecation has on this day.'),
  'fail-on': defaultFlag(
    ['removed', 'deprecated', 'none'],
    'deprecated',
    'Which findings end the command with code 9: removed features, removed and deprecated ones, or none.',
  ),
  format: choiceFlag(formats, 'Format of the report.'),
  ignore: textsFlag('ID', 'Do not report this deprecation (repeatable).'),
}

type CheckRequest = FlagValues<typeof checkFlags> & {readonly paths: readonly string[]}

const maxHints = 3
const maxStdinBytes = 5 * 1024 * 1024

/** Checks all inputs. Throws usage if nothing in them could be read. */
async function reportFor(asked: CheckRequest, io: Io): Promise<Report> {
  refuseNothing(asked)
  const check = startCheck(optionsOf(asked))
  const all: CheckResult[] = []
  for await (const checked of checkedInputs(check, asked, io)) all.push(checked)
  all.push(...check.finish())
  const findings = all.flatMap((checked) => checked.findings)
  const notes = all.flatMap((checked) => checked.notes)
  const read = {files: all.filter(({isFile}) => isFile).length, entries: all.reduce((sum, one) => sum + one.entries, 0)}
  if (read.entries === 0) throw usage('Nothing was read.', ...emptyHints(notes))
  return {findings, notes, read}
}

const emptyHints = (notes: readonly Note[]): readonly string[] => [
  ...notes.slice(0, maxHints).map(({path, message}) => `${path}: ${message}.`),
  'Of a folder, JSON, JSON Lines, HAR, GraphQL, settings, HTTP files and scripts are read.',
]

function refuseNothing({paths, url, graphql, scopes}: CheckRequest): void {
  if (paths.length > 0 || url || graphql || scopes) return
  throw usage('There is nothing to check.', 'Name files or folders, - for stdin, or use --url, --graphql, --scopes.')
}

function optionsOf({request, 'as-of': asOf, ignore}: CheckRequest) {
  if (request !== undefined && !placeOf(request)) {
    throw usage(`'${request}' is not a request.`, 'Write --request "POST /carts".')
  }
  for (const id of ignore ?? []) {
    if (getDeprecation(id)?.id !== id) throw usage(`There is no rule '${id}'.`, idHint(id))
  }
  return defined({request, asOf: dayOf(asOf, '--as-of'), ignore})
}

async function* checkedInputs(check: Check, asked: CheckRequest, io: Io): AsyncGenerator<CheckResult> {
  for (const url of asked.url ?? []) {
    if (!/[/?]/.test(url)) throw usage(`--url is no URL: ${url}`, 'Give a path or a whole URL: /shop/carts?limit=1')
    yield check.url(url)
  }
  for (const text of asked.graphql ?? []) {
    yield await checkGiven(check, await textOf(text, '--graphql', io), sourceName(text, '--graphql'), 'graphql')
  }
  for (const text of asked.scopes ?? []) {
    yield await check.scopes(await textOf(text, '--scopes', io), sourceName(text, '--scopes'))
  }
  const paths = asked.paths.filter((path) => path !== '-')
  if (paths.length < asked.paths.length) {
    yield await checkGiven(check, await readAll(io, maxStdinBytes), 'stdin', asked.request ? 'json' : undefined)
  }
  try {
    yield* checkPaths(check, paths, process.cwd())
  } catch (error) {
    if (!(error instanceof UnreadablePath)) throw error
    throw usage(`${error.message}.`, 'Name files and folders that can be read.')
  }
}

/** Checks a text from stdin or a flag. Throws usage if it cannot be parsed as its kind. */
async function checkGiven(check: Check, text: string, path: string, kind?: SourceKind): Promise<CheckResult> {
  const checked = await check.text({path, text, ...defined({kind})})
  const unread = checked.notes.find(({isUnread}) => isUnread)
  if (unread) throw usage(`${path}:${unread.line ?? 1}: ${unread.message}.`)
  return checked
}

export default class DeprecationsCheck extends BaseCommand<typeof DeprecationsCheck> {
  static override shows = 'installation' as const
  static override summary = 'Find uses of what the API deprecated and removed'
  static override description =
    `Reads JSON, JSON Lines, HAR, GraphQL, settings, HTTP files and scripts. In a folder it picks files by their names.
Removed features are errors, deprecated ones warnings. Ends with code 9 if it finds any (see --fail-on), and with 2 if it
read nothing. A comment frontdesk-ignore-line or frontdesk-ignore-next-line, followed by ids, suppresses findings on that
line. JavaScript and TypeScript are not read: run them against the local server, which counts what it meets
(\`deprecations list --seen\`), or record a HAR.`
  static override examples = [
    '<%= config.bin %> deprecations check fixtures/deprecations/uses/recording.har',
    '<%= config.bin %> deprecations check draft.json --request "POST /customers"',
    '<%= config.bin %> deprecations check --url "https://api.europe-west1.gcp.commercetools.com/shop/carts?customerId=1"',
    '<%= config.bin %> deprecations check . --format sarif --out deprecations.sarif --fail-on removed',
  ]
  static override args = {path: optionalArgs('files and folders; - reads stdin')}
  static override flags = checkFlags

  protected override get reports(): boolean {
    return true
  }

  async run(): Promise<void> {
    const {flags} = this
    const format = reportForm(flags.format, this.output.form, `--format ${formats.join('|')}`)
    const report = await reportFor({...flags, paths: this.args.path ?? []}, this.io)
    const {version} = this.config
    const said = report.findings.length > 0 ? reportText(report, 'text', version) : ''
    await this.output.report(reportText(report, format, version), said)
    const bad = {none: 0, removed: countOf(report, 'error'), deprecated: report.findings.length}
    if (bad[flags['fail-on']] > 0) this.endWith('checkFailed')
  }
}
