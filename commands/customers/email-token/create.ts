import {BaseCommand} from '../../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../../src/cli/command/operations.js'
import {customerOf, inStoreOf} from '../../../src/cli/customers/calls.js'
import {
  emailTokenFor,
  emailTokenMinutes,
  lifetimeFlags,
  lifetimeOf,
  type OneTimeToken,
} from '../../../src/cli/customers/passwords.js'
import {oneTimeToken} from '../../../src/cli/customers/settlements.js'
import {writeFlags} from '../../../src/cli/input/flags.js'
import {parseRef, refArg} from '../../../src/cli/input/refs.js'
import {checkSecretOutput, secretOutputFlags, shownResult} from '../../../src/cli/input/secret-output.js'
import {customerTokenView} from '../../../src/cli/output/views.js'

export default class EmailTokenCreate extends BaseCommand<typeof EmailTokenCreate> {
  static override operations: Calls = [...customerReads, 'createEmailToken']
  static override summary = 'Create a token that verifies an email'
  static override description =
    'The token is valid for a day unless --ttl sets another time. Its value is shown only once, in a pipe with --show-secret.'
  static override examples = ['<%= config.bin %> customers email-token create key=ada --ttl 7d --show-secret --json']
  static override args = {ref: refArg('a customer')}
  static override flags = {...lifetimeFlags, ...secretOutputFlags('token'), ...writeFlags}

  async run(): Promise<void> {
    const ref = parseRef(this.args.ref)
    const {ttlMinutes = emailTokenMinutes, ...rest} = lifetimeOf(this.flags)
    checkSecretOutput(this, 'stdout')
    const client = await this.client()
    const customer = await customerOf(client, ref, {asking: this.asking})
    const storeClient = inStoreOf(client, customer, (text) => this.say(text))
    const token = await this.effect({
      at: 'target',
      plan: () => [{id: customer.id, ttlMinutes}, `would create an email token for ${customer.id}`],
      act: async (write) => {
        const created = await write({
          target: customer.id,
          actions: ['createEmailToken'],
          versionBefore: customer.version,
          request: () => emailTokenFor(storeClient, customer, {...rest, ttlMinutes}),
          settle: oneTimeToken<OneTimeToken>(
            this.commandLine(['customers', 'card', customer.id], storeClient.storeKey),
          ),
        })
        return shownResult(created, created.value, ['value'], this)
      },
    })
    if (token) await this.output.document(token, customerTokenView)
  }
}
