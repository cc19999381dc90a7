import {BaseCommand} from '../../src/cli/command/base-command.js'
import {ownToken} from '../../src/cli/command/operations.js'
import {foundProject, testTarget} from '../../src/cli/target/whoami.js'

export default class ProfilesTest extends BaseCommand<typeof ProfilesTest> {
  static override shows = 'installation' as const
  static override operations = ownToken
  static override summary = 'Test the address, credentials and project of a profile'
  static override description =
    'Requests a token, asks the authorization service for its scopes, and asks the API for the project. --profile chooses another profile.'
  static override examples = ['<%= config.bin %> profiles test --profile local']

  async run(): Promise<void> {
    const {label, target} = this.resolved
    const client = await this.client()
    const identity =
      target.credentials?.kind === 'token' ? undefined : await testTarget(client, target.credentials, this.io.clock)
    const {scope, clientId} = identity ?? {}
    const project = await foundProject(client, (scope ?? '') !== '')
    const answer = {ok: true, profile: label, projectKey: target.projectKey, clientId, scope, project}
    const opened = scope === undefined ? 'the token is accepted' : `scope ${scope}`
    await this.output.answer(answer, `${label} works: project ${project}, ${opened}`)
  }
}
