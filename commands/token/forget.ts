import {BaseCommand} from '../../src/cli/command/base-command.js'
import {requiredArg} from '../../src/cli/input/flags.js'
import {checkSaved, forgetSession} from '../../src/cli/tokens/sessions.js'

export default class TokenForget extends BaseCommand<typeof TokenForget> {
  static override shows = 'installation' as const
  static override summary = 'Delete a saved session from this machine'
  static override description = 'Removes the file. The tokens stay valid until they expire or are revoked.'
  static override examples = ['<%= config.bin %> token forget ada']
  static override args = {name: requiredArg('a saved session')}

  async run(): Promise<void> {
    const {name} = this.args
    checkSaved(this.folders.cache, name)
    await this.effect({
      at: 'machine',
      plan: () => [{name}, `would forget ${name}; it would not be revoked`],
      act: async () => forgetSession(this.folders.cache, name),
    })
    if (!this.isDry) await this.output.answer({forgotten: name}, `forgot ${name}; it was not revoked`)
  }
}
