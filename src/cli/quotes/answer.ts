import type {Client, QueryValue} from '../../client/client.js'
import {updateMyQuoteById} from '../../client/operations/my-quotes.js'
import type {UpdateAction} from '../../domain/action.js'
import {ApiError} from '../../domain/errors.js'
import {myQuoteActions} from '../../domain/quotes/actions/index.js'
import type {Quote} from '../../domain/quotes/quote.js'
import type {QuoteState} from '../../domain/quotes/states.js'
import {Failure} from '../failure.js'
import {quoteOf} from './calls.js'

/** Sends actions with the version that was read. Throws a conflict that tells the current state if somebody was faster. */
export async function changeQuote(
  client: Client,
  before: Quote,
  actions: readonly UpdateAction[],
  expand?: readonly string[],
): Promise<Quote> {
  const {id, version} = before
  const query: Record<string, QueryValue> = expand === undefined ? {} : {expand}
  try {
    return await client.call(updateMyQuoteById, {id}, {query, body: {version, actions}})
  } catch (error) {
    throw await conflictOf(error, client, before)
  }
}

/** What the API calls an invalid operation is a conflict if the quote has moved meanwhile. */
async function conflictOf(error: unknown, client: Client, before: Quote): Promise<unknown> {
  if (!(error instanceof ApiError)) return error
  if (!error.is('ConcurrentModification') && !error.is('InvalidOperation')) return error
  const now = await quoteOf(client, {by: 'id', value: before.id}).catch(() => undefined)
  if (!now || (now.version === before.version && error.is('InvalidOperation'))) return error
  return movedFailure('Somebody else was faster', now, error)
}

/** Throws a conflict unless the quote still waits for an answer. */
export function checkPending(quote: Quote): void {
  if (quote.quoteState !== 'Pending') throw movedFailure('It was answered before', quote)
}

function movedFailure(why: string, {id, version, key, quoteState}: Quote, cause?: ApiError): Failure {
  const isOpen = quoteState === 'Pending'
  return new Failure(
    'conflict',
    cause?.code ?? 'InvalidOperation',
    `${why}: the quote is ${quoteState}, at version ${version}.`,
    {
      hints: [isOpen ? 'Look at it again, and repeat.' : 'Only a quote that is Pending can be answered.'],
      details: [{id, ...(key === undefined ? {} : {key}), version, quoteState}],
      ...(cause === undefined ? {} : {statusCode: cause.statusCode, cause}),
      ...(cause?.correlationId === undefined ? {} : {correlationId: cause.correlationId}),
    },
  )
}

/** The quote if a write without an answer had its effect. */
export async function reconciled(client: Client, before: Quote, to: QuoteState): Promise<Quote | undefined> {
  const now = await quoteOf(client, {by: 'id', value: before.id})
  return now.version > before.version && now.quoteState === to ? now : undefined
}

/** Messages that actions can produce. */
export const messagesOf = (actions: readonly UpdateAction[]): string[] =>
  actions.flatMap(({action}) => myQuoteActions.get(action)?.messages ?? [])
