import {Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {writeFlags} from '../../src/cli/command/flags.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {inStoreOf} from '../../src/cli/customers/in-store.js'
import {type OneTimeToken, passwordTokenFor, resetPassword} from '../../src/cli/customers/passwords.js'
import {personOf} from '../../src/cli/customers/person.js'
import {newPassword, oneTimeToken} from '../../src/cli/customers/settlements.js'
import {lifetimeFlags, lifetimeOf} from '../../src/cli/customers/token-flags.js'
import {parseRef, refArg} from '../../src/cli/input/refs.js'
import {customerTokenView, customerView} from '../../src/cli/output/views.js'
import {newPasswordFlags} from '../../src/cli/secrets/secret-inputs.js'

export default class CustomersResetPassword extends BaseCommand<typeof CustomersResetPassword> {
  static override operations: Calls = [
    ...customerReads,
    'createPasswordToken',
    'getCustomerByPasswordToken',
    'resetCustomerPassword',
  ]
  static override summary = 'Create a password reset token for a customer, or set a new password'
  static override description =
    'Creates a reset token and shows it with its expiry. The password stays the same until the token is used. With --set, a new password is set at once.'
  static override examples = [
    '<%= config.bin %> customers reset-password ada@example.com --ttl 60m --invalidate-older',
    '<%= config.bin %> customers reset-password key=ada --set --new-password-file secret.txt --ticket CS-17',
  ]
  static override args = {ref: refArg('a customer')}
  static override flags = {
    ...lifetimeFlags,
    set: Flags.boolean({summary: 'Set a new password now.'}),
    ...newPasswordFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const ref = parseRef(this.args.ref)
    const lifetime = lifetimeOf(this.flags)
    const chosen = this.flags.set
      ? await this.secret('new-password', 'New password of the customer:', {twice: true})
      : undefined
    const client = await this.client()
    const customer = await customerOf(client, ref, {asking: this.asking})
    if (this.dryRun) {
      const what = this.flags.set ? 'set a new password of' : 'create a reset token for'
      await this.output.answer({dryRun: true, id: customer.id, set: this.flags.set}, `would ${what} ${customer.id}`)
      return
    }
    const storeClient = inStoreOf(client, customer, (text) => this.say(text))
    const look = this.commandLine(['customers', 'card', customer.id], storeClient.storeKey)
    const intent = {target: customer.id, versionBefore: customer.version}
    const token = await this.write({
      ...intent,
      actions: ['createPasswordToken'],
      request: () => passwordTokenFor(storeClient, customer, lifetime),
      settle: oneTimeToken<OneTimeToken>(look),
    })
    const person = personOf(this.output.masked(customer))
    if (chosen === undefined) {
      await this.output.document(token, customerTokenView)
      this.say(`Send the token to ${person}; it is shown only once. Using it ends all sessions of the customer.`)
      return
    }
    const after = await this.write({
      ...intent,
      actions: ['resetPassword'],
      request: () => resetPassword(storeClient, {tokenValue: token.value, newPassword: chosen}),
      settle: newPassword({client, before: customer, look}),
    })
    await this.output.change(after, customerView, [
      `password set for ${after.id}: version ${customer.version} → ${after.version}, ${person}`,
    ])
    this.say('Ended: all sessions of the customer and all reset tokens. Next: let the customer sign in and change it.')
  }
}
