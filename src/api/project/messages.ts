import * as v from 'valibot'
import {dayMs, isoTime} from '../../domain/iso-time.js'
import {JsonText} from '../../domain/json-text.js'
import {fieldsOf} from '../../domain/resource-fields.js'
import {isAfter} from '../../query/predicates.js'
import type {Document} from '../../store/store.js'
import type {Context} from '../operation/context.js'
import {operation} from '../operation/operation.js'
import {documentBy, missing, page, pageOf} from '../operation/read.js'

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

/** When the oldest message that is shown was made; never, while the project has messages disabled (decision 34). */
const keptSince = ({project, now}: Context): number =>
  project.messages.enabled ? now - project.messages.deleteDaysAfterCreation * dayMs : endOfTime

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
    const only = isAfter('createdAt', isoTime(keptSince(context)))
    const found = await page<Message>(context, {kind: 'message', shape, asTexts: true, query, only})
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
