import {setTimeout as pause} from 'node:timers/promises'
import {queryMessages} from '../../api/project/messages.js'
import type {Client, QueryValue} from '../../client/client.js'

export interface SeenMessage {
  readonly id: string
  readonly type: string
  readonly createdAt: string
}

interface FollowOptions {
  readonly client: Client
  readonly query: Readonly<Record<string, QueryValue>>
  /** Only messages after this moment, ISO 8601. */
  readonly since: string
  readonly intervalMs: number
  readonly signal: AbortSignal
}

const pageSize = 500

/** Yields new messages in order, each once, until the signal is aborted, which ends a request on its way as well. */
export async function* follow(options: FollowOptions): AsyncGenerator<SeenMessage> {
  try {
    yield* followed(options)
  } catch (error) {
    if (!options.signal.aborted) throw error
  }
}

async function* followed({client, query, since, intervalMs, signal}: FollowOptions): AsyncGenerator<SeenMessage> {
  const where = Array.isArray(query['where']) ? (query['where'] as string[]) : []
  // Behind the last message that was yielded, by its moment and its id; any number may share a moment.
  let last: Pick<SeenMessage, 'id' | 'createdAt'> | undefined
  // A message of the last moment may have a smaller id and come later.
  let seen = new Set<string>()
  const ask = async (predicate: string, values: Readonly<Record<string, string>>): Promise<readonly SeenMessage[]> => {
    const variables = Object.fromEntries(Object.entries(values).map(([name, value]) => [`var.${name}`, value]))
    const page = {sort: ['createdAt asc', 'id asc'], limit: pageSize, withTotal: false}
    const asked = {...query, where: [...where, predicate], ...variables, ...page}
    return (await client.call(queryMessages, {}, {query: asked, signal})).results
  }
  /** All messages of the last moment with smaller ids, page by page. */
  const before = async ({createdAt, id}: Pick<SeenMessage, 'id' | 'createdAt'>): Promise<readonly SeenMessage[]> => {
    const all: SeenMessage[] = []
    for (;;) {
      const after = all.at(-1)?.id ?? ''
      const found = await ask('createdAt = :at and id < :id and id > :after', {at: createdAt, id, after})
      all.push(...found)
      if (found.length < pageSize) return all
    }
  }
  while (!signal.aborted) {
    const again = last === undefined ? [] : await before(last)
    const results =
      last === undefined
        ? await ask('createdAt >= :at', {at: since})
        : await ask('createdAt > :at or (createdAt = :at and id > :id)', {at: last.createdAt, id: last.id})
    const fresh = [...again.filter(({id}) => !seen.has(id)), ...results]
    for (const message of fresh) yield message
    const newest = results.at(-1)
    if (newest !== undefined && newest.createdAt !== last?.createdAt) seen = new Set()
    last = newest ?? last
    for (const {id, createdAt} of fresh) if (createdAt === last?.createdAt) seen.add(id)
    if (fresh.length === 0) await pause(intervalMs, undefined, {signal}).catch(() => undefined)
  }
}
