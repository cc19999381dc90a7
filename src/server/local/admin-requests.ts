import * as v from 'valibot'
import {Key} from '../../domain/rules.js'

/** What the operations of the administration are asked, apart from what answers them: their callers load no more. */

/** How a command names a customer: as a reference of the command line, in parts. */
export const CustomerName = v.object({
  by: v.picklist(['id', 'key', 'email', 'number']),
  value: v.pipe(v.string(), v.nonEmpty()),
})

export type CustomerName = v.InferOutput<typeof CustomerName>

/** Which project is added, and from which seed pack. */
export const NewProject = v.object({projectKey: v.string(), seedDir: v.exactOptional(v.string())})

export type NewProject = v.InferOutput<typeof NewProject>

/** Who gets a quote, and of which cart. */
export const QuoteRequest = v.object({
  projectKey: v.string(),
  customer: CustomerName,
  /** Key of the cart. */
  cart: v.string(),
  /** Key of the quote. Absent: it has none. */
  key: v.exactOptional(Key),
})

export type QuoteRequest = v.InferOutput<typeof QuoteRequest>

const myScopes = ['manage_my_profile', 'manage_my_orders', 'manage_my_quotes', 'manage_my_shopping_lists'] as const

/** Whom a token is for. */
export const CustomerTokenRequest = v.object({
  projectKey: v.string(),
  customer: CustomerName,
  storeKey: v.exactOptional(v.string()),
  /** What the token opens; `manage_my_quotes` if absent. Only what is the customer's own can be asked for. */
  scopes: v.exactOptional(v.array(v.picklist(myScopes))),
})

export type CustomerTokenRequest = v.InferOutput<typeof CustomerTokenRequest>
