import {BaseCommand} from '../../src/cli/command/base-command.js'
import {scopesOfAll, scopesOfNamed, scopesView} from '../../src/cli/command/scopes.js'
import {optionalArg} from '../../src/cli/input/flags.js'

export default class TokenScopes extends BaseCommand<typeof TokenScopes> {
  static override shows = 'installation' as const
  static override summary = 'Show which scopes a command needs'
  static override description =
    'Without a command, lists all. A topic stands for all its commands together. manage_x opens what takes view_x, and manage_project all but API clients; `token issue --for` needs the scopes themselves.'
  static override examples = ['<%= config.bin %> token scopes "customers update"']
  static override args = {command: optionalArg('words of a command, quoted')}

  async run(): Promise<void> {
    const {command} = this.args
    const results = command === undefined ? await scopesOfAll(this.config) : [await scopesOfNamed(command, this.config)]
    await this.output.page({count: results.length, results}, scopesView)
  }
}
