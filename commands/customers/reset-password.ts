import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {generatedPassword, spelled} from '../../src/cli/customers/generated-password.js'
import {TokenMaker} from '../../src/cli/customers/one-time-tokens.js'
import {kinds, lifetimeFlags, lifetimeOf, resetPassword} from '../../src/cli/customers/passwords.js'
import {switchFlag, writeFlags} from '../../src/cli/input/flags.js'
import {parseRefs, type Ref, refsArg} from '../../src/cli/input/refs.js'
import {newPasswordFlags, secretOf} from '../../src/cli/input/secret-inputs.js'
import {checkSecretOutput, secretOutputFlags, writePassword} from '../../src/cli/input/secret-output.js'
import {customerView, personOf} from '../../src/cli/output/views.js'
import {usage} from '../../src/cli/process/failure.js'

export default class CustomersResetPassword extends TokenMaker<typeof CustomersResetPassword> {
  static override operations: Calls = [
    ...customerReads,
    'createPasswordToken',
    'resetCustomerPassword',
    // Warns of an email that was changed lately.
    {operations: ['queryMessages']},
  ]
  static override summary = 'Create a password reset token for a customer, or set a new password'
  static override description =
    'Creates a reset token and shows it with its expiry, as a link if the profile has a resetLink. The password stays valid until the token is used. Warns if the email was changed in the last week, and asks on a terminal. --set sets a new password at once. Takes several customers, or - to read them from stdin, and creates a token for each.'
  static override examples = [
    '<%= config.bin %> customers reset-password ada@example.com --ttl 60m --invalidate-older',
    '<%= config.bin %> customers reset-password key=ada --set --new-password-file secret.txt --ticket CS-17',
    '<%= config.bin %> customers reset-password key=ada --set --generate-password --secret-out new-password.txt',
  ]
  static override args = {ref: refsArg('a customer')}
  static override flags = {
    ...lifetimeFlags,
    set: switchFlag('Set a new password now, for one customer.', {exclusive: ['ttl', 'invalidate-older']}),
    ...newPasswordFlags,
    'generate-password': switchFlag('With --set: generate the password and show it once.', {
      dependsOn: ['set'],
      exclusive: ['new-password-stdin', 'new-password-file'],
    }),
    ...secretOutputFlags('token, or the generated password,', {
      exclusive: ['new-password-stdin', 'new-password-file'],
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const refs = await parseRefs(this.args.ref, this.io)
    if (this.flags.set) {
      const [ref, another] = refs
      if (!ref || another) throw usage('--set takes one customer.', 'Without --set, each gets a token of their own.')
      await this.#set(ref)
      return
    }
    const lifetime = lifetimeOf(this.flags)
    checkSecretOutput(this, 'stdout')
    await this.forEachCustomer({
      refs,
      plan: (customer) => [
        {id: customer.id, set: false},
        `would create a reset token for ${personOf(this.output.masked(customer))}`,
      ],
      act: async (write, customer) => {
        const token = await this.toSend(write, customer, kinds.password, lifetime)
        this.say('When the customer uses it, they are signed out everywhere.')
        return token
      },
      show: (done) => this.showTokens(done),
    })
  }

  async #set(ref: Ref): Promise<void> {
    const isGenerated = this.flags['generate-password']
    if (isGenerated) checkSecretOutput(this, 'stderr')
    else if (this.flags['secret-out'] !== undefined || this.flags['show-secret']) {
      throw usage(
        'There is no secret to show: the password is given.',
        'Add --generate-password, or leave out the flag.',
      )
    }
    const chosen = isGenerated
      ? generatedPassword()
      : await secretOf(this, 'new-password', 'New password of the customer:', {
          twice: true,
          otherFlags: ' or --generate-password',
        })
    if (chosen.length < shortPassword) this.say(`The new password has fewer than ${shortPassword} characters.`)
    const client = await this.client()
    const customer = await customerOf(client, ref, {asking: this.asking})
    const done = await this.effect({
      at: 'target',
      plan: () => [
        {id: customer.id, set: true},
        `would set a new password of ${personOf(this.output.masked(customer))}`,
      ],
      act: async (write) => {
        await this.warnOf(customer)
        const changed = await this.madeAndSpent(write, customer, kinds.password, {}, (at, use) =>
          resetPassword(at, {...use, newPassword: chosen}),
        )
        if (isGenerated) await writePassword(chosen, spelled(chosen), this)
        return changed
      },
    })
    if (!done) return
    await this.output.change(done[0], customerView, [done[1]])
    this.say(`${kinds.password.lines[2]} Next: let the customer sign in and change it.`)
  }
}

/** Shorter passwords are set, with a note. */
const shortPassword = 8
