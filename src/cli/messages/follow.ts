import {setTimeout as pause} from 'node:timers/promises'
import {queryMessages} from '../../api/project/messages.js'
import type {Client, QueryValue} from '../../client/client.js'
import {compareText} from '../../query/text-order.js'
import {BoundedMap} from '../../work/bounded-map.js'
import {durationMs} from '../process/durations.js'
import type {Connection} from '../run/connection.js'
import type {Run} from '../run/run.js'
import type {ResolvedTarget} from '../target/target.js'
import {type SelectFlags, selection} from './select.js'

export interface SeenMessage {
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly sequenceNumber: number
  readonly resource: {readonly typeId: string; readonly id: string}
}

type Position = Pick<SeenMessage, 'id' | 'createdAt' | 'sequenceNumber'>

export type Reader = Pick<Client, 'call' | 'serverTime'>

export interface FollowOptions {
  readonly client: Reader
  readonly query: Readonly<Record<string, QueryValue>>
  /** Messages after this moment, ISO 8601. Absent: those that appear from now on. */
  readonly since?: string | undefined
  /** Called with the latest messages that were there already, so that they are known. */
  readonly passed?: (batch: readonly SeenMessage[]) => void
  readonly intervalMs: number
  readonly signal: AbortSignal
}

const pageSize = 500
const batchSize = 5 * pageSize
/** Messages that are counted at once: totals end at 10,000. */
const sliceSize = 5_000

/**
 * How far back a message may appear: servers on one database commit side by side, their clocks differ, and the platform is
 * eventually consistent.
 */
export const lookBackMs = 60_000

const after = 'createdAt >= :a and (createdAt > :a or sequenceNumber > :an or (sequenceNumber = :an and id > :ai))'
const upTo = 'createdAt <= :b and (createdAt < :b or sequenceNumber < :bn or (sequenceNumber = :bn and id <= :bi))'

type Range = readonly [predicate: string, values: Readonly<Record<string, QueryValue>>]

const from = (moment: string): Range => ['createdAt >= :from', {'var.from': moment}]
const behind = ({createdAt, sequenceNumber, id}: Position): Range => [
  after,
  {'var.a': createdAt, 'var.an': sequenceNumber, 'var.ai': id},
]
const until = ({createdAt, sequenceNumber, id}: Position): Range => [
  upTo,
  {'var.b': createdAt, 'var.bn': sequenceNumber, 'var.bi': id},
]

const byPosition = (one: Position, other: Position): number =>
  compareText(one.createdAt, other.createdAt) ||
  one.sequenceNumber - other.sequenceNumber ||
  compareText(one.id, other.id)

const isoAgo = (now: number, ago: number): string => new Date(now - ago).toISOString()

/**
 * What follows the messages of a target. Local state is opened for each request, so that nobody waits for its lock, and that
 * the server which runs by then is asked.
 */
export async function readerOf(connection: Connection, {target}: ResolvedTarget): Promise<Reader> {
  if (target.kind === 'remote') return connection.client()
  await connection.release()
  let serverTime = Date.now
  return {
    call: (operation, params, options) =>
      connection.once((client) => {
        serverTime = client.serverTime
        return client.call(operation, params, options)
      }),
    serverTime: () => serverTime(),
  }
}

type FollowingRun = Run<SelectFlags & {readonly since: string; readonly every: string}>

/** Follows the messages that the flags of a command select, from so long ago as `--since` says. */
export async function* followAsAsked(run: FollowingRun, connection: Connection, signal: AbortSignal) {
  const {flags, resolved} = run
  const [agoMs, intervalMs] = [durationMs(flags.since, '--since'), durationMs(flags.every, '--every')]
  const query = await selection(await run.client(), flags, resolved)
  const client = await readerOf(connection, resolved)
  const since = agoMs === 0 ? undefined : isoAgo(await targetTime(client, signal), agoMs)
  yield* follow({client, query, since, intervalMs, signal})
}

/** The time of the target, which dates its messages; the clock of this machine may differ. */
export async function targetTime(client: Reader, signal: AbortSignal): Promise<number> {
  await client.call(queryMessages, {}, {query: {limit: 0, withTotal: false}, signal})
  return client.serverTime()
}

/**
 * Yields the messages that appear, in batches that are in order, each message once, until the signal is aborted; an empty batch
 * when there is nothing more for now. Messages that appear behind others come with the next batch, and before the
 * later messages of their resource.
 */
export async function* follow(options: FollowOptions): AsyncGenerator<readonly SeenMessage[]> {
  try {
    yield* followed(options)
  } catch (error) {
    // A signal ends a request on its way as well.
    if (!options.signal.aborted) throw error
  }
}

async function* followed(options: FollowOptions): AsyncGenerator<readonly SeenMessage[]> {
  const {client, query, since, intervalMs, signal} = options
  const start = since ?? isoAgo(await targetTime(client, signal), lookBackMs)
  // What is there already is not new.
  let isSkipped = since === undefined
  let last: Position | undefined
  /** In order: the messages of the time in which others may still appear. */
  let seen: readonly Position[] = []
  // The clock of a test may be put back, to where messages were seen before.
  const handled = new BoundedMap<string, true>(20_000)

  const ask = (ranges: readonly Range[], page: Readonly<Record<string, QueryValue>>) => {
    const where = [query['where'] ?? [], ranges.map(([predicate]) => predicate)].flat() as string[]
    const values = Object.assign({}, ...ranges.map(([, some]) => some)) as Record<string, QueryValue>
    const sort = ['createdAt asc', 'sequenceNumber asc', 'id asc']
    return client.call(
      queryMessages,
      {},
      {query: {...query, where, ...values, sort, withTotal: false, ...page}, signal},
    )
  }
  const read = async (first: Range, end: readonly Range[], most: number): Promise<readonly SeenMessage[]> => {
    const all: SeenMessage[] = []
    let next = first
    while (all.length < most) {
      const {results} = await ask([next, ...end], {limit: pageSize})
      all.push(...results)
      const newest = results.at(-1)
      // A page may be shorter than its limit, since its documents are large.
      if (newest === undefined) break
      next = behind(newest)
    }
    return all
  }
  /** Messages that appeared in front of the last one. */
  const late = async (bound: string, end: Position): Promise<readonly SeenMessage[]> => {
    const found: SeenMessage[] = []
    for (let at = 0; at === 0 || at < seen.length; at += sliceSize) {
      const slice = seen.slice(at, at + sliceSize)
      const before = seen[at - 1]
      const first = before ? behind(before) : from(bound)
      const ends = [until(slice.at(-1) ?? end)]
      const {total} = await ask([first, ...ends], {limit: 0, withTotal: true})
      if (total === slice.length) continue
      const ids = new Set(slice.map(({id}) => id))
      for (const message of await read(first, ends, Number.POSITIVE_INFINITY)) {
        if (!ids.has(message.id)) found.push(message)
      }
    }
    return found
  }

  while (!signal.aborted) {
    const fresh = await read(last ? behind(last) : from(start), [], batchSize)
    const now = client.serverTime()
    const oldest = isoAgo(now, lookBackMs)
    // Not before the start, unless the clock of the target was put back.
    const bound = oldest < start && isoAgo(now, 0) >= start ? start : oldest
    const inWindow = ({createdAt}: Position): boolean => createdAt >= bound
    last = fresh.at(-1) ?? last
    seen = [...seen, ...fresh].filter(inWindow)
    const batch = last ? [...(await late(bound, last)), ...fresh].sort(byPosition) : []
    const positions = batch.filter(inWindow).map(({id, createdAt, sequenceNumber}) => ({id, createdAt, sequenceNumber}))
    const ids = new Set(positions.map(({id}) => id))
    seen = [...seen.filter(({id}) => !ids.has(id)), ...positions].sort(byPosition)
    const fitting = batch.filter(({id}) => !handled.has(id))
    for (const {id} of batch) handled.set(id, true)
    if (isSkipped) options.passed?.(fitting)
    else yield fitting
    if (fresh.length < batchSize) isSkipped = false
    if (batch.length === 0) await pause(intervalMs, undefined, {signal}).catch(() => undefined)
  }
}
