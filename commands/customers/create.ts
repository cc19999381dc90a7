import {Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {checkHashIsKept, create, existing, identityOf} from '../../src/cli/customers/create.js'
import {checkDraft, draftFlags, draftFrom, unusualNotes} from '../../src/cli/customers/draft.js'
import {generatedPassword, spelled} from '../../src/cli/customers/generated-password.js'
import {guidedDraft} from '../../src/cli/customers/guided.js'
import {creation} from '../../src/cli/customers/settlements.js'
import {expandFlags, writeFlags} from '../../src/cli/input/flags.js'
import {type Ref, refText} from '../../src/cli/input/refs.js'
import {withoutSecrets} from '../../src/cli/input/secret-arguments.js'
import {passwordFlags, secretOf} from '../../src/cli/input/secret-inputs.js'
import {checkSecretOutput, secretOutputFlags, writePassword} from '../../src/cli/input/secret-output.js'
import {signInView} from '../../src/cli/output/views.js'

export default class CustomersCreate extends BaseCommand<typeof CustomersCreate> {
  static override operations: Calls = [...customerReads, 'createCustomer', 'signInCustomer']
  static override summary = 'Create a customer'
  static override description = 'On a terminal without flags, asks for the values and prints the equivalent command.'
  static override examples = [
    '<%= config.bin %> customers create --email grace@example.com --key grace --password-file secret.txt',
    '<%= config.bin %> customers create --email eva@example.com --external-auth --if-not-exists --json',
    'echo \'{"email":"bob@example.com","password":"secret"}\' | <%= config.bin %> customers create --body -',
  ]
  static override flags = {
    ...draftFlags,
    ...passwordFlags,
    'generate-password': Flags.boolean({
      exclusive: ['password-stdin', 'password-file', 'external-auth'],
      summary: 'Generate a password and show it once.',
    }),
    ...secretOutputFlags('password', {dependsOn: ['generate-password']}),
    'if-not-exists': Flags.boolean({
      summary: 'If the key or email exists already, show that customer instead of failing.',
    }),
    ...expandFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    // Global flags may stand there as well.
    const isBare = Object.keys(CustomersCreate.flags).every((name) => !Reflect.get(this.flags, name))
    const guided = isBare && this.ask.interactive
    const draft = guided
      ? await guidedDraft(this.ask, (text) => this.stderr(text))
      : await draftFrom(this.flags, this.io)
    if (this.flags['generate-password']) checkSecretOutput(this, 'stderr')
    const password = await this.#password(draft)
    if (password !== undefined) draft['password'] = password
    checkDraft(draft)
    await checkHashIsKept(() => this.client(), draft)
    for (const note of unusualNotes(draft)) this.say(note)
    const ref = identityOf(draft)
    if (this.flags['if-not-exists'] && !this.isDry) {
      const found = await existing(await this.client(), ref)
      if (found) {
        this.say(`exists already: ${found.customer.id}`)
        await this.output.document(found, signInView)
        return
      }
    }
    const created = await this.effect({
      at: 'target',
      plan: () => {
        const shown = withoutSecrets(draft)
        return [{draft: shown}, `would create ${JSON.stringify(shown)}`]
      },
      act: async (write) => {
        const client = await this.client()
        const done = await write({
          target: typeof draft['key'] === 'string' ? `key=${draft['key']}` : undefined,
          request: () => create(client, draft, this.flags.expand),
          settle: creation({client, draft, clock: this.io.clock, look: this.#look(ref)}),
        })
        if (password !== undefined && this.flags['generate-password']) writePassword(password, spelled(password), this)
        return done
      },
    })
    if (!created) return
    await this.output.change(created, signInView, [
      `created ${created.customer.id}: version ${created.customer.version}`,
      ...(created.cart === undefined ? [] : ['the cart of the anonymous session is now theirs']),
    ])
  }

  /** The command that shows the customer; a redacted email is left out. */
  #look(ref: Ref): string {
    const {email} = this.output.masked({email: ref.value}) as {readonly email: string}
    return this.commandLine(['customers', 'get', ref.by === 'email' && email !== ref.value ? 'email=…' : refText(ref)])
  }

  /** The password from flags, made up, or asked for; undefined where none is needed or the body brings it. */
  async #password(draft: Readonly<Record<string, unknown>>): Promise<string | undefined> {
    if (this.flags['generate-password']) return generatedPassword()
    const given = this.flags['password-stdin'] || this.flags['password-file'] !== undefined
    const needed =
      draft['authenticationMode'] !== 'ExternalAuth' && !('password' in draft) && !('passwordHash' in draft)
    if (!given && !needed) return undefined
    return secretOf(this, 'password', 'Password of the customer:', {
      twice: true,
      otherFlags: ', --generate-password or --external-auth',
    })
  }
}
