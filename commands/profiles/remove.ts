import {Args} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {usage} from '../../src/cli/process/failure.js'
import {changeProfiles, profileNamed} from '../../src/cli/target/profiles.js'
import {forgetCredentials} from '../../src/cli/target/stored-secrets.js'

export default class ProfilesRemove extends BaseCommand<typeof ProfilesRemove> {
  static override shows = 'installation' as const
  static override summary = 'Remove a profile and the secret that login stored for it'
  static override description = 'Its tokens are not revoked; `logout` does that.'
  static override examples = ['<%= config.bin %> profiles remove scratch --yes']
  static override args = {name: Args.string({required: true, ignoreStdin: true, description: 'a profile'})}

  async run(): Promise<void> {
    const {name} = this.args
    if (name === 'local') throw usage("The profile 'local' is built in.", 'It cannot be removed.')
    const profile = profileNamed(this.profiles, name)
    const removed = await this.effect({
      at: 'machine',
      plan: () => [{name}, `would remove profile ${name} and what login stored for it`],
      confirm: () => this.ask.confirm(`Remove profile ${name}?`),
      act: async () => {
        await forgetCredentials(this.folders.config, name, profile)
        return changeProfiles(this.folders.config, ({current, byName}) => ({
          ...(current === undefined || current === name ? {} : {current}),
          byName: new Map([...byName].filter(([other]) => other !== name)),
        }))
      },
    })
    if (removed) await this.output.answer({removed: name}, `removed profile ${name}`)
  }
}
