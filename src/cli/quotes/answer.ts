import {updateMyQuoteById} from '../../api/quotes/operations.js'
import type {Client} from '../../client/client.js'
import type {UpdateAction} from '../../domain/action.js'
import {isSameValue} from '../../domain/customers/diff-values.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {myQuoteActions} from '../../domain/quotes/actions.js'
import type {Quote} from '../../domain/quotes/quote.js'
import {Failure} from '../process/failure.js'
import type {Writer} from '../safety/door.js'
import {byVersion} from '../safety/settlements.js'
import {quoteOf} from './calls.js'

interface QuoteChange {
  readonly client: Client
  readonly before: Quote
  /** The version to expect instead of the one of `before`. */
  readonly version?: number | undefined
  readonly actions: readonly UpdateAction[]
  readonly expand?: readonly string[] | undefined
  readonly look: string
}

/** Sends actions. Throws a conflict with the current state if somebody else changed the quote first. */
export async function changeQuote(write: Writer, change: QuoteChange): Promise<Quote> {
  const {client, before, version = before.version, actions, expand, look} = change
  const {id} = before
  try {
    return await write({
      target: id,
      actions: actions.map(({action}) => action),
      versionBefore: version,
      request: () => client.call(updateMyQuoteById, {id}, {query: defined({expand}), body: {version, actions}}),
      settle: byVersion({
        what: 'The quote',
        client,
        look,
        version: before.version,
        read: () => quoteOf(client, {by: 'id', value: id}, expand),
        holds: (now) => actions.every((action) => isIn(now, action)),
      }),
    })
  } catch (error) {
    throw await conflictOf(error, client, {...before, version})
  }
}

/** InvalidOperation as a conflict if the quote has changed meanwhile; otherwise the error itself. */
async function conflictOf(error: unknown, client: Client, before: Quote): Promise<unknown> {
  if (!(error instanceof ApiError)) return error
  if (!error.is('ConcurrentModification') && !error.is('InvalidOperation')) return error
  const now = await quoteOf(client, {by: 'id', value: before.id}).catch(() => undefined)
  if (!now || (now.version === before.version && error.is('InvalidOperation'))) return error
  return movedFailure('Somebody else was faster', now, error)
}

/** Throws a conflict unless the quote is Pending. */
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
      details: [{id, ...defined({key}), version, quoteState}],
      cause,
    },
  )
}

function isIn(quote: Quote, {action, ...body}: UpdateAction): boolean {
  const {quoteState, buyerComment, custom} = quote
  switch (action) {
    case 'changeMyQuoteState':
      return quoteState === body['quoteState']
    case 'requestQuoteRenegotiation':
      return quoteState === 'DeclinedForRenegotiation' && buyerComment === body['buyerComment']
    case 'setCustomField':
      return isSameValue(custom?.fields[String(body['name'])], body['value'] ?? undefined)
    case 'setCustomType':
      return isSameCustom(custom, body)
    default:
      return false
  }
}

/** A type that is named by its key cannot be told from another here; its fields can. */
function isSameCustom(custom: Quote['custom'], {type, fields}: Readonly<Record<string, unknown>>): boolean {
  if (type === undefined || type === null) return custom === undefined
  const {id} = type as {readonly id?: string}
  return custom !== undefined && (id === undefined || custom.type.id === id) && isSameValue(custom.fields, fields ?? {})
}

export const messagesOf = (actions: readonly UpdateAction[]): string[] =>
  actions.flatMap(({action}) => myQuoteActions.get(action)?.messages ?? [])
