import {CheckCommand} from '../src/cli/check/check-command.js'
import {checkConnection} from '../src/cli/check/connection.js'
import {reporterNames} from '../src/cli/check/reporters.js'
import {ownToken} from '../src/cli/command/operations.js'
import {choiceFlag, switchFlag, textFlag} from '../src/cli/input/flags.js'
import {plainView} from '../src/cli/output/views.js'
import {durationMs} from '../src/cli/process/durations.js'
import {originText, type WithOrigin} from '../src/cli/target/settings.js'
import {provenTarget} from '../src/cli/target/whoami.js'
import {defined} from '../src/domain/equal.js'

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

  /** Without --check it shows which target it is. */
  protected override get needsTarget(): boolean {
    return this.flags.check
  }

  protected override get reports(): boolean {
    return this.flags.check
  }

  async run(): Promise<void> {
    if (this.flags.check) {
      const maxSkewMs = durationMs(this.flags['max-skew'] ?? '30s', '--max-skew')
      await this.report('connection', await checkConnection({run: this, options: this.connection.options(), maxSkewMs}))
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
