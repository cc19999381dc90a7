import * as v from 'valibot'
import {createCustomer} from '../../src/api/accounts/sign-up.js'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {checkDraft, draftFlags, draftFrom, unusualNotes} from '../../src/cli/customers/draft.js'
import {generatedPassword, spelled} from '../../src/cli/customers/generated-password.js'
import {namingHolder} from '../../src/cli/customers/holder.js'
import {creation} from '../../src/cli/customers/settlements.js'
import {type Asker, upToThreeTimes} from '../../src/cli/input/ask.js'
import {expandFlags, switchFlag, writeFlags} from '../../src/cli/input/flags.js'
import {ifFound} from '../../src/cli/input/is-found.js'
import {type Ref, refText} from '../../src/cli/input/refs.js'
import {withoutSecrets} from '../../src/cli/input/secret-arguments.js'
import {passwordFlags, secretOf} from '../../src/cli/input/secret-inputs.js'
import {checkSecretOutput, secretOutputFlags, writePassword} from '../../src/cli/input/secret-output.js'
import {personOf, signInView} from '../../src/cli/output/views.js'
import {invalidValue, usage} from '../../src/cli/process/failure.js'
import type {Client} from '../../src/client/client.js'
import {keepsPasswordHashes} from '../../src/client/kept-hashes.js'
import {fieldRows} from '../../src/domain/customers/fields.js'
import {defined} from '../../src/domain/equal.js'
import {quoted} from '../../src/files/file-errors.js'

/** The reference to the customer of a draft: its key, otherwise its email. */
const identityOf = (draft: Readonly<Record<string, unknown>>): Ref =>
  typeof draft['key'] === 'string'
    ? {by: 'key', value: draft['key']}
    : {by: 'email', value: String(draft['email'] ?? '')}

/** Throws InvalidValue for a draft whose password hash the server would ignore: its customer could not sign in. */
async function checkHashIsKept(client: () => Promise<Client>, draft: Readonly<Record<string, unknown>>): Promise<void> {
  if (!('passwordHash' in draft) || (await keepsPasswordHashes(await client()))) return
  throw invalidValue(
    'This target keeps no password hashes, only a local server does; nothing was sent.',
    'Take passwordHash out, and give --generate-password or --external-auth; `frontdesk customers reset-password` then lets the customer set one.',
  )
}

/**
 * Prompts for a new customer step by step, and prints the equivalent command. Asks again for what no customer can have, and
 * once for what is probably a mistake: Enter keeps it. The password is asked for later.
 */
async function guidedDraft(ask: Asker, say: (text: string) => void, now: number): Promise<Record<string, unknown>> {
  const draft: Record<string, unknown> = {}
  const flags: string[] = []
  for (const {question, member, flag} of questions) {
    const schema = fieldRows.find(({name}) => name === member)?.schema
    let doubted = ''
    const answer = await upToThreeTimes(async (before) => {
      if (before !== '') say(before.trim())
      const typed = (await ask.text(question, flag, doubted === '' ? undefined : doubted)).trim() || doubted
      if (typed === '' && member !== 'email') return typed
      const parsed = schema === undefined ? undefined : v.safeParse(schema, typed)
      if (parsed?.success === false) throw usage(parsed.issues[0].message)
      const [note] = doubted === '' ? unusualNotes({[member]: typed}, now) : []
      if (note === undefined) return typed
      doubted = typed
      throw usage(`${note}; Enter keeps it.`)
    })
    if (answer === '') continue
    draft[member] = answer
    flags.push(`${flag} ${quoted(answer)}`)
  }
  say(`The same without questions: frontdesk customers create ${flags.join(' ')} --password-file FILE`)
  return draft
}

const questions = [
  {question: 'Email:', member: 'email', flag: '--email'},
  {question: 'First name (may stay empty):', member: 'firstName', flag: '--first-name'},
  {question: 'Last name (may stay empty):', member: 'lastName', flag: '--last-name'},
  {question: 'Company (may stay empty):', member: 'companyName', flag: '--company'},
  {question: 'Key, for imports and scripts (may stay empty):', member: 'key', flag: '--key'},
]

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
    'generate-password': switchFlag('Generate a password and show it once.', {
      exclusive: ['password-stdin', 'password-file', 'external-auth'],
    }),
    ...secretOutputFlags('password', {dependsOn: ['generate-password']}),
    'if-not-exists': switchFlag('If the key or email exists already, show that customer instead of failing.'),
    ...expandFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    // Global flags may stand there as well.
    const isBare = Object.keys(CustomersCreate.flags).every((name) => !Reflect.get(this.flags, name))
    const guided = isBare && this.ask.interactive
    const draft = guided
      ? await guidedDraft(this.ask, (text) => this.stderr(text), this.io.clock())
      : await draftFrom(this.flags, this.io)
    if (this.flags['generate-password']) checkSecretOutput(this, 'stderr')
    const password = await this.#password(draft)
    if (password !== undefined) draft['password'] = password
    checkDraft(draft)
    await checkHashIsKept(() => this.client(), draft)
    for (const note of unusualNotes(draft, this.io.clock())) this.say(note)
    const ref = identityOf(draft)
    if (this.flags['if-not-exists'] && !this.isDry) {
      const customer = await ifFound(customerOf(await this.client(), ref))
      if (customer) {
        this.say(`exists already: ${customer.id}`)
        await this.output.document({customer}, signInView)
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
        const query = defined({expand: this.flags.expand})
        const done = await namingHolder(
          client,
          this,
          write({
            target: typeof draft['key'] === 'string' ? `key=${draft['key']}` : undefined,
            request: () => client.call(createCustomer, {}, {query, body: draft}),
            settle: creation({client, draft, clock: this.io.clock, look: this.#look(ref)}),
          }),
        )
        if (password !== undefined && this.flags['generate-password'])
          await writePassword(password, spelled(password), this)
        return done
      },
    })
    if (!created) return
    await this.output.change(created, signInView, [
      `created ${personOf(this.output.masked(created.customer))}: version ${created.customer.version}, id ${created.customer.id}`,
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
    if (!needed) {
      const why = draft['authenticationMode'] === 'ExternalAuth' ? 'signs in elsewhere' : 'has one in the body'
      throw usage(`--password-file and --password-stdin have no effect: the customer ${why}.`, 'Leave them out.')
    }
    return secretOf(this, 'password', 'Password of the customer:', {
      twice: true,
      otherFlags: ', --generate-password or --external-auth',
    })
  }
}
