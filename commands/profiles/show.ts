import {BaseCommand} from '../../src/cli/command/base-command.js'
import {optionalArg} from '../../src/cli/input/flags.js'
import {plainView} from '../../src/cli/output/views.js'
import {profileFor} from '../../src/cli/target/settings.js'

export default class ProfilesShow extends BaseCommand<typeof ProfilesShow> {
  static override shows = 'installation' as const
  static override summary = 'Show a profile as it is stored'
  static override description =
    'A profile holds no secret, only where it is. `whoami --origins` shows what commands use, flags and variables included.'
  static override examples = ['<%= config.bin %> profiles show local']
  static override args = {name: optionalArg('a profile; the one in use if absent')}

  async run(): Promise<void> {
    const {name} = this.args
    if (name !== undefined) this.flags.profile = profileFor(name, this.flags)
    await this.output.document({name: this.chosen.name.value, ...this.chosen.profile}, plainView)
  }
}
