import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {plainView} from '../../src/cli/output/views.js'
import {profileFor} from '../../src/cli/target/settings.js'

const ruleFields = ['protected', 'readOnly', 'requireReason'] as const

export default class ProfilesShow extends BaseCommand<typeof ProfilesShow> {
  static override shows = 'installation' as const
  static override summary = 'Show a profile, or the settings that commands use now'
  static override description =
    '--origins shows whether each value comes from a flag, the environment, the profile or a default. Protection includes that of other profiles of the same address and project.'
  static override examples = ['<%= config.bin %> profiles show local', '<%= config.bin %> profiles show --origins']
  static override args = {name: Args.string({ignoreStdin: true, description: 'a profile; the one in use if absent'})}
  static override flags = {origins: Flags.boolean({summary: 'Show where each value comes from.'})}

  async run(): Promise<void> {
    const {name} = this.args
    if (name !== undefined) this.flags.profile = profileFor(name, this.flags)
    const {profile} = this.chosen
    if (!this.flags.origins) {
      await this.output.document({name: this.chosen.name.value, ...profile}, plainView)
      return
    }
    const {origins, target} = this.resolved
    const rules = (await this.guards()).flatMap((guard) =>
      ruleFields.flatMap((field) =>
        guard.profile[field] ? [[field, {value: 'true', origin: `profile ${guard.name}`}] as const] : [],
      ),
    )
    // The first of several profiles is the one that is named.
    const all = [...new Map([...origins, ...rules.reverse()])]
    const values = Object.fromEntries([...all].map(([field, {value, origin}]) => [field, {value, origin}]))
    const lines = all.map(([field, {value, origin}]) => `${field}  ${value}  (${origin})`)
    await this.output.answer({kind: target.kind, ...values}, [`kind  ${target.kind}`, ...lines].join('\n'))
  }
}
