import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {plainView} from '../../src/cli/output/views.js'
import {profileNamed} from '../../src/cli/target/profiles.js'
import {resolveTarget} from '../../src/cli/target/target.js'

export default class ProfilesShow extends BaseCommand<typeof ProfilesShow> {
  static override shows = 'installation' as const
  static override summary = 'Show a profile, or the settings that commands use now'
  static override description =
    'With --origins it says where each value comes from: flag, environment, profile or default.'
  static override examples = ['<%= config.bin %> profiles show local', '<%= config.bin %> profiles show --origins']
  static override args = {name: Args.string({ignoreStdin: true, description: 'a profile; the one in use if absent'})}
  static override flags = {origins: Flags.boolean({summary: 'Say where each value comes from.'})}

  async run(): Promise<void> {
    const {name} = this.args
    const chosen = name === undefined ? this.chosen : {...this.chosen, name: {value: name, origin: 'argument'}}
    const profile = profileNamed(this.profiles, chosen.name.value)
    if (!this.flags.origins) {
      await this.output.document({name: chosen.name.value, ...profile}, plainView)
      return
    }
    const {flags, io, folders} = this
    const {origins, target} = resolveTarget({flags, env: io.env, folders, chosen: {...chosen, profile}})
    const own = (['clientId', 'secret', 'protected', 'readOnly', 'requireReason', 'redact'] as const).flatMap(
      (field) => {
        const value = profile[field]
        const shown = typeof value === 'object' ? value.from : value
        return shown === undefined || origins.has(field)
          ? []
          : [[field, {value: String(shown), origin: `profile ${chosen.name.value}`}] as const]
      },
    )
    const all = [...origins, ...own]
    const values = Object.fromEntries([...all].map(([field, {value, origin}]) => [field, {value, origin}]))
    const lines = all.map(([field, {value, origin}]) => `${field}  ${value}  (${origin})`)
    await this.output.answer({kind: target.kind, ...values}, [`kind  ${target.kind}`, ...lines].join('\n'))
  }
}
