import * as v from 'valibot'
import {mergeModes} from '../../domain/carts/take-over.js'
import {CustomerDraft, ownDraftMembers} from '../../domain/customers/draft.js'
import {pick} from '../../domain/equal.js'
import {optional, Text} from '../../domain/rules.js'
import type {CartOptions} from '../carts/operations.js'
import {refreshTokens} from '../documents/token.js'
import {bearerOf, type Context} from '../operation/context.js'
import {deprecatedDraftUses} from '../operation/deprecated-uses.js'
import {revoke} from '../operation/effects.js'
import {operation} from '../operation/operation.js'
import {signIn, signInReads} from './sign-in.js'
import {SignInReply, type SignInResult, signUp, signUpReads} from './sign-up.js'

/** Sign-up and sign-in on `/me`, with the token of an anonymous session or of a client. */

const shared = {
  method: 'POST',
  area: 'My profile',
  // A client's own token signs up and in as well, and brings no carts (decision 26).
  permission: {kind: 'bearer', anyOf: ['manage_my_profile'], bound: 'optional'},
  secrets: ['password'],
  reply: SignInReply,
  inStore: true,
} as const

/** The carts of the token's session; none for a customer's token. */
const sessionCartOptions = (context: Context): CartOptions => pick(bearerOf(context), ['anonymousId'])

/** The visitor is a customer now: the session ends, with all its tokens (decision 26). */
async function inPlaceOfSession(context: Context, signedIn: Promise<SignInResult>): Promise<SignInResult> {
  const {clientId = '', anonymousId, grant} = bearerOf(context)
  const answer = await signedIn
  if (anonymousId !== undefined && grant !== undefined) await revoke(context, clientId, refreshTokens, grant)
  return answer
}

/** The draft of a customer's own sign-up. Source: API › MyCustomerDraft. */
const MyCustomerDraft = v.object({...ownDraftMembers, password: v.string()})

const {key, shippingAddresses, billingAddresses} = CustomerDraft.entries

/** The same by GraphQL, with more members. Source: API › GraphQL › CustomerSignMeUpDraft. */
export const CustomerSignMeUpDraft = v.object({...MyCustomerDraft.entries, key, shippingAddresses, billingAddresses})

export const signUpMe = operation({
  ...shared,
  id: 'signUpMe',
  path: '/{projectKey}/me/signup',
  summary: 'sign up a visitor, who keeps the carts of the session if there is one',
  body: MyCustomerDraft,
  success: 201,
  messages: ['CustomerCreated'],
  unexpected: signUpReads,
  deprecations: deprecatedDraftUses,
  handle: (context, {body}) => inPlaceOfSession(context, signUp(context, body, sessionCartOptions(context))),
})

const MyCustomerSignin = v.object({
  email: Text,
  password: Text,
  activeCartSignInMode: optional(v.picklist(mergeModes)),
  updateProductData: optional(v.boolean()),
})

export const signInMe = operation({
  ...shared,
  id: 'signInMe',
  path: '/{projectKey}/me/login',
  summary: 'sign in a visitor; the latest cart of the session is merged if there is one',
  body: MyCustomerSignin,
  unexpected: signInReads,
  handle: async (context, {body}) => {
    const {email, password, activeCartSignInMode, updateProductData} = body
    const cartOptions: CartOptions = {
      ...sessionCartOptions(context),
      latestOfSession: true,
      anonymousCartSignInMode: activeCartSignInMode,
      updateProductData,
    }
    return await inPlaceOfSession(context, signIn(context, {email, password, ...cartOptions}))
  },
})
