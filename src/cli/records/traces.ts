import type {Client} from '../../client/client.js'
import {withoutPayload} from '../../domain/customers/erase.js'
import {defined, equal} from '../../domain/equal.js'
import {customerExists} from '../customers/calls.js'
import {isAbsent, kindsOfCustomers, pageIn, relatedPage} from '../customers/related.js'
import {sessionsOf} from '../customers/sessions.js'

/** What the API shows about a customer's id, in numbers. A kind is absent where the client may not read it. */
export interface Traces {
  readonly customer: number
  readonly messages?: number
  /** Of the messages, those that say more than their type and time. */
  readonly messagesWithContent?: number
  readonly sessions?: number
  readonly oneTimeTokens?: number
  /** Documents of each kind of the target. */
  readonly documents?: Readonly<Record<string, number>>
  /** What the client may not read, so that nobody knows what is left. */
  readonly notLookedAt?: readonly string[]
}

/** Messages that are looked at one by one, the latest. */
const looked = 500

/** Counts what refers to a customer, who may be gone. */
export async function tracesOf(client: Client, id: string): Promise<Traces> {
  const [exists, messages, sessions, counts] = await Promise.all([
    customerExists(client, {by: 'id', value: id}),
    messagesAbout(client, id),
    sessionsOf(client, id),
    Promise.all(kindsOfCustomers.map(async (kind) => [kind.name, await countOf(client, id, kind)] as const)),
  ])
  const documents = counts.filter((one): one is [string, number] => typeof one[1] === 'number')
  const hidden = [
    ...(messages.messages === undefined ? ['messages'] : []),
    ...counts.filter(([, count]) => count === 'not readable').map(([name]) => name),
  ]
  return defined({
    customer: Number(exists),
    ...messages,
    sessions: sessions?.sessions,
    oneTimeTokens: sessions?.openTokens.length,
    documents: Object.fromEntries(documents),
    notLookedAt: hidden.length === 0 ? undefined : hidden,
  })
}

type Kind = (typeof kindsOfCustomers)[number]

/** How many documents of a kind a customer has; undefined where the target has none of the kind. */
async function countOf(
  client: Client,
  id: string,
  {segment, where}: Kind,
): Promise<number | 'not readable' | undefined> {
  const query = {where, 'var.id': id, limit: 1}
  const {status, body} = await client.raw('GET', `/${client.projectKey}/${segment}`, {query})
  if (isAbsent(status)) return undefined
  return (status === 200 ? pageIn(body)?.total : undefined) ?? 'not readable'
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
  const {messages: _, documents = {}, notLookedAt: __, ...counts} = traces
  const all = Object.entries<number>({...counts, ...documents})
  return Object.fromEntries(all.filter(([, count]) => count > 0))
}
