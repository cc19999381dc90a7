import {Args} from '@oclif/core'
import {BaseCommand} from '../../src/cli/base-command.js'
import {neededScopes, scopesOf} from '../../src/cli/tokens/issue.js'
import {scopesView} from '../../src/cli/views.js'

export default class TokenScopes extends BaseCommand<typeof TokenScopes> {
  static override summary = 'Tell which scopes a command needs'
  static override description =
    'Without a command, all of them. manage_project has every scope, and manage_x has view_x.'
  static override examples = ['<%= config.bin %> token scopes "customers update"']
  static override args = {command: Args.string({ignoreStdin: true, description: 'words of a command, quoted'})}

  async run(): Promise<void> {
    const {command} = this.args
    const rows =
      command === undefined ? [...neededScopes] : [[command, scopesOf(command, this.config.commandIDs)] as const]
    const results = rows.map(([name, scopes]) => ({command: name, scopes}))
    await this.output.page({count: results.length, results}, scopesView)
  }
}
