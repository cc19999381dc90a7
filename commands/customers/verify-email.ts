import {Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {type Client, type Customer, customerOf, inStoreOf} from '../../src/cli/customers/calls.js'
import {
  emailTokenFor,
  emailTokenMinutes,
  lifetimeFlags,
  lifetimeOf,
  type OneTimeToken,
  sendText,
  type TokenOptions,
  verifyEmail,
} from '../../src/cli/customers/passwords.js'
import {oneTimeToken, verifiedEmail} from '../../src/cli/customers/settlements.js'
import {type Change, each, failedLines, showChanges} from '../../src/cli/customers/several.js'
import {writeFlags} from '../../src/cli/input/flags.js'
import {parseRefs, type Ref, refsArg, refText} from '../../src/cli/input/refs.js'
import {checkSecretOutput, secretOutputFlags, shownResult} from '../../src/cli/input/secret-output.js'
import {customerTokenView, customerView, personOf} from '../../src/cli/output/views.js'
import {usage} from '../../src/cli/process/failure.js'
import type {Writer} from '../../src/cli/safety/door.js'
import {defined} from '../../src/domain/equal.js'
import {linkWith} from '../../src/domain/token-link.js'

export default class CustomersVerifyEmail extends BaseCommand<typeof CustomersVerifyEmail> {
  static override operations: Calls = [...customerReads, 'createEmailToken', 'getCustomerByEmailToken', 'confirmEmail']
  static override summary = 'Mark an email as verified, or create the token that verifies it'
  static override description =
    'Creates an email token and confirms it at once. With --send-only it only shows the token for you to send, as a link if the profile has a verifyLink. Takes several customers, or - to read them from stdin.'
  static override examples = [
    '<%= config.bin %> customers verify-email key=ada',
    '<%= config.bin %> customers verify-email ada@example.com --send-only --ttl 7d',
    "<%= config.bin %> customers query -w 'isEmailVerified = false' -o ids | <%= config.bin %> customers verify-email -",
  ]
  static override args = {ref: refsArg('a customer')}
  static override flags = {
    ...lifetimeFlags,
    'send-only': Flags.boolean({summary: 'Only create the token, so that the customer can confirm it.'}),
    ...secretOutputFlags('token', {dependsOn: ['send-only']}),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const refs = await parseRefs(this.args.ref, this.io)
    const lifetime = lifetimeOf(this.flags, emailTokenMinutes)
    const sendOnly = this.flags['send-only']
    if (sendOnly) checkSecretOutput(this, 'stdout')
    if (this.flags['secret-out'] !== undefined && refs.length > 1) {
      throw usage('--secret-out takes one customer.', 'Without it, each gets a token of their own.')
    }
    const client = await this.client()
    const all = (act: (customer: Customer) => Promise<Change>) =>
      each(refs, refText, async (ref) => {
        const customer = await customerOf(client, ref, {asking: this.asking})
        const isDone = customer.isEmailVerified && !sendOnly
        return isDone
          ? {
              document: customer,
              line: `unchanged ${personOf(this.output.masked(customer))}: the email is verified already`,
            }
          : act(customer)
      })
    const done = await this.effect({
      at: 'target',
      plan: async () => {
        const {results, failed} = await all(async ({id}) => ({
          document: {dryRun: true, id},
          line: sendOnly ? `would create an email token for ${id}` : `would verify the email of ${id}`,
        }))
        for (const line of failedLines(failed)) this.stderr(line)
        if (failed.length > 0) this.endWith('partial')
        const documents = results.map(({document}) => document as object)
        const [only] = documents
        return [
          only && refs.length === 1 ? only : {results: documents, failed},
          results.map(({line}) => line).join('\n'),
        ]
      },
      act: (write) => all((customer) => this.#verified(write, client, customer, lifetime)),
    })
    if (!done) return
    if (sendOnly) await this.#showTokens(done)
    else await showChanges(this.output, done, customerView)
    for (const line of failedLines(done.failed)) this.stderr(line)
    if (done.failed.length > 0) this.endWith('partial')
  }

  async #showTokens({results: changes, failed}: Awaited<ReturnType<typeof each<Ref, Change>>>): Promise<void> {
    const results = changes.map(({document}) => document)
    if (results.length + failed.length === 1) await this.output.document(results[0], customerTokenView)
    else await this.output.page({count: results.length, results, failed}, customerTokenView)
  }

  /** Creates the token and, unless it is only to be sent, confirms the email with it. */
  async #verified(write: Writer, client: Client, customer: Customer, lifetime: TokenOptions): Promise<Change> {
    const storeClient = inStoreOf(client, customer, (text) => this.say(text))
    const look = this.commandLine(['customers', 'card', customer.id], storeClient.storeKey)
    const intent = {target: customer.id, versionBefore: customer.version}
    const token = await write({
      ...intent,
      actions: ['createEmailToken'],
      request: () => emailTokenFor(storeClient, customer, lifetime),
      settle: oneTimeToken<OneTimeToken>(look),
    })
    const person = personOf(this.output.masked(customer))
    if (this.flags['send-only']) {
      const link = linkWith(this.resolved.profile.verifyLink, token.value)
      if (this.flags['secret-out'] === undefined) this.say(sendText('verifyLink', link, person))
      const document = shownResult({...token, ...defined({link})}, token.value, ['value', 'link'], this)
      return {document, line: ''}
    }
    const after = await write({
      ...intent,
      actions: ['confirmEmail'],
      request: () => verifyEmail(storeClient, {tokenValue: token.value}),
      settle: verifiedEmail({client, before: customer, look}),
    })
    this.say('Ended: all email tokens of the customer.')
    return {document: after, line: `verified ${person}: version ${customer.version} → ${after.version}`}
  }
}
