import {queryMessages} from '../../api/project/messages.js'
import type {Client} from '../../client/client.js'
import {ApiError} from '../../domain/errors.js'
import {cellText, valueAt} from '../output/fields.js'
import {spokenMoment} from '../output/times.js'
import {pageIn, type Unknown, whyUnknown} from './related.js'

export type Recent = readonly {readonly createdAt: string; readonly type: string}[]

interface WithMessages {
  readonly recentMessages?: Recent
}

const shownMessages = 8

const at = (document: unknown, member: string): string => cellText(valueAt(document, member))

/** The latest messages, and the latest change of the email behind them: a way in may rest on it. */
export async function messagesOfCard(client: Client, id: string): Promise<Recent | Unknown> {
  const latest = await recentMessages(client, id)
  if (typeof latest === 'string' || latest.length < shownMessages || latest.some(({type}) => type === emailChange))
    return latest
  const changes = await recentMessages(client, id, emailChange)
  return typeof changes === 'string' ? changes : [...latest, ...changes.slice(0, 1)]
}

/** The latest messages, of one type if it is named, or why they are unknown. */
export async function recentMessages(client: Client, id: string, type?: string): Promise<Recent | Unknown> {
  try {
    const answer: unknown = await client.call(
      queryMessages,
      {},
      {
        query: {
          where: ['resource(id = :id)', ...(type === undefined ? [] : [`type = "${type}"`])],
          'var.id': id,
          sort: ['createdAt desc'],
          limit: shownMessages,
          withTotal: false,
        },
      },
    )
    const page = pageIn(answer)
    return page?.results.map((one) => ({createdAt: at(one, 'createdAt'), type: at(one, 'type')})) ?? 'failed'
  } catch (error) {
    // A client that may only see customers still gets its card, and so does one of a server without messages.
    if (error instanceof ApiError) return whyUnknown(error.statusCode)
    throw error
  }
}

export const emailChange = 'CustomerEmailChanged'

/** How long a changed email stands on the card. */
const changedLatelyMs = 7 * 24 * 60 * 60 * 1000

/** When the email was changed, if that was lately: perhaps not by the customer. */
export function emailChanged({recentMessages = []}: WithMessages, now: number): string | undefined {
  const change = recentMessages.find(({type}) => type === emailChange)
  const isLate = change !== undefined && now - Date.parse(change.createdAt) < changedLatelyMs
  return isLate ? spokenMoment(change.createdAt, now)?.replace(/^now$/, 'just now') : undefined
}

/** The warning before a one-time token is created: a stranger may have changed the email before asking for one. */
export function emailWarningOf(card: WithMessages, now: number): string | undefined {
  const when = emailChanged(card, now)
  if (when !== undefined) return `The email was changed ${when}: is this the customer?`
  return card.recentMessages === undefined
    ? 'This client cannot read whether the email was changed lately: is this the customer?'
    : undefined
}
