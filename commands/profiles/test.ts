import {Args} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {ownToken} from '../../src/cli/command/operations.js'
import {profileFor} from '../../src/cli/target/settings.js'
import {provenTarget} from '../../src/cli/target/whoami.js'

export default class ProfilesTest extends BaseCommand<typeof ProfilesTest> {
  static override shows = 'installation' as const
  static override operations = ownToken
  static override summary = 'Test the address, credentials and project of a profile'
  static override description =
    'Requests a token, asks the authorization service for its scopes, and asks the API for the project. NAME, or --profile, chooses another profile.'
  static override examples = ['<%= config.bin %> profiles test local']
  static override args = {name: Args.string({ignoreStdin: true, description: 'a profile; the one in use if absent'})}

  async run(): Promise<void> {
    const {name} = this.args
    if (name !== undefined) this.flags.profile = profileFor(name, this.flags)
    const {label, target} = this.resolved
    const client = await this.client()
    const {identity, project} = await provenTarget(client, target.credentials, this.io.clock)
    const {scope, clientId} = identity ?? {}
    const answer = {ok: true, profile: label, projectKey: target.projectKey, clientId, scope, project}
    const opened = scope === undefined ? 'the token is accepted' : `scope ${scope}`
    await this.output.answer(answer, `${label} works: project ${project}, ${opened}`)
  }
}
