import {actionOf, type Facts} from '../action.js'
import {ApiError} from '../errors.js'
import type {Quote} from './quote.js'
import {isCustomerMove, type QuoteState} from './states.js'

/** Declares an update action of quotes. */
export const quoteAction = actionOf<Quote>()

/** A transition of a quote by its customer, and the permission that it requires in a business unit (decision 32). */
export interface Move {
  readonly to: QuoteState
  readonly permission: string
  /** Completes `has no rights to …`. */
  readonly verb: string
}

/**
 * The quote in another state. Throws AssociateMissingPermission for a business unit's quote without the permission, and
 * InvalidOperation if its state does not allow the transition.
 */
export function transition(quote: Quote, {to, permission, verb}: Move, {associate}: Facts): Quote {
  const {businessUnit, quoteState} = quote
  if (businessUnit && !associate?.permissions.has(permission)) {
    throw ApiError.of('AssociateMissingPermission', {
      associate: {typeId: 'customer', id: associate?.customerId ?? ''},
      businessUnit,
      permissions: [permission],
      action: verb,
    })
  }
  if (isCustomerMove(quoteState, to)) return {...quote, quoteState: to}
  throw ApiError.of('InvalidOperation', {
    message: `The quote is in state '${quoteState}'; to ${verb} it must be in state 'Pending'.`,
  })
}
