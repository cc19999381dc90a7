import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {TokenMaker} from '../../src/cli/customers/one-time-tokens.js'
import {kinds, lifetimeFlags, lifetimeOf, verifyEmail} from '../../src/cli/customers/passwords.js'
import type {SeveralResult} from '../../src/cli/customers/several.js'
import {switchFlag, writeFlags} from '../../src/cli/input/flags.js'
import {parseRefs, refsArg} from '../../src/cli/input/refs.js'
import {checkSecretOutput, secretOutputFlags} from '../../src/cli/input/secret-output.js'
import {withoutModel} from '../../src/cli/output/view.js'
import {customerView, personOf} from '../../src/cli/output/views.js'
import type {Customer} from '../../src/domain/customers/customer.js'

/** The customer as it is afterwards, and a line about it. */
type Change = readonly [document: Customer, line: string]

export default class CustomersVerifyEmail extends TokenMaker<typeof CustomersVerifyEmail> {
  static override operations: Calls = [
    ...customerReads,
    'createEmailToken',
    'confirmEmail',
    {operations: ['queryMessages']},
  ]
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
    'send-only': switchFlag('Only create the token, so that the customer can confirm it.'),
    ...secretOutputFlags('token', {dependsOn: ['send-only']}),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const refs = await parseRefs(this.args.ref, this.io)
    const lifetime = lifetimeOf(this.flags, kinds.email.minutes)
    if (this.flags['send-only']) {
      checkSecretOutput(this, 'stdout')
      await this.forEachCustomer({
        refs,
        plan: ({id}) => [{dryRun: true, id}, `would create an email token for ${id}`],
        act: (write, customer) => this.toSend(write, customer, kinds.email, lifetime),
        show: (done) => this.showTokens(done),
      })
      return
    }
    await this.forEachCustomer({
      refs,
      plan: (customer) =>
        this.#alreadyVerified(customer) ?? [
          {dryRun: true, id: customer.id},
          `would verify the email of ${customer.id}`,
        ],
      act: async (write, customer) => {
        const known = this.#alreadyVerified(customer)
        if (known) return known
        const change = await this.madeAndSpent(write, customer, kinds.email, lifetime, verifyEmail)
        this.say(kinds.email.lines[2])
        return change
      },
      show: (done) => this.#show(done),
    })
  }

  #alreadyVerified(customer: Customer): Change | undefined {
    if (!customer.isEmailVerified) return undefined
    return [customer, `unchanged ${personOf(this.output.masked(customer))}: the email is verified already`]
  }

  /** The one document, or all as a page with what failed; for people the lines. */
  async #show({results: changes, failed}: SeveralResult<Change>): Promise<void> {
    const [only] = changes
    if (only && changes.length === 1 && failed.length === 0) {
      await this.output.change(only[0], customerView, [only[1]])
      return
    }
    const results = changes.map(([document]) => document)
    for (const document of results) this.output.masked(document)
    if (this.output.form === undefined) await this.output.sentences(changes.map(([, line]) => `${line}\n`).join(''))
    else await this.output.page({count: results.length, results, failed}, withoutModel(customerView))
  }
}
