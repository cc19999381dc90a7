import {confirmEmail, createEmailToken, getCustomerByEmailToken} from '../../api/accounts/emails.js'
import {
  changeCustomerPassword,
  createPasswordToken,
  getCustomerByPasswordToken,
  resetCustomerPassword,
} from '../../api/accounts/passwords.js'
import {signInCustomer} from '../../api/accounts/sign-in.js'
import type {Client, QueryValue} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'

/** Calls around passwords and verified emails. */

/** A one-time token as the API shows it at its creation, the only time with its value. */
export interface OneTimeToken {
  readonly id: string
  readonly customerId: string
  readonly value: string
  readonly expiresAt: string
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

export const emailTokenFor = (
  client: Client,
  {id, version}: {readonly id: string; readonly version: number},
  options: TokenOptions & {readonly ttlMinutes: number},
): Promise<OneTimeToken> => client.call(createEmailToken, {}, {body: {id, version, ...optionsOf(options)}})

const expandOf = (expand: readonly string[] | undefined): Record<string, QueryValue> =>
  expand === undefined ? {} : {expand}

export const customerOfPasswordToken = (
  client: Client,
  passwordToken: string,
  expand?: readonly string[],
): Promise<Customer> => client.call(getCustomerByPasswordToken, {passwordToken}, {query: expandOf(expand)})

export const customerOfEmailToken = (
  client: Client,
  emailToken: string,
  expand?: readonly string[],
): Promise<Customer> => client.call(getCustomerByEmailToken, {emailToken}, {query: expandOf(expand)})

const versionOf = (version: number | undefined) => (version === undefined ? {} : {version})

export const resetPassword = (
  client: Client,
  {
    tokenValue,
    newPassword,
    version,
  }: {readonly tokenValue: string; readonly newPassword: string; readonly version?: number | undefined},
): Promise<Customer> => client.call(resetCustomerPassword, {}, {body: {tokenValue, newPassword, ...versionOf(version)}})

export const verifyEmail = (client: Client, tokenValue: string, version?: number): Promise<Customer> =>
  client.call(confirmEmail, {}, {body: {tokenValue, ...versionOf(version)}})

export const changePassword = (
  client: Client,
  body: {readonly id: string; readonly version: number; readonly currentPassword: string; readonly newPassword: string},
): Promise<Customer> => client.call(changeCustomerPassword, {}, {body})

export const signIn = (client: Client, body: Readonly<Record<string, unknown>>) =>
  client.call(signInCustomer, {}, {body})
