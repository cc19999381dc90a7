import {defined} from '../../domain/equal.js'
import {dayMs, hourMs, isoDay, isoTime} from '../../domain/iso-time.js'
import type {Project} from '../../domain/project/project.js'
import {isBefore, isFacet, isOneOfFacet} from '../../query/predicates.js'
import {type Document, REALM, type Removal, type Store, VersionConflict} from '../../store/store.js'
import {nextTurn} from '../../work/time-slices.js'
import {refreshTokens} from '../documents/token.js'
import type {Settings} from './context.js'
import {parseIsoTime, periodsBetween, type Retention, type Sweeper} from './retention.js'
import {storedKinds, sweeps, visitOf} from './stored-kinds.js'

/** The one sweeper over the rows of stored kinds, at a server and at the end of a command (decision 51). */

const sweepEveryMs = hourMs
/** The work that a command does at its end; the next one goes on. */
const briefMs = 2_000
const batch = 200
/**
 * How far before the last sweep documents are looked for: longer than any project may keep its messages, so that a
 * shorter time reaches them. Without a last sweep, before the oldest project.
 */
const lookBackMs = 100 * dayMs
/** A pack may date its project as it likes. */
const mostYearsMs = 3_650 * dayMs

/** Longer than a refresh token lives unused. */
const evictedDaysMs = 500 * dayMs

interface Sweep extends Document {
  /** Milliseconds since the epoch. */
  readonly at: number
}

const lastId = 'last'

export interface SweeperOptions {
  readonly state: Store
  readonly settings: Settings
  /** Whether the process lives long enough to sweep beside its work. */
  readonly sweepsInBackground: boolean
  readonly onWarning?: ((message: string) => void) | undefined
}

export function sweeperOf({state, settings, sweepsInBackground, onWarning}: SweeperOptions): Sweeper {
  let startedAt = Number.NEGATIVE_INFINITY
  let sweeping = Promise.resolve()
  let evicting = Promise.resolve()
  let isStopped = false
  const most = settings.maxRefreshTokens
  // Counted once in so many additions, and evicted in batches of this size.
  const stride = Math.max(1, Math.floor(most / 1000))
  let added = 0

  /** Never rejects: nothing that it serves fails with it. */
  const warned = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      if (!isStopped) await work()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!isStopped) onWarning?.(`What has ended could not be removed, and will be tried again: ${reason}`)
    }
  }

  const sweep = async (now: number, isOver: () => boolean): Promise<void> => {
    const last = await state.get<Sweep>(REALM, sweeps, lastId)
    const {results: projects} = await state.query<Project>(REALM, 'project', {
      limit: Number.MAX_SAFE_INTEGER,
      offset: 0,
    })
    const oldest = Math.min(now, ...projects.map(({createdAt}) => parseIsoTime(createdAt) ?? now))
    const since = last ? Math.min(now, last.at) : Math.max(oldest, now - mostYearsMs)
    const from = since - lookBackMs
    for (const {kind, within, retention} of storedKinds) {
      if (!retention) continue
      for (const project of within === 'realm' ? [undefined] : projects) {
        await sweepKind(state, {kind, retention, project, from, now}, isOver)
        if (isOver()) return
      }
    }
    if (last && isoDay(last.at) === isoDay(now)) return
    const doc: Sweep = {id: lastId, version: (last?.version ?? 0) + 1, at: now}
    await removed(() => state.commit(REALM, [{kind: sweeps, expect: doc.version - 1, doc}]))
  }

  return {
    due(now) {
      // The clock of a test may go back.
      if (!sweepsInBackground || Math.abs(now - startedAt) < sweepEveryMs) return
      startedAt = now
      sweeping = sweeping.then(() => warned(() => sweep(now, () => isStopped)))
    },
    sweep: (now) => sweep(now, () => false),
    sweepBriefly: (now) =>
      warned(async () => {
        const last = await state.get<Sweep>(REALM, sweeps, lastId)
        if (last && isoDay(last.at) === isoDay(now)) return
        const end = performance.now() + briefMs
        await sweep(now, () => performance.now() > end)
      }),
    async refreshTokenAdded(now) {
      added += 1
      if (added < stride) return
      added = 0
      evicting = evicting.then(() => warned(() => evict(state, {now, most, stride})))
      await evicting
    },
    async idle(stop) {
      if (stop) isStopped = true
      await Promise.all([sweeping, evicting])
    },
  }
}

interface Sweeping {
  readonly kind: string
  readonly retention: Retention
  /** Absent: the kind belongs to the realm. */
  readonly project: Project | undefined
  /** Milliseconds since the epoch: what had ended before was removed by an earlier sweep. */
  readonly from: number
  readonly now: number
}

async function sweepKind(
  state: Store,
  {kind, retention, project, from, now}: Sweeping,
  isOver: () => boolean,
): Promise<void> {
  const space = project?.key ?? REALM
  // There are thousands of hours to be asked for.
  if ((await state.query(space, kind, {limit: 1, offset: 0})).results.length === 0) return
  const keptMs = retention.keptDays(project) * dayMs
  const {member, facet} = retention
  const where = member
    ? isBefore(member, isoTime(now - keptMs))
    : isOneOfFacet(facet, periodsBetween(retention, from - keptMs, now - keptMs))
  const page = {where, limit: batch, offset: 0}
  while (!isOver()) {
    const {results} = await state.query<Document>(space, kind, page)
    const count = await removeAll(state, space, results, ({id, version, ...rest}) => [
      {kind, expect: version, remove: id},
      ...(retention.also?.({id, version, ...rest}) ?? []),
    ])
    // What others use again meanwhile waits for the next sweep.
    if (results.length < batch || count === 0) return
    await nextTurn()
  }
}

/** Removes the least recently used refresh tokens beyond their number, by the index of their days. */
async function evict(
  state: Store,
  {now, most, stride}: {readonly now: number; readonly most: number; readonly stride: number},
): Promise<void> {
  const kind = refreshTokens
  const {total = 0} = await state.query(REALM, kind, {
    limit: 0,
    offset: 0,
    count: {cap: Number.MAX_SAFE_INTEGER},
  })
  if (total <= most) return
  let over = total - most + stride - 1
  const days = periodsBetween({period: 'day'}, now - evictedDaysMs, now + dayMs)
  const sort = [{field: {path: ['lastUsedAt'], type: 'number'}, direction: 'asc'}] as const
  for (const where of [...days.map((day) => isFacet('usedDay', day)), undefined]) {
    while (over > 0) {
      const page = {...defined({where}), sort, limit: Math.min(over, batch), offset: 0}
      const {results} = await state.query<Document>(REALM, kind, page)
      const count = await removeAll(state, REALM, results, (document) => [
        {kind, expect: document.version, remove: document.id},
        ...visitOf(document),
      ])
      over -= count
      if (count === 0) break
    }
  }
}

/** Removes all in one commit; on a version conflict one by one, so that what is used meanwhile stays. */
async function removeAll(
  state: Store,
  space: string,
  documents: readonly Document[],
  removalsOf: (document: Document) => readonly Removal[],
): Promise<number> {
  if (documents.length === 0) return 0
  if (await removed(() => state.commit(space, documents.flatMap(removalsOf)))) return documents.length
  let count = 0
  for (const document of documents) {
    const [own, ...also] = removalsOf(document)
    if (!own || !(await removed(() => state.commit(space, [own])))) continue
    count += 1
    for (const removal of also) await removed(() => state.commit(space, [removal]))
  }
  return count
}

async function removed(commit: () => Promise<void>): Promise<boolean> {
  try {
    await commit()
    return true
  } catch (error) {
    if (error instanceof VersionConflict) return false
    throw error
  }
}
