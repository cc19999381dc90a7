import {ClaimTaken} from '../store.js'
import {Again} from './again.js'
import {type ClaimChanges, type ClaimRow, placeOf} from './claim-changes.js'
import {type Answer, type Connections, lockTimeout, type Run} from './connections.js'
import {isLockTimeout} from './faults.js'
import {
  closeClaims,
  dropUnshared,
  freeClaims,
  joinShares,
  leaveShares,
  listHolders,
  listSharers,
  lockForChange,
  lockForSharing,
  openClaims,
  prepareShared,
  type Statement,
  takeClaims,
} from './statements.js'
import {restored, toStored} from './text-form.js'

/** How long a commit that is about to end may keep another from its claim; after that the claim is pending. */
const pendingMs = 10
/** Up to so many claims are asked for one by one, so that a failure tells which it was. */
const fewClaims = 8

/** Asks for claims in one project within one transaction. */
interface Asking {
  readonly run: Run
  readonly project: string
  readonly oneByOne: boolean
}

const asked = ({run, project}: Asking, statement: Statement, rows: readonly ClaimRow[]): Promise<Answer> =>
  run(statement, [project, toStored(rows)])

/** Gives up claims; somebody may be looking at them just now. */
const given = (asking: Asking, statement: Statement, rows: readonly ClaimRow[]): Promise<Answer>[] =>
  rows.length === 0
    ? []
    : [
        asked(asking, statement, rows).catch((error: unknown) => {
          throw isLockTimeout(error) ? new Again() : error
        }),
      ]

/** Runs a statement that may wait for another commit, which after a moment means that the claim is pending. */
async function waiting(asking: Asking, statement: Statement, rows: readonly ClaimRow[]): Promise<Answer['rows']> {
  const oneByOne = asking.oneByOne || rows.length <= fewClaims
  const parts = oneByOne ? rows.map((row) => [row]) : [rows]
  const answers = await Promise.all(
    parts.map((part) => asked(asking, statement, part).catch((error: unknown) => refuse(error, part))),
  )
  return answers.flatMap(({rows: found}) => found)
}

function refuse(error: unknown, [first, ...others]: readonly ClaimRow[]): never {
  if (!isLockTimeout(error) || !first) throw error
  if (others.length > 0) throw new Again()
  throw new ClaimTaken(first.key, 'pending')
}

const placeIn = ([kind, key]: readonly (string | null)[]): string => placeOf(restored(kind ?? ''), restored(key ?? ''))

/**
 * Gives up and takes claims, or throws ClaimTaken. Whoever wants an exclusive one from here on waits for the end of the
 * transaction. Leaves the short lock timeout behind if there was anything to do, and says so.
 */
export async function changeClaims(
  run: Run,
  project: string,
  {free, open, take, leave, join}: ClaimChanges,
  oneByOne: boolean,
): Promise<boolean> {
  if ([free, open, take, leave, join].every(({length}) => length === 0)) return false
  const asking = {run, project, oneByOne}
  const givingUp = [
    run(lockTimeout(pendingMs)),
    ...given(asking, freeClaims, free),
    ...given(asking, openClaims, open),
    ...given(asking, leaveShares, leave),
  ]
  const taking = waiting(asking, takeClaims, take)
  const sharing = waiting(asking, lockForSharing, join)
  const [taken, sharable] = await Promise.all([taking, sharing, ...givingUp])
  const isTaken = new Set(taken.map(placeIn))
  await takeOver(
    asking,
    take.filter(({kind, key}) => !isTaken.has(placeOf(kind, key))),
  )
  await share(asking, join, sharable)
  return true
}

/** Takes claims that have a row: held ones, or once shared ones whose sharers may be gone. */
async function takeOver(asking: Asking, rows: readonly ClaimRow[]): Promise<void> {
  if (rows.length === 0) return
  // Before locking, as a sharer on its way would make a claim that is held look pending; and again behind the lock.
  await refuseShared(asking, rows)
  const holders = holdersOf(await waiting(asking, lockForChange, rows))
  refuseHeld(rows, holders)
  if (holders.size < rows.length) throw new Again()
  await refuseShared(asking, rows)
  await asked(asking, closeClaims, rows)
}

async function refuseShared(asking: Asking, rows: readonly ClaimRow[]): Promise<void> {
  const [sharer] = (await asked(asking, listSharers, rows)).rows
  if (sharer) throw new ClaimTaken(restored(sharer[1] ?? ''), 'held')
}

async function share(asking: Asking, rows: readonly ClaimRow[], found: Answer['rows']): Promise<void> {
  if (rows.length === 0) return
  const holders = holdersOf(found)
  refuseHeld(rows, holders)
  const unprepared = rows.filter(({kind, key}) => !holders.has(placeOf(kind, key)))
  if (unprepared.length > 0) throw new Again(unprepared)
  await asked(asking, joinShares, rows)
}

/** By the place of the claim; null for one that is shared or was. */
const holdersOf = (rows: Answer['rows']): ReadonlyMap<string, string | null> =>
  new Map(rows.map((row) => [placeIn(row), row[2] ?? null]))

function refuseHeld(rows: readonly ClaimRow[], holders: ReadonlyMap<string, string | null>): void {
  const held = rows.find(({kind, key}) => typeof holders.get(placeOf(kind, key)) === 'string')
  if (held) throw new ClaimTaken(held.key, 'held')
}

/** Makes the rows of shared claims, before the commit that wants to share them. Throws ClaimTaken `pending`. */
export async function prepareSharing(
  connections: Connections,
  project: string,
  rows: readonly ClaimRow[],
): Promise<void> {
  await connections.transaction(false, async ({run}) => {
    const asking = {run, project, oneByOne: rows.length <= fewClaims}
    await Promise.all([run(lockTimeout(pendingMs)), waiting(asking, prepareShared, rows)])
  })
}

/** Removes the rows of shared claims that nobody shares any more. They may hold the email of a person who is gone. */
export async function dropShared(run: Run, project: string, rows: readonly ClaimRow[]): Promise<void> {
  if (rows.length === 0) return
  const asking = {run, project, oneByOne: false}
  await Promise.all([asked(asking, lockForChange, rows), asked(asking, dropUnshared, rows)])
}

export interface WantedClaim {
  readonly kind: string
  readonly key: string
  readonly shared: boolean
}

/** Whether stored documents hold the claim in a way that excludes one more. */
export async function isHeld(run: Run, project: string, {kind, key, shared}: WantedClaim): Promise<boolean> {
  const asking = {run, project, oneByOne: true}
  const wanted = [{kind, key, holder: ''}]
  const [held, sharers] = await Promise.all([asked(asking, listHolders, wanted), asked(asking, listSharers, wanted)])
  return held.rows.length > 0 || (!shared && sharers.rows.length > 0)
}
