import {confirmEmail, createEmailToken, getCustomerByEmailToken} from '../../api/accounts/emails.js'
import {createPasswordToken, getCustomerByPasswordToken, resetCustomerPassword} from '../../api/accounts/passwords.js'
import {signInCustomer} from '../../api/accounts/sign-in.js'
import type {Client, QueryValue} from '../../client/client.js'
import {maxTtlMinutes, type OneTimeToken as StoredToken} from '../../domain/credentials/one-time-token.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import {type FlagValues, numberFlag, switchFlag, textFlag} from '../input/flags.js'
import {durationMinutes} from '../process/durations.js'
import {invalidValue} from '../process/failure.js'
import type {Plan} from '../safety/door.js'
import {newPassword, verifiedEmail} from './settlements.js'

/** A one-time token as the API shows it at its creation, the only time with its value. */
export interface OneTimeToken extends Pick<StoredToken, 'id' | 'customerId' | 'expiresAt'> {
  readonly value: string
}

export interface TokenOptions {
  readonly ttlMinutes?: number | undefined
  readonly invalidateOlder?: boolean
}

const optionsOf = ({ttlMinutes, invalidateOlder}: TokenOptions) => ({
  ...defined({ttlMinutes}),
  ...(invalidateOlder ? {invalidateOlderTokens: true} : {}),
})

export const passwordTokenFor = (
  client: Client,
  {email}: {readonly email: string},
  options: TokenOptions,
): Promise<OneTimeToken> => client.call(createPasswordToken, {}, {body: {email, ...optionsOf(options)}})

export interface TokenUse {
  readonly tokenValue: string
  readonly version?: number | undefined
}

export const resetPassword = (client: Client, use: TokenUse & {readonly newPassword: string}): Promise<Customer> =>
  client.call(resetCustomerPassword, {}, {body: defined(use)})

export const verifyEmail = (client: Client, use: TokenUse): Promise<Customer> =>
  client.call(confirmEmail, {}, {body: defined(use)})

export const signIn = (client: Client, body: Readonly<Record<string, unknown>>) =>
  client.call(signInCustomer, {}, {body})

export const lifetimeFlags = {
  ttl: textFlag('60m', 'Lifetime of the token, such as 60m, 1h30m or 7d: 1m to 30d.'),
  'invalidate-older': switchFlag('Invalidate older tokens of this kind.'),
}

function minutesOf(ttl: string): number {
  const minutes = durationMinutes(ttl, '--ttl')
  if (minutes >= 1 && minutes <= maxTtlMinutes) return minutes
  throw invalidValue(`--ttl ${ttl} is too ${minutes < 1 ? 'short' : 'long'}.`, 'A token lives from 1m to 30d.')
}

export const lifetimeOf = (flags: FlagValues<typeof lifetimeFlags>, ttlMinutes?: number): TokenOptions => ({
  ...defined({ttlMinutes: flags.ttl === undefined ? ttlMinutes : minutesOf(flags.ttl)}),
  invalidateOlder: flags['invalidate-older'] === true,
})

export const versionFlag = {
  version: numberFlag('Expect this version of the customer.'),
}

type Query = Readonly<Record<string, QueryValue>>

/** What differs between the kinds of one-time tokens. */
export const kinds = {
  email: {
    /** A day. The API has no default of its own. */
    minutes: 1440,
    made: 'createEmailToken',
    planned: ({id}: Customer, {ttlMinutes}: TokenOptions): Plan => [
      {id, ttlMinutes},
      `would create an email token for ${id}`,
    ],
    setting: 'verifyLink',
    flag: 'verify-link',
    make: (client: Client, {id, version}: Customer, options: TokenOptions): Promise<OneTimeToken> =>
      client.call(createEmailToken, {}, {body: {id, version, ...optionsOf(options)}}),
    find: (client: Client, emailToken: string, query: Query) =>
      client.call(getCustomerByEmailToken, {emailToken}, {query}),
    used: 'confirmEmail',
    settle: verifiedEmail,
    lines: ['would verify the email', 'verified', 'Verification links sent earlier no longer work.'],
  },
  password: {
    minutes: undefined,
    made: 'createPasswordToken',
    planned: (_: Customer, lifetime: TokenOptions): Plan => [lifetime, 'would create a password token'],
    setting: 'resetLink',
    flag: 'reset-link',
    make: passwordTokenFor,
    find: (client: Client, passwordToken: string, query: Query) =>
      client.call(getCustomerByPasswordToken, {passwordToken}, {query}),
    used: 'resetPassword',
    settle: newPassword,
    lines: [
      'would set a new password',
      'password set for',
      'The old password and reset links sent earlier no longer work. The customer is signed out everywhere.',
    ],
  },
} as const

export type Kind = (typeof kinds)[keyof typeof kinds]
