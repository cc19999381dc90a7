import {type Calls, customerReads} from '../../../src/cli/command/operations.js'
import {customerOfEmailToken, verifyEmail, versionFlag} from '../../../src/cli/customers/passwords.js'
import {verifiedEmail} from '../../../src/cli/customers/settlements.js'
import {writeFlags} from '../../../src/cli/input/flags.js'
import {customerView, personOf} from '../../../src/cli/output/views.js'
import {TokenCommand} from '../../../src/cli/tokens/token-command.js'
import {tokenArgs, tokenFileFlag} from '../../../src/cli/tokens/token-input.js'

export default class EmailTokenUse extends TokenCommand<typeof EmailTokenUse> {
  static override operations: Calls = [...customerReads, 'getCustomerByEmailToken', 'confirmEmail']
  static override summary = 'Verify an email with its token'
  static override description = 'Also invalidates all other email tokens of the customer.'
  static override examples = ['<%= config.bin %> customers email-token use --token-file token.txt']
  static override args = tokenArgs
  static override flags = {...tokenFileFlag, ...versionFlag, ...writeFlags}

  async run(): Promise<void> {
    const token = await this.readToken()
    const customer = await this.effect({
      at: 'target',
      plan: () => [{}, 'would verify the email'],
      act: async (write) => {
        const client = await this.client()
        // Read first: a used token no longer identifies its customer.
        const before = await customerOfEmailToken(client, token)
        return write({
          target: before.id,
          actions: ['confirmEmail'],
          versionBefore: before.version,
          request: () => verifyEmail(client, token, this.flags.version),
          settle: verifiedEmail({client, before, look: this.commandLine(['customers', 'card', before.id])}),
        })
      },
    })
    if (!customer) return
    const person = personOf(this.output.masked(customer))
    await this.output.change(customer, customerView, [`verified ${person}: version ${customer.version}`])
    this.say('Ended: all email tokens of the customer.')
  }
}
