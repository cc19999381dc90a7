import * as v from 'valibot'
import {mergeModes} from '../../domain/carts/take-over.js'
import type {Credential} from '../../domain/credentials/credential.js'
import type {Customer} from '../../domain/customers/customer.js'
import {ApiError} from '../../domain/errors.js'
import {identifierOf} from '../../domain/references.js'
import {optional, Text} from '../../domain/rules.js'
import {type CartOptions, signInCarts} from '../carts/operations.js'
import {customerByEmail} from '../customers/access.js'
import {commit} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {deprecatedDraftUses} from '../operation/deprecated-uses.js'
import {credentialOf} from '../operation/effects.js'
import {operation} from '../operation/operation.js'
import {retrying} from '../operation/retrying.js'
import {cartReads, passwordReads} from '../operation/unexpected.js'
import {passwordFits, renewHash} from './password-work.js'
import {SignInReply, type SignInResult} from './sign-up.js'

const CustomerSignin = v.object({
  email: Text,
  password: Text,
  anonymousCart: optional(identifierOf('cart')),
  // frontdesk-ignore-next-line customers-anonymous-cart-id -- served as long as the API serves it
  anonymousCartId: optional(Text),
  anonymousCartSignInMode: optional(v.picklist(mergeModes)),
  anonymousId: optional(Text),
  updateProductData: optional(v.boolean()),
})

interface SignedIn {
  readonly customer: Customer
  /** Against this one the password was verified: the session takes its epochs from it (decision 21). */
  readonly credential: Credential
}

/** What is wrong with credentials, for the request log only: callers must not learn it. */
type WrongCredentials = 'email' | 'password' | 'external'

/**
 * The customer with these credentials, or what is wrong with them. Always verifies exactly one hash of the same
 * cost (decision 24). Throws TooManyRequests while the account is locked; concurrent guesses past the limit are refused
 * even if correct (decision 28).
 */
export async function customerWithCredentials(
  context: Context,
  email: string,
  password: string,
): Promise<SignedIn | WrongCredentials> {
  const {runtime, project, now} = context
  const {signInLockout} = runtime
  const customer = await customerByEmail(context, email)
  const target = {projectKey: project.key, email, account: customer?.id}
  await signInLockout.check(target, now)
  // Read without a customer too, so that both cases cost the same: none has this id.
  const credential = await credentialOf(context, customer?.id ?? '')
  const fits = await passwordFits(context, password, credential)
  if (!customer || !credential || !fits) {
    await signInLockout.failed(target, now)
    if (!customer) return 'email'
    return customer.authenticationMode === 'ExternalAuth' ? 'external' : 'password'
  }
  await signInLockout.succeeded(target, now)
  await renewHash(context, credential, password)
  return {customer, credential}
}

/** Signs a customer in and takes over the carts of the session. Reads no carts before the credentials are verified. */
export async function signIn(
  context: Context,
  {email, password, ...cartOptions}: {readonly email: string; readonly password: string} & CartOptions,
): Promise<SignInResult> {
  const {runtime, project} = context
  const signedIn = await customerWithCredentials(context, email, password)
  if (typeof signedIn === 'string') throw ApiError.of('InvalidCredentials', {because: signedIn})
  const {id} = signedIn.customer
  return retrying(async () => {
    const customer = await runtime.state.get<Customer>(project.key, 'customer', id)
    if (!customer) throw ApiError.of('InvalidCredentials', {because: 'email'})
    const {cart, changes} = await signInCarts(context, customer, cartOptions)
    const required = {kind: 'customer', require: id, version: customer.version}
    if (changes.length > 0) await commit(context, customer, [required, ...changes])
    return {customer, ...(cart ? {cart} : {})}
  })
}

export const signInReads = {
  ...cartReads,
  ...passwordReads,
  'shipping-method': 'as prices',
  credential: 'the password fitted when it was compared',
}

export const signInCustomer = operation({
  id: 'signInCustomer',
  method: 'POST',
  path: '/{projectKey}/login',
  summary: 'sign in a customer by email and password',
  area: 'Customers',
  permission: {kind: 'bearer', anyOf: ['manage_customers']},
  body: CustomerSignin,
  secrets: ['password'],
  reply: SignInReply,
  unexpected: signInReads,
  inStore: true,
  deprecations: deprecatedDraftUses,
  handle: async (context, {body}) => signIn(context, body),
})
