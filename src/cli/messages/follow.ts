import {setTimeout as pause} from 'node:timers/promises'
import {queryMessages} from '../../api/project/messages.js'
import type {Client, QueryValue} from '../../client/client.js'

export interface SeenMessage {
  readonly id: string
  readonly type: string
  readonly createdAt: string
}

export interface FollowOptions {
  readonly client: Client
  readonly query: Readonly<Record<string, QueryValue>>
  /** Only messages after this moment, ISO 8601. */
  readonly since: string
  readonly intervalMs: number
  readonly signal: AbortSignal
}

const pageSize = 500

/** Yields new messages in order, each once, until the signal is aborted. */
export async function* follow({client, query, since, intervalMs, signal}: FollowOptions): AsyncGenerator<SeenMessage> {
  let after = since
  let seen = new Set<string>()
  const where = Array.isArray(query['where']) ? (query['where'] as string[]) : []
  while (!signal.aborted) {
    const {results} = await client.call(
      queryMessages,
      {},
      {
        query: {
          ...query,
          where: [...where, 'createdAt >= :since'],
          'var.since': after,
          sort: ['createdAt asc', 'id asc'],
          limit: pageSize,
          withTotal: false,
        },
      },
    )
    const fresh = results.filter(({id}) => !seen.has(id))
    for (const message of fresh) yield message
    const last = results.at(-1)?.createdAt
    // Messages with the timestamp of the last one may still arrive; only their ids are remembered.
    if (last !== undefined && last !== after) seen = new Set()
    after = last ?? after
    for (const message of results) if (message.createdAt === after) seen.add(message.id)
    if (fresh.length === 0) await pause(intervalMs, undefined, {signal}).catch(() => undefined)
  }
}
