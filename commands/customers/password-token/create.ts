import {type Calls, customerReads} from '../../../src/cli/command/operations.js'
import {TokenCreate} from '../../../src/cli/customers/one-time-tokens.js'
import {kinds} from '../../../src/cli/customers/passwords.js'

export default class PasswordTokenCreate extends TokenCreate {
  static override operations: Calls = [...customerReads, 'createPasswordToken']
  static override summary = 'Create a token that resets a password'
  static override examples = [
    '<%= config.bin %> customers password-token create key=ada --ttl 60m --show-secret --json',
  ]
  protected readonly kind = kinds.password
}
