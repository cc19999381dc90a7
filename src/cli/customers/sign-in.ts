import type {SignInResult} from '../../api/accounts/sign-up.js'
import {queryCustomers} from '../../api/customers/operations.js'
import type {Client} from '../../client/client.js'
import type {Reading, Settlement} from '../../client/settle.js'
import {canonicalEmail} from '../../domain/customers/identity.js'
import {ApiError} from '../../domain/errors.js'
import {listAt, textAt} from '../output/fields.js'
import {inStoreOf} from './calls.js'
import {onlyOne} from './candidates.js'
import {signIn} from './passwords.js'
import {documentAt} from './related.js'

/**
 * The client for the sign-in of an email: in the store of the customer, if it belongs to one, since the same email may
 * belong to another customer elsewhere. Throws ReferenceAmbiguous if several customers have it. Without permission to
 * query customers, the sign-in goes without a store.
 */
export async function signInClient(client: Client, email: string): Promise<Client> {
  if (client.storeKey !== undefined) return client
  const query = {where: 'lowercaseEmail = :email', 'var.email': canonicalEmail(email), limit: 3, withTotal: false}
  try {
    const {results} = await client.call(queryCustomers, {}, {query})
    if (results.length === 0) return client
    return inStoreOf(client, await onlyOne(results, {by: 'email', value: email}, undefined))
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 403 && !error.isForeign) return client
    throw error
  }
}

interface SignIn {
  readonly client: Client
  readonly body: SignInBody
  readonly look: string
}

interface SignInBody {
  readonly email: string
  readonly password: string
  readonly anonymousCart?: {readonly key: string} | {readonly id: string}
  readonly anonymousId?: string
  readonly updateProductData?: boolean
}

/** Settles a sign-in by the cart that it takes over; one without a cart changes nothing that a repeat would not. */
export const signInOf = ({client, body, look}: SignIn): Settlement<SignInResult> => ({
  fenced: true,
  look,
  read: async (): Promise<Reading<SignInResult>> => {
    const {anonymousCart: cart, anonymousId, email, password, updateProductData} = body
    if (cart === undefined && anonymousId === undefined) {
      return updateProductData
        ? {open: 'The names in the cart may have been renewed.', harmless: true}
        : {unchanged: 'A sign-in without a cart changes nothing.'}
    }
    const isTaken = cart ? await isOwned(client, cart) : !(await hasSession(client, anonymousId ?? ''))
    if (!isTaken) return {unchanged: 'The cart still belongs to the anonymous session.'}
    return {happened: await signIn(client, {email, password})}
  },
})

async function isOwned(client: Client, cart: {readonly key: string} | {readonly id: string}): Promise<boolean> {
  const name = 'key' in cart ? `key=${encodeURIComponent(cart.key)}` : encodeURIComponent(cart.id)
  return textAt(await documentAt(client, `carts/${name}`), 'customerId') !== ''
}

async function hasSession(client: Client, anonymousId: string): Promise<boolean> {
  const query = {where: 'anonymousId = :id', 'var.id': anonymousId, limit: 1}
  return listAt(await documentAt(client, 'carts', query), 'results').length > 0
}
