import type {Command} from '@oclif/core'
import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import {linkWith} from '../../domain/token-link.js'
import {BaseCommand} from '../command/base-command.js'
import {expandFlags, type FlagValues, writeFlags} from '../input/flags.js'
import {parseRef, type Ref, refArg, refText} from '../input/refs.js'
import {checkSecretOutput, secretOutputFlags, shownResult} from '../input/secret-output.js'
import {customerTokenView, customerView, personOf} from '../output/views.js'
import {usage} from '../process/failure.js'
import type {Run} from '../run/run.js'
import type {Plan, Write, Writer} from '../safety/door.js'
import {tokenArgs, tokenFileFlag, tokenFromInput} from '../tokens/token-input.js'
import {customerOf, inStoreOf} from './calls.js'
import {
  type Kind,
  lifetimeFlags,
  lifetimeOf,
  type OneTimeToken,
  type TokenOptions,
  type TokenUse as Use,
  versionFlag,
} from './passwords.js'
import {emailChange, emailWarningOf, recentMessages} from './recent-messages.js'
import {oneTimeToken} from './settlements.js'
import {each, type FailedCustomer, type SeveralResult} from './several.js'

interface ForEach<R> {
  readonly refs: readonly Ref[]
  readonly plan: (customer: Customer) => Plan
  readonly act: (write: Writer, customer: Customer) => Promise<R>
  readonly show: (done: SeveralResult<R>) => Promise<void>
}

type SecretRun = Parameters<typeof checkSecretOutput>[0]

/** The use of a token of a customer, who was read before: a used token no longer identifies anybody. */
function spending(
  run: Pick<Run, 'commandLine'>,
  {used, settle}: Kind,
  client: Client,
  before: Customer,
  request: () => Promise<Customer>,
): Write<Customer> {
  const look = run.commandLine(['customers', 'card', before.id], client.storeKey)
  return {
    ...{target: before.id, actions: [used], versionBefore: before.version, request},
    settle: settle({client, before, look}),
  }
}

/** A command that makes one-time tokens. Its flags include `secretOutputFlags`. */
export abstract class TokenMaker<T extends typeof Command> extends BaseCommand<T> {
  readonly #secretRun = this as unknown as SecretRun

  protected async made(
    write: Writer,
    customer: Customer,
    {made, make}: Kind,
    lifetime: TokenOptions,
  ): Promise<OneTimeToken> {
    const client = inStoreOf(await this.client(), customer, (text) => this.say(text))
    return write({
      target: customer.id,
      versionBefore: customer.version,
      actions: [made],
      request: () => make(client, customer, lifetime),
      settle: oneTimeToken<OneTimeToken>(this.commandLine(['customers', 'card', customer.id], client.storeKey)),
    })
  }

  /** Makes a token and uses it at once. Returns the customer, and the line that says so. */
  protected async madeAndSpent(
    write: Writer,
    before: Customer,
    kind: Kind,
    lifetime: TokenOptions,
    use: (client: Client, use: Use) => Promise<Customer>,
  ): Promise<readonly [after: Customer, line: string]> {
    const {value: tokenValue} = await this.made(write, before, kind, lifetime)
    const client = inStoreOf(await this.client(), before)
    const after = await write(spending(this, kind, client, before, () => use(client, {tokenValue})))
    const person = personOf(this.output.masked(before))
    return [after, `${kind.lines[1]} ${person}: version ${before.version} → ${after.version}`]
  }

  /**
   * Warns of an email that a stranger may have changed before asking for a way in: a person at a terminal confirms, a script
   * goes on.
   */
  protected async warnOf(customer: Customer): Promise<void> {
    // The desk has asked already.
    if (this.parent) return
    const changes = await recentMessages(await this.client(), customer.id, emailChange)
    const recent = typeof changes === 'string' ? {} : {recentMessages: changes}
    const warning = emailWarningOf(recent, this.io.clock())
    if (warning === undefined) return
    const person = personOf(this.output.masked(customer))
    if (this.ask.interactive && !this.flags.yes) await this.ask.confirm(`Go on for ${person}? ${warning}`)
    else this.stderr(`${person}: ${warning}`)
  }

  /** Makes a token for a person to send, as a link if the profile has a page for it, and says so. */
  protected async toSend(write: Writer, customer: Customer, kind: Kind, lifetime: TokenOptions): Promise<object> {
    await this.warnOf(customer)
    const token = await this.made(write, customer, kind, lifetime)
    const link = linkWith(this.resolved.profile[kind.setting], token.value)
    if (this.#secretRun.flags['secret-out'] === undefined) {
      const person = personOf(this.output.masked(customer))
      this.say(
        link === undefined
          ? `Send the token to ${person}; it is shown only once.${this.parent ? '' : ` To show links here, set --${kind.flag} of the profile.`}`
          : `Send the link to ${person}; it is shown only once.`,
      )
    }
    return shownResult({...token, ...defined({link})}, token.value, ['value', 'link'], this.#secretRun)
  }

  /** Acts on each customer in turn; what fails for one of several is named after the result. */
  protected async forEachCustomer<R>({refs, plan, act, show}: ForEach<R>): Promise<void> {
    if (this.#secretRun.flags['secret-out'] !== undefined && refs.length > 1) {
      throw usage('--secret-out takes one customer.', 'Without it, each gets a token of their own.')
    }
    const client = await this.client()
    const all = <P>(work: (customer: Customer) => P | Promise<P>) =>
      each(refs, refText, async (ref) => work(await customerOf(client, ref, {asking: this.asking})))
    const done = await this.effect({
      at: 'target',
      plan: async () => {
        const {results, failed} = await all(plan)
        this.#sayFailed(failed)
        const documents = results.map(([document]) => document)
        const [only] = documents
        const lines = results.map(([, line]) => line).join('\n')
        return [only && refs.length === 1 ? only : {results: documents, failed}, lines]
      },
      act: (write) => all((customer) => act(write, customer)),
    })
    if (!done) return
    await show(done)
    this.#sayFailed(done.failed)
  }

  protected async showTokens({results, failed}: SeveralResult<unknown>): Promise<void> {
    if (results.length + failed.length === 1) await this.output.document(results[0], customerTokenView)
    else await this.output.page({count: results.length, results, failed}, customerTokenView)
  }

  #sayFailed(failed: readonly FailedCustomer[]): void {
    for (const {id, message} of failed) this.stderr(`not done: ${id}: ${message}`)
    if (failed.length > 0) this.endWith('partial')
  }
}

export abstract class TokenCreate extends TokenMaker<typeof TokenCreate> {
  static override description =
    'The token is valid for a day unless --ttl sets another time. Its value is shown only once, in a pipe with --show-secret.'
  static override args = {ref: refArg('a customer')}
  static override flags = {...lifetimeFlags, ...secretOutputFlags('token'), ...writeFlags}
  protected abstract readonly kind: Kind

  async run(): Promise<void> {
    const {minutes, planned} = this.kind
    const ref = parseRef(this.args.ref)
    const lifetime = lifetimeOf(this.flags, minutes)
    checkSecretOutput(this, 'stdout')
    const client = await this.client()
    const customer = await customerOf(client, ref, {asking: this.asking})
    const token = await this.effect({
      at: 'target',
      plan: () => planned(customer, lifetime),
      act: async (write) => {
        const created = await this.made(write, customer, this.kind, lifetime)
        return shownResult(created, created.value, ['value'], this)
      },
    })
    if (token) await this.output.document(token, customerTokenView)
  }
}

export abstract class TokenGet extends BaseCommand<typeof TokenGet> {
  static override description =
    'Ends with code 3 for a token that is unknown or used, and with 4 for one that has expired.'
  static override args = tokenArgs
  static override flags = {...tokenFileFlag, ...expandFlags}
  protected abstract readonly kind: Kind

  async run(): Promise<void> {
    const token = await tokenFromInput(this, this.args.source)
    const query = defined({expand: this.flags.expand})
    await this.output.document(await this.kind.find(await this.client(), token, query), customerView)
  }
}

export const useFlags = {...tokenFileFlag, ...versionFlag, ...writeFlags}

export abstract class TokenUse<T extends typeof Command> extends BaseCommand<T> {
  static override args = tokenArgs
  protected abstract readonly kind: Kind

  /** Asks for further input, such as a new password, and returns the call that uses the token. */
  protected abstract useInput(): Promise<(client: Client, use: Use) => Promise<Customer>>

  async run(): Promise<void> {
    const {find, lines} = this.kind
    const tokenValue = await tokenFromInput(this, (this.args as {readonly source?: string}).source)
    const use = await this.useInput()
    const {version} = this.flags as FlagValues<typeof versionFlag>
    const customer = await this.effect({
      at: 'target',
      plan: () => [{}, lines[0]],
      act: async (write) => {
        const client = await this.client()
        const before = await find(client, tokenValue, {})
        return write(spending(this, this.kind, client, before, () => use(client, {tokenValue, version})))
      },
    })
    if (!customer) return
    const person = personOf(this.output.masked(customer))
    await this.output.change(customer, customerView, [`${lines[1]} ${person}: version ${customer.version}`])
    this.say(lines[2])
  }
}
