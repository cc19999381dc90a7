import {BaseCommand} from '../../src/cli/command/base-command.js'
import {messageReads} from '../../src/cli/command/operations.js'
import {checkCount, parseCountRange} from '../../src/cli/input/assertions.js'
import {queryFlags} from '../../src/cli/input/flags.js'
import {selectedMessages} from '../../src/cli/messages/page.js'
import {withoutValue} from '../../src/cli/messages/query.js'
import {selectFlags} from '../../src/cli/messages/select.js'
import {messageView} from '../../src/cli/output/views.js'

const {all: _, assert: __, ...flags} = queryFlags

export default class MessagesList extends BaseCommand<typeof MessagesList> {
  static override operations = messageReads
  static override summary = 'List messages, newest first'
  static override description =
    'The project keeps messages for 15 days by default. Values of tokens are masked without --reveal value.'
  static override examples = [
    '<%= config.bin %> messages list --resource key=ada -n 10',
    '<%= config.bin %> messages list --type CustomerEmailChanged --type CustomerEmailVerified',
  ]
  static override flags = {...flags, ...selectFlags}

  async run(): Promise<void> {
    const range = this.flags['expect-count'] === undefined ? undefined : parseCountRange(this.flags['expect-count'])
    const client = await this.client()
    const page = await selectedMessages(client, this.flags, this.resolved)
    if (range) checkCount(page.total ?? page.count, range)
    const results = page.results.map((message) => withoutValue(message, this.flags.reveal))
    await this.output.list({...page, results}, messageView, '--limit and --offset show more.')
  }
}
