import {type Calls, customerReads} from '../../../src/cli/command/operations.js'
import {customerOfPasswordToken, resetPassword, versionFlag} from '../../../src/cli/customers/passwords.js'
import {newPassword} from '../../../src/cli/customers/settlements.js'
import {writeFlags} from '../../../src/cli/input/flags.js'
import {newPasswordFlags, secretOf} from '../../../src/cli/input/secret-inputs.js'
import {customerView, personOf} from '../../../src/cli/output/views.js'
import {usage} from '../../../src/cli/process/failure.js'
import {TokenCommand} from '../../../src/cli/tokens/token-command.js'
import {tokenArgs, tokenFileFlag} from '../../../src/cli/tokens/token-input.js'

export default class PasswordTokenUse extends TokenCommand<typeof PasswordTokenUse> {
  static override operations: Calls = [...customerReads, 'getCustomerByPasswordToken', 'resetCustomerPassword']
  static override summary = 'Set a new password with a reset token'
  static override description =
    'Invalidates all reset tokens and ends all sessions of the customer. If the password is refused, the token can still be used.'
  static override examples = [
    '<%= config.bin %> customers password-token use --token-file token.txt --new-password-file secret.txt',
  ]
  static override args = tokenArgs
  static override flags = {...tokenFileFlag, ...newPasswordFlags, ...versionFlag, ...writeFlags}

  async run(): Promise<void> {
    const {flags} = this
    if (this.args.source === '-' && flags['new-password-stdin']) {
      throw usage('Only one secret can come from stdin.', 'Use a file for the other.')
    }
    const tokenValue = await this.readToken()
    const chosen = await secretOf(this, 'new-password', 'New password:', {twice: true})
    const customer = await this.effect({
      at: 'target',
      plan: () => [{}, 'would set a new password'],
      act: async (write) => {
        const client = await this.client()
        // Read first: a used token no longer identifies its customer.
        const before = await customerOfPasswordToken(client, tokenValue)
        return write({
          target: before.id,
          actions: ['resetPassword'],
          versionBefore: before.version,
          request: () => resetPassword(client, {tokenValue, newPassword: chosen, version: flags.version}),
          settle: newPassword({client, before, look: this.commandLine(['customers', 'card', before.id])}),
        })
      },
    })
    if (!customer) return
    const person = personOf(this.output.masked(customer))
    await this.output.change(customer, customerView, [`password set for ${person}: version ${customer.version}`])
    this.say('Ended: all sessions of the customer and all reset tokens.')
  }
}
