import {defined} from '../../domain/equal.js'
import {isoDay} from '../../domain/iso-time.js'
import type {Field, Predicate, SortKey} from '../../query/ast.js'
import {type Document, REALM, type Removal, type Store, VersionConflict} from '../../store/store.js'
import {accessTokens, type RefreshToken, refreshTokens} from '../documents/token.js'

/**
 * Garbage collection of tokens: removes those that expired long ago, and the least recently used refresh tokens beyond
 * the limit. Both walk an index by day, so that the cost is proportional to the tokens removed.
 */
export interface TokenUpkeep {
  /** To be called after a token was stored. */
  issued(now: number, refresh: boolean): Promise<void>
}

const dayMs = 86_400_000
/** Expired tokens are retained this long, so that they are never taken for tokens of another authorization server. */
const keptMs = 30 * dayMs
/** How many past days are looked up: longer than the lifetime and retention of any token. */
const windowDays = 500
const sweepEveryMs = 3_600_000
const batch = 500

/** Days before that of `now`, the oldest first. */
const daysBefore = (now: number): string[] =>
  Array.from({length: windowDays}, (_, at) => isoDay(now - (windowDays - at) * dayMs))

const facet = (name: string): Field => ({path: [name], type: 'string', facet: name})

const onDay = (name: string, days: readonly string[]): Predicate => ({
  op: 'in',
  field: facet(name),
  negated: false,
  values: days,
})

const byLastUse: readonly SortKey[] = [{field: {path: ['lastUsedAt'], type: 'number'}, direction: 'asc'}]

export function tokenUpkeepOf(state: Store, {maxRefreshTokens}: {readonly maxRefreshTokens: number}): TokenUpkeep {
  /** Tokens are counted once in so many issues, and evicted in batches of this size. */
  const stride = Math.max(1, Math.floor(maxRefreshTokens / 1000))
  let sinceCount = 0
  let nextSweepAt = 0
  let evicting = Promise.resolve()

  const count = async (): Promise<number> => {
    const page = {limit: 0, offset: 0, count: {cap: Number.MAX_SAFE_INTEGER}}
    return (await state.query(REALM, refreshTokens, page)).total ?? 0
  }

  const evict = async (now: number): Promise<void> => {
    const found = await count()
    if (found <= maxRefreshTokens) return
    let over = found - maxRefreshTokens + stride - 1
    const days = [...daysBefore(now), isoDay(now)].map((day) => onDay('usedDay', [day]))
    for (const where of [...days, undefined]) {
      while (over > 0) {
        const page = {...defined({where}), sort: byLastUse, limit: Math.min(over, batch), offset: 0}
        const {results} = await state.query<RefreshToken>(REALM, refreshTokens, page)
        const removed = await removeAll(state, removalsOf(refreshTokens, results))
        over -= removed
        if (removed === 0) break
      }
    }
  }

  const sweep = async (now: number): Promise<void> => {
    nextSweepAt = now + sweepEveryMs
    const page = {where: onDay('endDay', daysBefore(now - keptMs)), limit: batch, offset: 0}
    const ended = await state.query<Document>(REALM, accessTokens, page)
    const idle = await state.query<RefreshToken>(REALM, refreshTokens, page)
    const sessions = idle.results.flatMap(({projectKey, anonymousId}) =>
      anonymousId === undefined ? [] : [{id: `${projectKey}/${anonymousId}`, version: 1}],
    )
    await removeAll(state, [
      ...removalsOf(accessTokens, ended.results),
      ...removalsOf(refreshTokens, idle.results),
      ...removalsOf('anonymous-session', sessions),
    ])
    if (ended.results.length === batch || idle.results.length === batch) nextSweepAt = now
  }

  return {
    async issued(now, refresh) {
      if (now >= nextSweepAt) await sweep(now)
      if (!refresh) return
      sinceCount += 1
      if (sinceCount < stride) return
      sinceCount = 0
      evicting = evicting.then(
        () => evict(now),
        () => evict(now),
      )
      await evicting
    },
  }
}

const removalsOf = (kind: string, documents: readonly Document[]): Removal[] =>
  documents.map(({id, version}) => ({kind, expect: version, remove: id}))

/** Removes all in one commit; on a version conflict one by one, so that tokens used meanwhile stay. */
async function removeAll(state: Store, removals: readonly Removal[]): Promise<number> {
  if (removals.length === 0) return 0
  try {
    await state.commit(REALM, removals)
    return removals.length
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error
  }
  let removed = 0
  for (const removal of removals) {
    try {
      await state.commit(REALM, [removal])
      removed += 1
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error
    }
  }
  return removed
}
