import {BaseCommand} from '../../src/cli/command/base-command.js'
import {messageTypes} from '../../src/cli/messages/types.js'
import {messageTypeView} from '../../src/cli/output/views.js'

export default class MessagesTypes extends BaseCommand<typeof MessagesTypes> {
  static override summary = 'List the types of messages and what produces them'
  static override description = 'Shows the operations and update actions that produce each type.'
  static override examples = ['<%= config.bin %> messages types']

  async run(): Promise<void> {
    const results = await messageTypes()
    await this.output.page({count: results.length, results}, messageTypeView)
  }
}
