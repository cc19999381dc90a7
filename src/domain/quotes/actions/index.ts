import {type Registry, registryOf} from '../../action.js'
import {ownCustomActions} from '../../custom-actions.js'
import type {Quote} from '../quote.js'
import {changeMyQuoteState} from './change-my-quote-state.js'
import {requestQuoteRenegotiation} from './request-quote-renegotiation.js'

/** Every update action that a customer has on a quote of theirs, by name. */
export const myQuoteActions: Registry<Quote> = registryOf([
  changeMyQuoteState,
  requestQuoteRenegotiation,
  ...ownCustomActions<Quote>({resourceTypeId: 'quote', my: true}),
])
