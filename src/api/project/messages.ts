import * as v from 'valibot'
import {notFound} from '../../domain/errors.js'
import type {Predicate, Shape} from '../../query/ast.js'
import {isAfter} from '../../query/predicates.js'
import type {Document} from '../../store/store.js'
import {pageOf} from '../customers/operations.js'
import {existence, existenceByQuery} from '../operation/by-id-and-key.js'
import {timestamp} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {operation} from '../operation/operation.js'
import {expanded, page} from '../operation/read.js'

const area = 'Messages'
const permission = {kind: 'bearer', anyOf: ['view_messages']} as const

/** The members of a message depend on its type, so predicates may name any. */
const shape: Shape = {open: true}

export interface Message extends Document {
  readonly type: string
  readonly createdAt: string
  readonly sequenceNumber: number
  readonly resource: {readonly typeId: string; readonly id: string}
  readonly value?: string
  readonly expiresAt?: string
}

export const MessageReply = v.looseObject({
  id: v.string(),
  version: v.number(),
  sequenceNumber: v.number(),
  resource: v.looseObject({typeId: v.string(), id: v.string()}),
  resourceVersion: v.number(),
  type: v.string(),
  createdAt: v.string(),
  lastModifiedAt: v.string(),
}) as unknown as v.GenericSchema<Message>

const dayMs = 86_400_000

/** Matches messages within their retention; none while the project has messages disabled (decision 34). */
function kept({project, now}: Context): Predicate {
  const since = project.messages.enabled
    ? now - project.messages.deleteDaysAfterCreation * dayMs
    : Number.MAX_SAFE_INTEGER
  return isAfter('createdAt', timestamp(Math.min(since, 8.64e15)))
}

/** The message as replies show it: without the value of an expired token. */
function shown({now}: Context, message: Message): Message {
  if (message.value === undefined || message.expiresAt === undefined || Date.parse(message.expiresAt) > now)
    return message
  const {value: _, ...rest} = message
  return rest
}

export const queryMessages = operation({
  id: 'queryMessages',
  method: 'GET',
  path: '/{projectKey}/messages',
  summary: 'find messages by predicates',
  area,
  permission,
  query: ['where', 'sort', 'expand', 'limit', 'offset', 'withTotal', 'var.*'],
  success: 200,
  secrets: ['value'],
  reply: pageOf(MessageReply),
  handle: async (context, {query}) => {
    const found = await page<Message>(context, 'message', shape, query, kept(context))
    return {status: 200, body: {...found, results: found.results.map((message) => shown(context, message))}}
  },
})

export const getMessage = operation({
  id: 'getMessage',
  method: 'GET',
  path: '/{projectKey}/messages/{id}',
  summary: 'read a message',
  area,
  permission,
  query: ['expand'],
  success: 200,
  secrets: ['value'],
  reply: MessageReply,
  handle: async (context, {params, query}) => {
    const {platform, project, now} = context
    const message = await platform.state.get<Message>(project.key, 'message', params.id)
    const age = message ? now - Date.parse(message.createdAt) : 0
    if (!message || !project.messages.enabled || age > project.messages.deleteDaysAfterCreation * dayMs) {
      throw notFound(`The Message with ID '${params.id}' was not found.`)
    }
    return {status: 200, body: await expanded(context, shown(context, message), query)}
  },
})

export const messageExistsById = existence('messageExistsById', getMessage, 'tell whether a message exists')

export const messageExistsByQuery = existenceByQuery(
  'messageExistsByQuery',
  queryMessages,
  'tell whether any message satisfies the predicates',
)
