import {Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {writeFlags} from '../../src/cli/command/flags.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {inStoreOf} from '../../src/cli/customers/in-store.js'
import {emailTokenFor, type OneTimeToken, verifyEmail} from '../../src/cli/customers/passwords.js'
import {personOf} from '../../src/cli/customers/person.js'
import {oneTimeToken, verifiedEmail} from '../../src/cli/customers/settlements.js'
import {emailTokenMinutes, lifetimeFlags, lifetimeOf} from '../../src/cli/customers/token-flags.js'
import {parseRef, refArg} from '../../src/cli/input/refs.js'
import {customerTokenView, customerView} from '../../src/cli/output/views.js'

export default class CustomersVerifyEmail extends BaseCommand<typeof CustomersVerifyEmail> {
  static override operations: Calls = [...customerReads, 'createEmailToken', 'getCustomerByEmailToken', 'confirmEmail']
  static override summary = 'Mark a customer’s email as verified, or create the token that verifies it'
  static override description =
    'Creates an email token and confirms it at once. With --send-only the token is only shown, for you to send.'
  static override examples = [
    '<%= config.bin %> customers verify-email key=ada',
    '<%= config.bin %> customers verify-email ada@example.com --send-only --ttl 7d',
  ]
  static override args = {ref: refArg('a customer')}
  static override flags = {
    ...lifetimeFlags,
    'send-only': Flags.boolean({summary: 'Only create the token, so that the customer can confirm it.'}),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const ref = parseRef(this.args.ref)
    const lifetime = {ttlMinutes: emailTokenMinutes, ...lifetimeOf(this.flags)}
    const client = await this.client()
    const customer = await customerOf(client, ref, {asking: this.asking})
    const sendOnly = this.flags['send-only']
    if (customer.isEmailVerified && !sendOnly) {
      await this.output.change(customer, customerView, [`unchanged ${customer.id}: the email is verified already`])
      return
    }
    if (this.dryRun) {
      const what = sendOnly ? `create an email token for ${customer.id}` : `verify the email of ${customer.id}`
      await this.output.answer({dryRun: true, id: customer.id}, `would ${what}`)
      return
    }
    const storeClient = inStoreOf(client, customer, (text) => this.say(text))
    const look = this.commandLine(['customers', 'card', customer.id], storeClient.storeKey)
    const intent = {target: customer.id, versionBefore: customer.version}
    const ttlMinutes = lifetime.ttlMinutes ?? emailTokenMinutes
    const token = await this.write({
      ...intent,
      actions: ['createEmailToken'],
      request: () => emailTokenFor(storeClient, customer, {...lifetime, ttlMinutes}),
      settle: oneTimeToken<OneTimeToken>(look),
    })
    const person = personOf(this.output.masked(customer))
    if (sendOnly) {
      await this.output.document(token, customerTokenView)
      this.say(`Send the token to ${person}; it is shown only once.`)
      return
    }
    const after = await this.write({
      ...intent,
      actions: ['confirmEmail'],
      request: () => verifyEmail(storeClient, token.value),
      settle: verifiedEmail({client, before: customer, look}),
    })
    await this.output.change(after, customerView, [
      `verified ${after.id}: version ${customer.version} → ${after.version}, ${person}`,
    ])
    this.say('Ended: all email tokens of the customer.')
  }
}
