import {Args} from '@oclif/core'
import {BaseCommand} from '../../src/cli/base-command.js'
import {forgetSession} from '../../src/cli/tokens/sessions.js'

export default class TokenForget extends BaseCommand<typeof TokenForget> {
  static override summary = 'Forget a saved session'
  static override description = 'Removes the file; the tokens stay valid until they end or are revoked.'
  static override examples = ['<%= config.bin %> token forget ada']
  static override args = {name: Args.string({required: true, ignoreStdin: true, description: 'a saved session'})}

  async run(): Promise<void> {
    forgetSession(this.folders.cache, this.args.name)
    await this.output.answer({forgotten: this.args.name}, `forgot ${this.args.name}; it was not revoked`)
  }
}
