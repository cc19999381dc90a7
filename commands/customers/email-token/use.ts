import {verifyEmail} from '../../../src/cli/customers/passwords.js'
import {versionFlag} from '../../../src/cli/customers/token-flags.js'
import {writeFlags} from '../../../src/cli/flags.js'
import {tokenArgs, tokenFileFlag} from '../../../src/cli/tokens/given.js'
import {TokenCommand} from '../../../src/cli/tokens/token-command.js'
import {customerView} from '../../../src/cli/views.js'

export default class EmailTokenUse extends TokenCommand<typeof EmailTokenUse> {
  static override summary = 'Verify an email with its token'
  static override description = 'Ends all email tokens of the customer.'
  static override examples = ['<%= config.bin %> customers email-token use --token-file token.txt']
  static override args = tokenArgs
  static override flags = {...tokenFileFlag, ...versionFlag, ...writeFlags}

  async run(): Promise<void> {
    const token = await this.readToken()
    if (this.dryRun) {
      await this.output.answer({dryRun: true}, 'would verify the email')
      return
    }
    const client = await this.client()
    const customer = await this.write({actions: ['confirmEmail']}, () => verifyEmail(client, token, this.flags.version))
    await this.output.change(customer, customerView, [`verified ${customer.id}: version ${customer.version}`])
    this.say('Ended: all email tokens of the customer.')
  }
}
