import {BaseCommand} from '../../src/cli/command/base-command.js'
import {profileView} from '../../src/cli/target/profiles.js'

export default class ProfilesList extends BaseCommand<typeof ProfilesList> {
  static override shows = 'installation' as const
  static override summary = 'List the profiles'
  static override description = 'The built-in profile `local` is embedded and needs no configuration.'
  static override examples = ['<%= config.bin %> profiles list']

  async run(): Promise<void> {
    const current = this.chosen.name.value
    const results = [...this.profiles.byName].map(([name, profile]) => ({
      name,
      ...profile,
      current: name === current ? '*' : '',
      writes: profile.readOnly ? 'refused' : profile.protected ? 'protected' : 'allowed',
    }))
    await this.output.page({count: results.length, results}, profileView)
  }
}
