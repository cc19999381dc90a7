import {BaseCommand} from '../src/cli/command/base-command.js'
import {ownToken} from '../src/cli/command/operations.js'
import {plainView} from '../src/cli/output/views.js'
import {provenTarget} from '../src/cli/target/whoami.js'
import {defined} from '../src/domain/equal.js'

export default class Whoami extends BaseCommand<typeof Whoami> {
  static override shows = 'installation' as const
  static override operations = ownToken
  static override summary = 'Show the target, API client and scopes that commands use'
  static override description =
    'Asks the authorization service for the scopes and the API for the project. The scopes of a token from FRONTDESK_TOKEN cannot be shown.'
  static override examples = ['<%= config.bin %> whoami']

  async run(): Promise<void> {
    const {label, target} = this.resolved
    const where = {
      profile: label,
      kind: target.kind,
      projectKey: target.projectKey,
      ...defined({storeKey: target.storeKey}),
      ...(target.kind === 'remote' ? {apiUrl: target.apiUrl, authUrl: target.authUrl} : {dataDir: target.dataDir}),
    }
    const client = await this.client()
    const {identity, project} = await provenTarget(client, target.credentials, this.io.clock)
    await this.output.document({...where, ...identity, project}, plainView)
  }
}
