import {BaseCommand} from '../../src/cli/command/base-command.js'
import {requiredArg} from '../../src/cli/input/flags.js'
import {changeProfiles, profileNamed} from '../../src/cli/target/profiles.js'

export default class ProfilesUse extends BaseCommand<typeof ProfilesUse> {
  static override shows = 'installation' as const
  static override summary = 'Choose the profile that commands use by default'
  static override description = 'The flag --profile and the variable FRONTDESK_PROFILE take precedence.'
  static override examples = ['<%= config.bin %> profiles use local']
  static override args = {name: requiredArg('a profile')}

  async run(): Promise<void> {
    const {name} = this.args
    profileNamed(this.profiles, name)
    const used = await this.effect({
      at: 'machine',
      plan: () => [{current: name}, `Commands would use profile ${name}.`],
      act: async () =>
        changeProfiles(this.folders.config, (profiles) => {
          profileNamed(profiles, name)
          return {...profiles, current: name}
        }),
    })
    if (used) await this.output.answer({current: name}, `Commands now use profile ${name}.`)
  }
}
