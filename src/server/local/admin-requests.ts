import * as v from 'valibot'
import {Key} from '../../domain/rules.js'

/** The request schemas of the administration, apart from the handlers, so that callers load no more. */

/** A customer reference of the command line, in parts. */
export const CustomerName = v.object({
  by: v.picklist(['id', 'key', 'email', 'number', 'externalId', 'word']),
  value: v.pipe(v.string(), v.nonEmpty()),
})

export type CustomerName = v.InferOutput<typeof CustomerName>

export const NewProject = v.object({projectKey: v.string(), seedDir: v.exactOptional(v.string())})

export type NewProject = v.InferOutput<typeof NewProject>

export const QuoteRequest = v.object({
  projectKey: v.string(),
  customer: CustomerName,
  cart: v.string(),
  /** Key of the quote. Absent: it has none. */
  key: v.exactOptional(Key),
})

export type QuoteRequest = v.InferOutput<typeof QuoteRequest>

/** Scopes of a customer's own resources. */
export const myScopes = [
  'manage_my_profile',
  'manage_my_orders',
  'manage_my_quotes',
  'manage_my_shopping_lists',
] as const

export const CustomerTokenRequest = v.object({
  projectKey: v.string(),
  customer: CustomerName,
  storeKey: v.exactOptional(v.string()),
  /** Scopes of the token, only those for a customer's own resources; `manage_my_quotes` if absent. */
  scopes: v.exactOptional(v.array(v.picklist(myScopes))),
})

export type CustomerTokenRequest = v.InferOutput<typeof CustomerTokenRequest>
