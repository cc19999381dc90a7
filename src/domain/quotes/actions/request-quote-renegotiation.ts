import * as v from 'valibot'
import {defined, withMember} from '../../equal.js'
import {optional, Text} from '../../rules.js'
import {quoteAction, transition} from '../quote-action.js'

const renegotiation = {
  to: 'DeclinedForRenegotiation',
  permission: 'RenegotiateMyQuotes',
  verb: 'renegotiate a quote',
} as const

/** Declines a quote but asks for a better one. Has a message of its own instead of QuoteStateChanged (decision 31). */
export const requestQuoteRenegotiation = quoteAction({
  name: 'requestQuoteRenegotiation',
  summary: 'ask the seller for another offer',
  fields: ['quoteState', 'buyerComment'],
  schema: v.object({buyerComment: optional(Text)}),
  messages: ['QuoteRenegotiationRequested'],
  errors: ['InvalidOperation', 'AssociateMissingPermission'],
  my: true,
  apply: (quote, {buyerComment}, facts) => ({
    next: withMember(transition(quote, renegotiation, facts), 'buyerComment', buyerComment),
    messages: [{type: 'QuoteRenegotiationRequested', payload: defined({buyerComment})}],
  }),
})
