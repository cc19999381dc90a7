import {TokenGet} from '../../../src/cli/customers/one-time-tokens.js'
import {kinds} from '../../../src/cli/customers/passwords.js'

export default class PasswordTokenGet extends TokenGet {
  static override operations = ['getCustomerByPasswordToken'] as const
  static override summary = 'Show the customer whose password a token resets'
  static override examples = ['<%= config.bin %> customers password-token get --token-file token.txt']
  protected readonly kind = kinds.password
}
