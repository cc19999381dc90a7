export const quoteStates = [
  'Pending',
  'Declined',
  'DeclinedForRenegotiation',
  'RenegotiationAddressed',
  'Accepted',
  'Withdrawn',
] as const

export type QuoteState = (typeof quoteStates)[number]

/** Where a customer may move a quote. Decision 31. */
export const customerMoves = {
  Pending: ['Accepted', 'Declined', 'DeclinedForRenegotiation'],
  Declined: [],
  DeclinedForRenegotiation: [],
  RenegotiationAddressed: [],
  Accepted: [],
  Withdrawn: [],
} as const satisfies Record<QuoteState, readonly QuoteState[]>

/** Whether a customer may move a quote from one state to another; staying is no move. */
export const isCustomerMove = (from: QuoteState, to: QuoteState): boolean =>
  (customerMoves[from] as readonly QuoteState[]).includes(to)
