import {requestToken} from '../src/api/oauth/operations.js'
import {CheckCommand} from '../src/cli/check/check-command.js'
import {reporterNames} from '../src/cli/check/reporters.js'
import {CheckFailed, type CheckStep, runSteps, type Verdict} from '../src/cli/check/runner.js'
import {ownToken} from '../src/cli/command/operations.js'
import {choiceFlag, switchFlag, textFlag} from '../src/cli/input/flags.js'
import {reportOf} from '../src/cli/output/error-report.js'
import {plainView} from '../src/cli/output/views.js'
import {durationMs} from '../src/cli/process/durations.js'
import {Failure} from '../src/cli/process/failure.js'
import type {Run} from '../src/cli/run/run.js'
import {originText, type WithOrigin} from '../src/cli/target/settings.js'
import {checkScope, foundProject, provenTarget} from '../src/cli/target/whoami.js'
import type {ConnectOptions} from '../src/client/target.js'
import {refusalOf} from '../src/client/transports/refusal.js'
import {defined} from '../src/domain/equal.js'
import {ApiError} from '../src/domain/errors.js'

const ruleFields = ['protected', 'readOnly', 'requireReason'] as const

export default class Whoami extends CheckCommand<typeof Whoami> {
  static override shows = 'installation' as const
  static override operations = ownToken
  static override summary = 'Show, or check, the target, API client and scopes that commands use'
  static override description =
    'Asks the authorization service for the scopes and the API for the project. The scopes of a token from FRONTDESK_TOKEN cannot be shown. --check reports step by step whether the address, the credentials, the project and the clock are right; it ends with code 9 if one is wrong and with 7 without an answer. --origins sends nothing: it shows where each setting comes from, and the protection by any profile of the same address and project.'
  static override examples = [
    '<%= config.bin %> whoami',
    '<%= config.bin %> whoami --check --reporter junit --out connection.xml',
    '<%= config.bin %> whoami --origins',
  ]
  static override flags = {
    check: switchFlag('Check address, credentials, project and clock.', {exclusive: ['origins']}),
    origins: switchFlag('Show where each setting comes from: flag, variable, profile or default.'),
    reporter: choiceFlag(reporterNames, 'Form of the report of --check; text by default.', {
      dependsOn: ['check'],
    }),
    'max-skew': textFlag('30s', 'Largest difference between the clocks for --check; 30s by default.', {
      dependsOn: ['check'],
    }),
  }

  protected override get needsTarget(): boolean {
    return this.flags.check
  }

  protected override get reports(): boolean {
    return this.flags.check
  }

  async run(): Promise<void> {
    if (this.flags.check) {
      const maxSkewMs = durationMs(this.flags['max-skew'] ?? '30s', '--max-skew')
      const seen = {run: this, options: this.connection.options(), maxSkewMs}
      await this.report('connection', await runSteps(connectionSteps, seen, {judge, stopsAtFailure: true}))
    } else if (this.flags.origins) await this.#showOrigins()
    else await this.#showIdentity()
  }

  async #showIdentity(): Promise<void> {
    const {label, target} = this.resolved
    const where = {
      profile: label,
      projectKey: target.projectKey,
      ...defined({storeKey: target.storeKey}),
      ...(target.kind === 'remote' ? {apiUrl: target.apiUrl, authUrl: target.authUrl} : {dataDir: target.dataDir}),
    }
    const client = await this.client()
    const {identity, project} = await provenTarget(client, target.credentials, this.io.clock)
    await this.output.document({...where, ...identity, project}, plainView)
  }

  async #showOrigins(): Promise<void> {
    const rules = (await this.guards()).flatMap(({name, profile}) =>
      ruleFields.flatMap((field): [string, WithOrigin<string>][] =>
        profile[field] ? [[field, {value: 'true', origin: {by: 'profile', name}}]] : [],
      ),
    )
    // The first of several profiles is the one that is named.
    const all = [...new Map([...this.resolved.origins, ...rules.reverse()])]
    const lines = all.map(([field, {value, origin}]) => `${field}  ${value}  (${originText(origin)})`)
    await this.output.answer(Object.fromEntries(all), lines.join('\n'))
  }
}

/** What the steps look at, each resting on the one before, and what a step leaves for those after it. */
interface Seen {
  readonly run: Run
  readonly options: ConnectOptions
  readonly maxSkewMs: number
  /** The server's clock, as its answers tell it. */
  date?: string
  /** Of a client's token; the scopes of a token that was given are not known. */
  scope?: string
}

const connectionSteps: readonly CheckStep<Seen>[] = [
  ['the API answers', reaches],
  ['the credentials are accepted', signsIn],
  ['the project is there', findsProject],
  ['the clocks agree', comparesClocks],
]

function judge(thrown: unknown): Verdict {
  const {message, hints} = reportOf(thrown)
  // Whatever else answers there shows that the address is wrong.
  const isAnswer = thrown instanceof ApiError && thrown.statusCode < 500 && ![408, 429].includes(thrown.statusCode)
  const isMissing = thrown instanceof Failure && ['denied', 'notFound'].includes(thrown.ending)
  return {failures: [message, ...hints], ...(isAnswer || isMissing ? {} : {error: thrown})}
}

/** Any answer counts; without credentials it is a refusal. Nothing that could change or count is asked. */
async function reaches(seen: Seen): Promise<string> {
  const {options, run} = seen
  const {target} = run.resolved
  const {connect} = await import('../src/client/connect.js')
  const client = await connect({...target, credentials: {kind: 'none'}}, options)
  try {
    const answer = await client.raw('GET', `/${target.projectKey}`)
    if (answer.status >= 500 || answer.status === 429) throw refusalOf(answer)
    const {date} = answer.headers
    if (date !== undefined) seen.date = date
    return target.kind === 'remote' ? new URL(target.apiUrl).host : `embedded in ${target.dataDir}`
  } finally {
    await client.close()
  }
}

async function signsIn(seen: Seen): Promise<string> {
  const opened = await seen.run.client()
  if (seen.run.resolved.target.credentials?.kind === 'token') {
    const {status} = await opened.raw('GET', `/${opened.projectKey}`)
    if (status === 401)
      throw new CheckFailed('The access token is refused: it has expired, was revoked, or is for another service.')
    return 'an access token'
  }
  const {scope} = await opened.form(requestToken, {grant_type: 'client_credentials'})
  seen.scope = typeof scope === 'string' ? scope : ''
  return seen.scope
}

async function findsProject({run, scope}: Seen): Promise<string> {
  const opened = await run.client()
  checkScope(scope, opened.projectKey)
  return foundProject(opened, scope)
}

async function comparesClocks({run, maxSkewMs, date}: Seen): Promise<string> {
  if (run.resolved.target.kind === 'embedded') return 'one clock'
  const there = date === undefined ? Number.NaN : Date.parse(date)
  if (Number.isNaN(there)) return 'the server does not tell its time'
  // The header has whole seconds, and the answer was a while on its way.
  const skewMs = run.io.clock() - there
  const seconds = `${(Math.abs(skewMs) / 1000).toFixed(0)} s`
  if (Math.abs(skewMs) <= maxSkewMs) return `${seconds} apart`
  throw new CheckFailed(`This machine is ${seconds} ${skewMs > 0 ? 'ahead of' : 'behind'} the server.`)
}
