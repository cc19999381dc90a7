import {getMessage, queryMessages} from '../../api/project/messages.js'
import type {Client, QueryValue} from '../../client/client.js'
import type {Paged} from '../input/query-options.js'

/** Calls about messages. */

export const messagePage = (client: Client, query: Readonly<Record<string, QueryValue>>): Promise<Paged> =>
  client.call(queryMessages, {}, {query})

export const messageOf = (client: Client, id: string) => client.call(getMessage, {id})

/** Masks the value of a one-time token unless `--reveal value` is given. */
export function withoutValue<T extends object>(message: T, reveal: readonly string[] | undefined): T {
  return 'value' in message &&
    typeof message.value === 'string' &&
    isTokenMessage(message) &&
    !reveal?.includes('value')
    ? {...message, value: '***'}
    : message
}

const isTokenMessage = (message: object): boolean =>
  'type' in message && typeof message.type === 'string' && message.type.endsWith('TokenCreated')
