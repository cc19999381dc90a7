import type {Client} from '../../client/client.js'
import {cellAt} from '../output/fields.js'
import {spokenMoment} from '../output/times.js'
import {relatedPage, type Unknown} from './related.js'

export type Recent = readonly {readonly createdAt: string; readonly type: string}[]

interface WithMessages {
  readonly recentMessages?: Recent
}

const shownMessages = 8

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
  const page = await relatedPage(client, 'messages', {
    where: ['resource(id = :id)', ...(type === undefined ? [] : [`type = "${type}"`])],
    'var.id': id,
    sort: ['createdAt desc'],
    limit: shownMessages,
    withTotal: false,
  })
  return typeof page === 'string'
    ? page
    : page.results.map((one) => ({createdAt: cellAt(one, 'createdAt'), type: cellAt(one, 'type')}))
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
