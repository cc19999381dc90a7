import {BaseCommand} from '../../src/cli/command/base-command.js'
import {scopeListing} from '../../src/cli/deprecations/catalogue.js'
import {scopeRowView} from '../../src/cli/deprecations/views.js'

export default class DeprecationsScopes extends BaseCommand<typeof DeprecationsScopes> {
  static override shows = 'installation' as const
  static override summary = 'List the scopes that no longer open what they did'
  static override description = 'Every scope carries the suffix :{projectKey}. manage_project still opens everything.'
  static override examples = ['<%= config.bin %> deprecations scopes', '<%= config.bin %> deprecations scopes -o csv']

  async run(): Promise<void> {
    await this.output.page(scopeListing(), scopeRowView)
  }
}
