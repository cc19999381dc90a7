import type {Client} from '../../client/client.js'
import {withoutPayload} from '../../domain/customers/erase.js'
import {defined, equal} from '../../domain/equal.js'
import {customerExists} from '../customers/calls.js'
import {relatedCount, relatedPage} from '../customers/related.js'
import {sessionsOf} from '../customers/sessions.js'

/** What the API shows about a customer's id, in numbers. A kind is absent where the client may not read it. */
export interface Traces {
  readonly customer: number
  readonly messages?: number
  /** Of the messages, those that say more than their type and time. */
  readonly messagesWithContent?: number
  readonly quotes?: number
  readonly quoteRequests?: number
  readonly carts?: number
  readonly sessions?: number
  readonly oneTimeTokens?: number
}

/** Messages that are looked at one by one, the latest. */
const looked = 500

/** Counts what refers to a customer, who may be gone. */
export async function tracesOf(client: Client, id: string): Promise<Traces> {
  const ofCustomer = {where: 'customer(id = :id)', 'var.id': id}
  const [exists, messages, sessions, quotes, quoteRequests, carts] = await Promise.all([
    customerExists(client, {by: 'id', value: id}),
    messagesAbout(client, id),
    sessionsOf(client, id),
    relatedCount(client, 'quotes', ofCustomer),
    relatedCount(client, 'quote-requests', ofCustomer),
    relatedCount(client, 'carts', {where: 'customerId = :id', 'var.id': id}),
  ])
  return defined({
    customer: Number(exists),
    ...messages,
    quotes,
    quoteRequests,
    carts,
    sessions: sessions?.sessions,
    oneTimeTokens: sessions?.openTokens.length,
  })
}

async function messagesAbout(client: Client, id: string): Promise<Pick<Traces, 'messages' | 'messagesWithContent'>> {
  const ask = (where: string) =>
    relatedPage(client, 'messages', {where, 'var.id': id, sort: 'createdAt desc', limit: looked, withTotal: false})
  const pages = await Promise.all([ask('resource(id = :id)'), ask('customerId = :id')])
  if (pages[0] === undefined) return {}
  const all = pages.flatMap((page) => (page?.results ?? []) as readonly {id: string}[])
  const messages = [...new Map(all.map((message) => [message.id, message])).values()]
  return {messages: messages.length, messagesWithContent: messages.filter(hasContent).length}
}

/** Whether a message says more than that something happened, to which opaque id, and when. */
const hasContent = (message: object): boolean => {
  const {createdBy: _, lastModifiedBy: __, ...rest} = message as Record<string, unknown>
  return !equal(withoutPayload(rest), rest)
}

/** What of the traces still says something about the person: after an erasure, nothing. */
export function remainsOf(traces: Traces): Readonly<Record<string, number>> {
  const {messages: _, ...counts} = traces
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
