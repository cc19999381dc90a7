import * as v from 'valibot'
import {type Move, quoteAction, transition} from '../quote-action.js'

const moves = {
  Accepted: {to: 'Accepted', permission: 'AcceptMyQuotes', verb: 'accept a quote'},
  Declined: {to: 'Declined', permission: 'DeclineMyQuotes', verb: 'decline a quote'},
} as const satisfies Record<string, Move>

/** Accepts or declines a quote that waits for an answer. Source: API › My Quotes. */
export const changeMyQuoteState = quoteAction({
  name: 'changeMyQuoteState',
  summary: 'accept or decline the quote',
  fields: ['quoteState'],
  schema: v.object({quoteState: v.picklist(['Accepted', 'Declined'])}),
  messages: ['QuoteStateChanged'],
  errors: ['InvalidOperation', 'AssociateMissingPermission'],
  my: true,
  apply: (quote, {quoteState}, facts) => ({
    next: transition(quote, moves[quoteState], facts),
    messages: [{type: 'QuoteStateChanged', payload: {quoteState, oldQuoteState: quote.quoteState}}],
  }),
})
