import {Args} from '@oclif/core'
import {BaseCommand} from '../src/cli/command/base-command.js'
import type {Calls} from '../src/cli/command/operations.js'
import {forgetCredentials} from '../src/cli/target/login.js'
import {revokeCachedTokens} from '../src/cli/target/logout.js'
import {profileNamed, writeProfiles} from '../src/cli/target/profiles.js'
import {tokenCacheFolder} from '../src/cli/target/settings.js'

export default class Logout extends BaseCommand<typeof Logout> {
  static override shows = 'installation' as const
  static override operations: Calls = ['revokeToken']
  static override summary = 'Delete the stored secret of a profile, and revoke its tokens'
  static override description =
    'The secret is deleted from this machine even if the service cannot be reached; the command says so then.'
  static override examples = ['<%= config.bin %> logout staging']
  static override args = {name: Args.string({ignoreStdin: true, description: 'a profile; the one in use if absent'})}

  async run(): Promise<void> {
    const name = this.args.name ?? this.chosen.name.value
    const profile = profileNamed(this.profiles, name)
    const revoked = await revokeCachedTokens(() => this.clientFor(name), profile, tokenCacheFolder(this.folders))
    await forgetCredentials(this.folders.config, name, profile)
    const {secret: _, ...rest} = profile
    if (name !== 'local') {
      writeProfiles(this.folders.config, {...this.profiles, byName: new Map([...this.profiles.byName, [name, rest]])})
    }
    const told = revoked
      ? 'and revoked its token'
      : 'but the service could not be reached: its token lives until it ends'
    await this.output.answer({profile: name, revoked}, `forgot the secret of ${name}, ${told}`)
  }
}
