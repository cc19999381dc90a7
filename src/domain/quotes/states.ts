export const quoteStates = [
  'Pending',
  'Declined',
  'DeclinedForRenegotiation',
  'RenegotiationAddressed',
  'Accepted',
  'Withdrawn',
] as const

export type QuoteState = (typeof quoteStates)[number]

/** The transitions of a quote that its customer may make. Decision 31. */
export const customerMoves = {
  Pending: ['Accepted', 'Declined', 'DeclinedForRenegotiation'],
  Declined: [],
  DeclinedForRenegotiation: [],
  RenegotiationAddressed: [],
  Accepted: [],
  Withdrawn: [],
} as const satisfies Record<QuoteState, readonly QuoteState[]>

/** Whether a customer may move a quote from one state to another; staying in a state is not a transition. */
export const isCustomerMove = (from: QuoteState, to: QuoteState): boolean =>
  (customerMoves[from] as readonly QuoteState[]).includes(to)
