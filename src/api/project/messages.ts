import * as v from 'valibot'
import {dayMs, isoTime} from '../../domain/iso-time.js'
import {JsonText} from '../../domain/json-text.js'
import type {Predicate} from '../../query/ast.js'
import {parsePage, readVars} from '../../query/page.js'
import {allOf, isAfter, isOneOfFacet} from '../../query/predicates.js'
import {parseWhere} from '../../query/where.js'
import type {Document} from '../../store/store.js'
import {fieldsOf} from '../operation/collection-fields.js'
import type {Context} from '../operation/context.js'
import {operation, type Query} from '../operation/operation.js'
import {documentBy, maxTotal, missing, type PagedResult, page, pageOf} from '../operation/read.js'
import {messageDay, parseIsoTime, periodsBetween} from '../operation/retention.js'

/** The last moment that a date can name. */
const endOfTime = 8.64e15
const shared = {
  method: 'GET',
  area: 'Messages',
  permission: {kind: 'bearer', anyOf: ['view_messages']},
  secrets: ['value'],
} as const

const shape = fieldsOf('message')

export interface Message extends Document {
  readonly type: string
  readonly createdAt: string
  readonly sequenceNumber: number
  readonly resource: {readonly typeId: string; readonly id: string}
  readonly value?: string
  readonly expiresAt?: string
}

const MessageReply = v.looseObject({
  id: v.string(),
  version: v.number(),
  sequenceNumber: v.number(),
  resource: v.looseObject({typeId: v.string(), id: v.string()}),
  resourceVersion: v.number(),
  type: v.string(),
  createdAt: v.string(),
  lastModifiedAt: v.string(),
}) as unknown as v.GenericSchema<Message>

const ofMessages = {kind: 'message', shape, asTexts: true} as const

/** How far ahead messages are looked for: the clock of a test may have been moved, and back. */
const aheadMs = 400 * dayMs

/** When the oldest message that is shown was made; never, while the project has messages disabled (decision 34). */
const keptSince = ({project, now}: Context): number =>
  project.messages.enabled ? now - project.messages.deleteDaysAfterCreation * dayMs : endOfTime

const kept = (context: Context): Predicate => isAfter('createdAt', isoTime(keptSince(context)))

const ofDays = (from: number, until: number): Predicate =>
  isOneOfFacet(messageDay, periodsBetween({period: 'day'}, from, until))

/** The moment before which no message satisfies the predicate. */
function earliest(where: Predicate | undefined): number {
  if (where?.op === 'and') return Math.max(...where.terms.map(earliest))
  if (where?.op !== 'compare' || where.field.path.join() !== 'createdAt') return -endOfTime
  const {comparison, value} = where
  const isBound = (comparison === '>' || comparison === '>=') && typeof value === 'string'
  return (isBound ? parseIsoTime(value) : undefined) ?? -endOfTime
}

/** A page of messages, from the index of their days where that spares reading the others. */
async function messages(context: Context, query: Query): Promise<PagedResult<Message>> {
  const {now} = context
  const since = keptSince(context)
  const isNewest = query.get('sort')?.join() === 'createdAt desc' && parsePage(query).offset === 0
  if (isNewest && since < now) return newestFirst(context, query, since)
  const asked = earliest(parseWhere(query.get('where') ?? [], shape, readVars(query)))
  const days = asked > since ? ofDays(asked, now + aheadMs) : undefined
  return page<Message>(context, {...ofMessages, query, only: allOf(kept(context), days)})
}

/** Reads day after day, until the page is full. */
async function newestFirst(context: Context, query: Query, since: number): Promise<PagedResult<Message>> {
  const {limit, offset, withTotal} = parsePage(query)
  const part = (only: Predicate | undefined, size: number, counts: boolean) =>
    page<Message>(context, {
      ...ofMessages,
      query: new Map([...query, ['limit', [String(size)]], ['withTotal', [String(counts)]]]),
      only,
    })
  const [today, lastDay] = [context.now, since].map((at) => Math.floor(at / dayMs) * dayMs) as [number, number]
  const ofLastDay = allOf(kept(context), ofDays(lastDay, lastDay + dayMs))
  const results: Message[] = []
  let isCut = false
  for (let from = today; !isCut && results.length < limit && from >= lastDay; from -= dayMs) {
    const day = from === lastDay ? ofLastDay : ofDays(from, from === today ? context.now + aheadMs : from + dayMs)
    const size = limit - results.length
    const found = await part(day, size, false)
    results.push(...found.results)
    isCut = found.limit < size
  }
  // A page that ended early names the number of its results as its limit.
  const found = {limit: isCut ? results.length : limit, offset, count: results.length}
  if (!withTotal) return {...found, results}
  const counted = await Promise.all([
    part(ofDays(lastDay + dayMs, context.now + aheadMs), 0, true),
    part(ofLastDay, 0, true),
  ])
  const total = counted.reduce((sum, {total: some = 0}) => sum + some, 0)
  return {...found, total: query.has('where') ? Math.min(total, maxTotal) : total, results}
}

/** The message as replies show it: without the value of an expired token. */
function shown(context: Context, message: Message | JsonText): Message {
  if (message instanceof JsonText) {
    // Few are of tokens: the others are shown as they are stored.
    return (message.bytes.includes('"expiresAt"') ? shown(context, message.toJSON() as Message) : message) as Message
  }
  const {now} = context
  if (message.value === undefined || message.expiresAt === undefined || Date.parse(message.expiresAt) > now)
    return message
  const {value: _, ...rest} = message
  return rest
}

export const queryMessages = operation({
  ...shared,
  id: 'queryMessages',
  head: 'messageExistsByQuery',
  path: '/{projectKey}/messages',
  summary: 'find messages by predicates',
  query: ['where', 'sort', 'expand', 'limit', 'offset', 'withTotal', 'var.*'],
  reply: pageOf(MessageReply),
  handle: async (context, {query}) => {
    const found = await messages(context, query)
    return {...found, results: found.results.map((message) => shown(context, message))}
  },
})

export const getMessage = operation({
  ...shared,
  id: 'getMessage',
  head: 'messageExistsById',
  path: '/{projectKey}/messages/{id}',
  summary: 'read a message',
  query: ['expand'],
  reply: MessageReply,
  handle: async (context, {params}) => {
    const message = await documentBy<Message>(context, 'message', params)
    if (!message || Date.parse(message.createdAt) <= keptSince(context)) throw missing('Message', params)
    return shown(context, message)
  },
})
