import {TokenGet} from '../../../src/cli/customers/one-time-tokens.js'
import {kinds} from '../../../src/cli/customers/passwords.js'

export default class EmailTokenGet extends TokenGet {
  static override operations = ['getCustomerByEmailToken'] as const
  static override summary = 'Show the customer whose email a token verifies'
  static override examples = ['<%= config.bin %> customers email-token get --token-file token.txt']
  protected readonly kind = kinds.email
}
