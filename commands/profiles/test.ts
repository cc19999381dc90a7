import {BaseCommand} from '../../src/cli/base-command.js'
import {ownToken} from '../../src/cli/operations.js'
import {testTarget} from '../../src/cli/whoami.js'

export default class ProfilesTest extends BaseCommand<typeof ProfilesTest> {
  static override operations = ownToken
  static override summary = 'Try the target: address, credentials, project'
  static override description = 'Gets a token and asks what it opens. --profile chooses another profile.'
  static override examples = ['<%= config.bin %> profiles test --profile local']

  async run(): Promise<void> {
    const {label, target} = this.resolved
    const {scope, clientId} = await testTarget(await this.client())
    const answer = {ok: true, profile: label, projectKey: target.projectKey, clientId, scope}
    await this.output.answer(answer, `${label} works: project ${target.projectKey}, scope ${scope}`)
  }
}
