import {changeCustomerPassword} from '../../src/api/accounts/passwords.js'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf, inStoreOf} from '../../src/cli/customers/calls.js'
import {versionFlag} from '../../src/cli/customers/passwords.js'
import {newPassword} from '../../src/cli/customers/settlements.js'
import {writeFlags} from '../../src/cli/input/flags.js'
import {parseRef, refArg} from '../../src/cli/input/refs.js'
import {newPasswordFlags, secretFlags, secretOf} from '../../src/cli/input/secret-inputs.js'
import {customerView, personOf} from '../../src/cli/output/views.js'
import {usage} from '../../src/cli/process/failure.js'

export default class CustomersChangePassword extends BaseCommand<typeof CustomersChangePassword> {
  static override operations: Calls = [...customerReads, 'changeCustomerPassword']
  static override summary = 'Change a password by giving the current one'
  static override description =
    'A wrong current password counts as a failed sign-in. If the current password is not known, use `customers reset-password`.'
  static override examples = [
    '<%= config.bin %> customers change-password key=ada --current-password-file old.txt --new-password-file new.txt',
  ]
  static override args = {ref: refArg('a customer')}
  static override flags = {
    ...secretFlags('current-password', 'current password'),
    ...{...newPasswordFlags, ...versionFlag, ...writeFlags},
  }

  async run(): Promise<void> {
    const ref = parseRef(this.args.ref)
    const {flags} = this
    if (flags['current-password-stdin'] && flags['new-password-stdin']) {
      throw usage('Only one password can come from stdin.', 'Use a file for the other.')
    }
    const currentPassword = await secretOf(this, 'current-password', 'Current password:')
    const chosen = await secretOf(this, 'new-password', 'New password:', {twice: true})
    const client = await this.client()
    const before = await customerOf(client, ref, {asking: this.asking})
    const {id} = before
    const version = flags.version ?? before.version
    const storeClient = inStoreOf(client, before, (text) => this.say(text))
    const look = this.commandLine(['customers', 'card', id], storeClient.storeKey)
    const after = await this.effect({
      plan: () => [{id, version}, `would change the password of ${id} at version ${version}`],
      target: id,
      actions: ['changePassword'],
      versionBefore: version,
      request: () =>
        storeClient.call(changeCustomerPassword, {}, {body: {id, version, currentPassword, newPassword: chosen}}),
      settle: newPassword({client, before, look}),
    })
    if (!after) return
    await this.output.change(after, customerView, [
      `password changed for ${personOf(this.output.masked(after))}: version ${version} → ${after.version}`,
    ])
    this.say('The local server has ended the customer’s other sessions; elsewhere this depends on the project.')
  }
}
