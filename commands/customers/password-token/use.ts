import {type Calls, customerReads} from '../../../src/cli/command/operations.js'
import {TokenUse, useFlags} from '../../../src/cli/customers/one-time-tokens.js'
import {kinds, resetPassword, type TokenUse as Use} from '../../../src/cli/customers/passwords.js'
import {newPasswordFlags, secretOf} from '../../../src/cli/input/secret-inputs.js'
import {usage} from '../../../src/cli/process/failure.js'
import {tokenFileFlag} from '../../../src/cli/tokens/token-input.js'
import type {Client} from '../../../src/client/client.js'

export default class PasswordTokenUse extends TokenUse<typeof PasswordTokenUse> {
  static override operations: Calls = [...customerReads, 'getCustomerByPasswordToken', 'resetCustomerPassword']
  static override summary = 'Set a new password with a reset token'
  static override description =
    'Invalidates all reset tokens and ends all sessions of the customer. If the password is refused, the token can still be used.'
  static override examples = [
    '<%= config.bin %> customers password-token use --token-file token.txt --new-password-file secret.txt',
  ]
  static override flags = {...tokenFileFlag, ...newPasswordFlags, ...useFlags}
  protected readonly kind = kinds.password

  override async run(): Promise<void> {
    if (this.args.source === '-' && this.flags['new-password-stdin']) {
      throw usage('Only one secret can come from stdin.', 'Use a file for the other.')
    }
    await super.run()
  }

  protected async useInput() {
    const newPassword = await secretOf(this, 'new-password', 'New password:', {twice: true})
    return (client: Client, use: Use) => resetPassword(client, {...use, newPassword})
  }
}
