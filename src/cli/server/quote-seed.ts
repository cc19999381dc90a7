import {administer} from '../../client/local/admin.js'
import {defined} from '../../domain/equal.js'
import type {Quote} from '../../domain/quotes/quote.js'
import {type Given, textFlag} from '../input/flags.js'
import {parseRef, type Ref, refText} from '../input/refs.js'
import {invalidValue, usage} from '../process/failure.js'
import {ambiguous} from '../quotes/identity.js'
import type {LocalState} from './server-command.js'

/** Creates a pending quote from a cart on the local server, in place of the seller. */

export const quoteSeedFlags = {
  'quote-for': textFlag('REF', 'Create a pending quote for this customer, valid for thirty days.', {
    dependsOn: ['cart'],
  }),
  cart: textFlag('KEY', 'Cart of the customer with the items of the quote, for --quote-for.', {
    dependsOn: ['quote-for'],
  }),
  'quote-key': textFlag('KEY', 'Key of the new quote.', {dependsOn: ['quote-for']}),
}

export type QuoteSeedFlags = Given<typeof quoteSeedFlags>

export interface QuoteSeed {
  readonly customer: Ref
  readonly cart: string
  readonly key?: string
}

/** What the flags ask for; undefined if they ask for no quote. */
export function quoteSeedOf({'quote-for': customer, cart, 'quote-key': key}: QuoteSeedFlags): QuoteSeed | undefined {
  if (customer === undefined || cart === undefined) return undefined
  if (cart.trim() === '') throw usage('--cart is empty.', 'Give the key of a cart.')
  if (key !== undefined && !/^[A-Za-z0-9_-]{2,256}$/.test(key)) {
    throw invalidValue(`'${key}' cannot be a key.`, 'Keys are 2 to 256 letters, digits, - and _.')
  }
  return {customer: parseRef(customer), cart: cart.replace(/^key=/, ''), ...defined({key})}
}

export const quoteSeedText = ({customer, cart}: QuoteSeed): string =>
  `a quote for ${refText(customer)} from the cart ${cart}`

/** Makes the quote. Throws ApiError for a cart that no quote can be made of or a key in use, Failure for an ambiguous customer. */
export async function seedQuote({dataDir, projectKey}: LocalState, seed: QuoteSeed): Promise<Quote> {
  try {
    return await administer(dataDir, 'addQuote', {body: {projectKey, ...seed}})
  } catch (error) {
    throw ambiguous(error)
  }
}
