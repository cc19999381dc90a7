import {Args} from '@oclif/core'
import {getMessage} from '../../src/api/project/messages.js'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {assertAll, parseAssertion} from '../../src/cli/input/assertions.js'
import {readFlags} from '../../src/cli/input/flags.js'
import {withoutValue} from '../../src/cli/messages/select.js'
import {plainView} from '../../src/cli/output/views.js'

export default class MessagesGet extends BaseCommand<typeof MessagesGet> {
  static override operations = ['getMessage'] as const
  static override summary = 'Show a message'
  static override description =
    'The value of a token is masked without --reveal value, and removed once the token has expired.'
  static override examples = ['<%= config.bin %> messages get 7d1b2c3e-0000-4000-8000-000000000000']
  static override args = {id: Args.string({required: true, ignoreStdin: true, description: 'id of a message'})}
  static override flags = {assert: readFlags.assert}

  async run(): Promise<void> {
    const assertions = (this.flags.assert ?? []).map(parseAssertion)
    const message = await (await this.client()).call(getMessage, {id: this.args.id})
    assertAll(message, assertions)
    await this.output.document(withoutValue(message, this.flags.reveal), plainView)
  }
}
