import {type Calls, customerReads} from '../../../src/cli/command/operations.js'
import {TokenCreate} from '../../../src/cli/customers/one-time-tokens.js'
import {kinds} from '../../../src/cli/customers/passwords.js'

export default class EmailTokenCreate extends TokenCreate {
  static override operations: Calls = [...customerReads, 'createEmailToken']
  static override summary = 'Create a token that verifies an email'
  static override examples = ['<%= config.bin %> customers email-token create key=ada --ttl 7d --show-secret --json']
  protected readonly kind = kinds.email
}
