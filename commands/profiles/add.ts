import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {keyringSecret} from '../../src/cli/input/keyring.js'
import {usage} from '../../src/cli/process/failure.js'
import {profileFlags, profileFrom} from '../../src/cli/target/profile-flags.js'
import {changeProfile, checkedName, type Profile} from '../../src/cli/target/profiles.js'
import {forgetCredentials} from '../../src/cli/target/stored-secrets.js'
import {accountOf} from '../../src/cli/target/target.js'

export default class ProfilesAdd extends BaseCommand<typeof ProfilesAdd> {
  static override shows = 'installation' as const
  static override summary = 'Add or replace a profile'
  static override description =
    'The global flags give the address, project, store and folder. A profile contains no secret: --secret-from names its place, or `login` stores it.'
  static override examples = [
    '<%= config.bin %> profiles add staging --project-key shop --api-url https://api.example --auth-url https://auth.example --client-id abc --secret-from env:STAGING_SECRET --protected',
    '<%= config.bin %> profiles add scratch --kind embedded --project-key scratch',
  ]
  static override args = {name: Args.string({required: true, ignoreStdin: true, description: 'name of the profile'})}
  static override flags = {
    ...profileFlags,
    replace: Flags.boolean({summary: 'Replace a profile of this name.'}),
  }

  async run(): Promise<void> {
    const name = checkedName(this.args.name)
    if (name === 'local') throw usage("The profile 'local' is built in.", 'Choose another name.')
    const profile = profileFrom(this.flags)
    const checkFree = (now: Profile | undefined): void => {
      if (!now || this.flags.replace) return
      throw usage(`There is a profile '${name}' already.`, 'Add --replace, or choose another name.')
    }
    const before = this.profiles.byName.get(name)
    checkFree(before)
    // Fails now if the keyring does not work, rather than at the next command.
    if (profile.secret?.from === 'keyring') await keyringSecret(accountOf(name, profile))
    const added = await this.effect({
      at: 'machine',
      plan: () => [{name, ...profile}, `would add profile ${name}`],
      act: async () => {
        changeProfile(this.folders.config, name, (now) => {
          checkFree(now)
          return profile
        })
        // The secret that `login` stored was for the profile that is replaced.
        if (before && before.secret?.from !== profile.secret?.from)
          await forgetCredentials(this.folders.config, name, before)
        return profile
      },
    })
    if (!added) return
    await this.output.answer({name, ...profile}, `added profile ${name}`)
    if (profile.kind === 'remote' && profile.secret === undefined) this.say(`Next: frontdesk login ${name}`)
  }
}
