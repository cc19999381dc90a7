import type {Command} from '@oclif/core'
import {getCustomerByEmailToken} from '../../api/accounts/emails.js'
import {getCustomerByPasswordToken} from '../../api/accounts/passwords.js'
import type {Client, QueryValue} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import {BaseCommand} from '../command/base-command.js'
import {expandFlags, type Given, writeFlags} from '../input/flags.js'
import {parseRef, refArg} from '../input/refs.js'
import {checkSecretOutput, secretOutputFlags, shownResult} from '../input/secret-output.js'
import {customerTokenView, customerView, personOf} from '../output/views.js'
import {givenToken, tokenArgs, tokenFileFlag} from '../tokens/token-input.js'
import {customerOf, inStoreOf} from './calls.js'
import {
  emailTokenFor,
  emailTokenMinutes,
  lifetimeFlags,
  lifetimeOf,
  type OneTimeToken,
  passwordTokenFor,
  type TokenOptions,
  type TokenUse as Use,
  versionFlag,
} from './passwords.js'
import {newPassword, oneTimeToken, verifiedEmail} from './settlements.js'

type Query = Readonly<Record<string, QueryValue>>

/** What differs between the kinds of one-time tokens. */
export const kinds = {
  email: {
    minutes: emailTokenMinutes,
    made: 'createEmailToken',
    planned: ({id, version}: Customer, {ttlMinutes}: TokenOptions) => ({
      shown: {id, ttlMinutes},
      line: `would create an email token for ${id}`,
      versionBefore: version,
    }),
    make: emailTokenFor,
    find: (client: Client, emailToken: string, query: Query) =>
      client.call(getCustomerByEmailToken, {emailToken}, {query}),
    used: 'confirmEmail',
    settle: verifiedEmail,
    lines: ['would verify the email', 'verified', 'Ended: all email tokens of the customer.'],
  },
  password: {
    minutes: undefined,
    made: 'createPasswordToken',
    planned: (_: Customer, lifetime: TokenOptions) => ({shown: lifetime, line: 'would create a password token'}),
    make: passwordTokenFor,
    find: (client: Client, passwordToken: string, query: Query) =>
      client.call(getCustomerByPasswordToken, {passwordToken}, {query}),
    used: 'resetPassword',
    settle: newPassword,
    lines: [
      'would set a new password',
      'password set for',
      'Ended: all sessions of the customer and all reset tokens.',
    ],
  },
} as const

type Kind = (typeof kinds)[keyof typeof kinds]

export abstract class TokenCreate extends BaseCommand<typeof TokenCreate> {
  static override description =
    'The token is valid for a day unless --ttl sets another time. Its value is shown only once, in a pipe with --show-secret.'
  static override args = {ref: refArg('a customer')}
  static override flags = {...lifetimeFlags, ...secretOutputFlags('token'), ...writeFlags}
  protected abstract readonly kind: Kind

  async run(): Promise<void> {
    const {minutes, made, planned, make} = this.kind
    const ref = parseRef(this.args.ref)
    const lifetime = lifetimeOf(this.flags, minutes)
    checkSecretOutput(this, 'stdout')
    const client = await this.client()
    const customer = await customerOf(client, ref, {asking: this.asking})
    const storeClient = inStoreOf(client, customer, (text) => this.say(text))
    const {shown, line, ...version} = planned(customer, lifetime)
    const token = await this.effect({
      at: 'target',
      plan: () => [shown, line],
      act: async (write) => {
        const created = await write({
          target: customer.id,
          actions: [made],
          ...version,
          request: () => make(storeClient, customer, lifetime),
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

export abstract class TokenGet extends BaseCommand<typeof TokenGet> {
  static override description =
    'Ends with code 3 for a token that is unknown or used, and with 4 for one that has expired.'
  static override args = tokenArgs
  static override flags = {...tokenFileFlag, ...expandFlags}
  protected abstract readonly kind: Kind

  async run(): Promise<void> {
    const token = await givenToken(this, this.args.source)
    const query = defined({expand: this.flags.expand})
    await this.output.document(await this.kind.find(await this.client(), token, query), customerView)
  }
}

export const useFlags = {...tokenFileFlag, ...versionFlag, ...writeFlags}

export abstract class TokenUse<T extends typeof Command> extends BaseCommand<T> {
  static override args = tokenArgs
  protected abstract readonly kind: Kind

  /** Asks for what the token is used with, if anything, and returns the call that uses it. */
  protected abstract asked(): Promise<(client: Client, use: Use) => Promise<Customer>>

  async run(): Promise<void> {
    const {find, used, settle, lines} = this.kind
    const tokenValue = await givenToken(this, (this.args as {readonly source?: string}).source)
    const use = await this.asked()
    const {version} = this.flags as Given<typeof versionFlag>
    const customer = await this.effect({
      at: 'target',
      plan: () => [{}, lines[0]],
      act: async (write) => {
        const client = await this.client()
        // Read first: a used token no longer identifies its customer.
        const before = await find(client, tokenValue, {})
        return write({
          target: before.id,
          actions: [used],
          versionBefore: before.version,
          request: () => use(client, {tokenValue, version}),
          settle: settle({client, before, look: this.commandLine(['customers', 'card', before.id])}),
        })
      },
    })
    if (!customer) return
    const person = personOf(this.output.masked(customer))
    await this.output.change(customer, customerView, [`${lines[1]} ${person}: version ${customer.version}`])
    this.say(lines[2])
  }
}
