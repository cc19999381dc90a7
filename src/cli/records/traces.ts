import type {Client} from '../../client/client.js'
import {withoutPayload} from '../../domain/customers/erase.js'
import {defined, equal} from '../../domain/equal.js'
import {customerExists} from '../customers/calls.js'
import {allRelated, kindsOfCustomers, relatedCount, type Unknown} from '../customers/related.js'
import {sessionsOf} from '../customers/sessions.js'
import {valueAt} from '../output/fields.js'

/** What the API shows about a customer's id, in numbers. A kind is absent where the client may not read it. */
export interface Traces {
  readonly customer: number
  readonly messages?: number
  /** Of the messages, those that say more than their type and time. */
  readonly messagesWithContent?: number
  readonly sessions?: number
  readonly oneTimeTokens?: number
  readonly documents?: Readonly<Record<string, number>>
  /** What the client may not read or the target does not serve: what is left of it is unknown. */
  readonly notLookedAt?: readonly string[]
  /** Of these, what the target has, and the client may not read or could not be read. */
  readonly notReadable?: readonly string[]
}

/** Counts what refers to a customer, who may be gone. */
export async function tracesOf(client: Client, id: string): Promise<Traces> {
  const [exists, messages, sessions, counts] = await Promise.all([
    customerExists(client, {by: 'id', value: id}),
    messagesAbout(client, id),
    sessionsOf(client, id),
    Promise.all(
      kindsOfCustomers.map(async ({name, segment, where}) => {
        return [name, await relatedCount(client, segment, {where, 'var.id': id})] as const
      }),
    ),
  ])
  const isUntold = sessions === 'not served' || sessions === 'not readable'
  const told = typeof sessions === 'string' ? undefined : sessions
  const documents = counts.filter((one): one is [string, number] => typeof one[1] === 'number')
  const of = (wanted: Unknown) => counts.filter(([, count]) => count === wanted).map(([name]) => name)
  const unread = [...of('not readable'), ...of('failed'), ...(exists && sessions === 'failed' ? ['sessions'] : [])]
  const hidden = messages.messages === undefined ? ['messages', ...unread] : unread
  const notLookedAt = [...hidden, ...of('not served'), ...(exists && isUntold ? ['sessions'] : [])]
  return defined({
    customer: Number(exists),
    ...messages,
    sessions: told?.sessions,
    oneTimeTokens: told?.openTokens.length,
    documents: Object.fromEntries(documents),
    notLookedAt: notLookedAt.length === 0 ? undefined : notLookedAt,
    notReadable: hidden.length === 0 ? undefined : hidden,
  })
}

async function messagesAbout(client: Client, id: string): Promise<Pick<Traces, 'messages' | 'messagesWithContent'>> {
  const ask = (where: string) => allRelated(client, 'messages', {where, 'var.id': id})
  const [own, others] = await Promise.all([ask('resource(id = :id)'), ask('customerId = :id')])
  if (typeof own === 'string') return {}
  const all = [...own, ...(typeof others === 'string' ? [] : others)]
  // What has no id is a message of its own.
  const messages = [...new Map(all.map((message) => [valueAt(message, 'id') ?? message, message])).values()]
  return {messages: messages.length, messagesWithContent: messages.filter(hasContent).length}
}

/** Whether a message says more than that something happened, to which opaque id, and when. */
const hasContent = (message: object): boolean => {
  const {createdBy: _, lastModifiedBy: __, ...rest} = message as Record<string, unknown>
  return !equal(withoutPayload(rest), rest)
}

/** What `customers erased` says of a customer, and whether the customer is erased. */
export function verdictOf(
  id: string,
  left: Traces,
  {kept, isRecorded}: {readonly kept: Readonly<Record<string, number>>; readonly isRecorded: boolean},
): {readonly isKnown: boolean; readonly erased: boolean; readonly verdict: string} {
  const found = Object.entries({...remainsOf(left), ...kept}).map(([what, count]) => `${count} ${what}`)
  const {messages = 0, notReadable = []} = left
  const isKnown = found.length > 0 || isRecorded || messages > 0
  if (found.length > 0) return {isKnown, erased: false, verdict: `${id} is NOT erased; left: ${found.join(', ')}`}
  if (notReadable.length > 0) {
    const verdict = `whether ${id} is erased is unknown: the client could not read ${notReadable.join(', ')}`
    return {isKnown: true, erased: false, verdict}
  }
  if (!isKnown) return {isKnown, erased: false, verdict: `there is no trace of a customer ${id}`}
  const verdict = `${id} is erased: nothing is left but ${messages} messages without content`
  return {isKnown, erased: true, verdict}
}

/** What of the traces still says something about the person: after an erasure, nothing. */
export function remainsOf(traces: Traces): Readonly<Record<string, number>> {
  const {messages: _, documents = {}, notLookedAt: __, notReadable: ___, ...counts} = traces
  const all = Object.entries<number>({...counts, ...documents})
  return Object.fromEntries(all.filter(([, count]) => count > 0))
}
