import {BaseCommand} from '../../src/cli/command/base-command.js'
import {scopeRowView} from '../../src/cli/deprecations/views.js'
import {scopeRows} from '../../src/deprecations/list.js'

export default class DeprecationsScopes extends BaseCommand<typeof DeprecationsScopes> {
  static override shows = 'installation' as const
  static override summary = 'List the scopes whose permissions the API changed'
  static override description =
    'Every scope is followed by :{projectKey}. The scope manage_project still permits everything but API clients.'
  static override examples = ['<%= config.bin %> deprecations scopes', '<%= config.bin %> deprecations scopes -o csv']

  async run(): Promise<void> {
    const results = scopeRows()
    await this.output.page({count: results.length, results}, scopeRowView)
  }
}
