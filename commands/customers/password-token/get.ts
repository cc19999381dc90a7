import {customerOfPasswordToken} from '../../../src/cli/customers/passwords.js'
import {expandFlags} from '../../../src/cli/input/flags.js'
import {customerView} from '../../../src/cli/output/views.js'
import {TokenCommand} from '../../../src/cli/tokens/token-command.js'
import {tokenArgs, tokenFileFlag} from '../../../src/cli/tokens/token-input.js'

export default class PasswordTokenGet extends TokenCommand<typeof PasswordTokenGet> {
  static override operations = ['getCustomerByPasswordToken'] as const
  static override summary = 'Show the customer whose password a token resets'
  static override description =
    'Ends with code 3 for a token that is unknown or used, and with 4 for one that has expired.'
  static override examples = ['<%= config.bin %> customers password-token get --token-file token.txt']
  static override args = tokenArgs
  static override flags = {...tokenFileFlag, ...expandFlags}

  async run(): Promise<void> {
    const token = await this.readToken()
    await this.output.document(
      await customerOfPasswordToken(await this.client(), token, this.flags.expand),
      customerView,
    )
  }
}
