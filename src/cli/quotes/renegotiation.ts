import type {UpdateAction} from '../../domain/action.js'
import {defined} from '../../domain/equal.js'
import type {Asker} from '../input/ask.js'

export const renegotiation = (buyerComment: string | undefined): UpdateAction => ({
  action: 'requestQuoteRenegotiation',
  ...defined({buyerComment}),
})

/** Asks for the comment that stays with the quote for good; going without one takes a yes. */
export async function askedRenegotiation(ask: Asker): Promise<UpdateAction> {
  const comment = (await ask.text('What should the seller know?', '--comment')).trim()
  if (comment !== '') return renegotiation(comment)
  await ask.confirm('Ask for another offer without a comment? It cannot be undone.')
  return renegotiation(undefined)
}
