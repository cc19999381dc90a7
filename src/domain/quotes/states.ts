export const quoteStates = [
  'Pending',
  'Declined',
  'DeclinedForRenegotiation',
  'RenegotiationAddressed',
  'Accepted',
  'Withdrawn',
] as const

export type QuoteState = (typeof quoteStates)[number]
