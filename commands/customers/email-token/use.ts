import {type Calls, customerReads} from '../../../src/cli/command/operations.js'
import {TokenUse, useFlags} from '../../../src/cli/customers/one-time-tokens.js'
import {kinds, verifyEmail} from '../../../src/cli/customers/passwords.js'

export default class EmailTokenUse extends TokenUse<typeof EmailTokenUse> {
  static override operations: Calls = [...customerReads, 'getCustomerByEmailToken', 'confirmEmail']
  static override summary = 'Verify an email with its token'
  static override description = 'Also invalidates all other email tokens of the customer.'
  static override examples = ['<%= config.bin %> customers email-token use --token-file token.txt']
  static override flags = useFlags
  protected readonly kind = kinds.email

  protected useInput = async () => verifyEmail
}
