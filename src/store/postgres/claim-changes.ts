import {compareText} from '../../query/text-order.js'
import {type Change, type Claim, UniqueConflict} from '../store.js'

export interface ClaimRow {
  readonly kind: string
  readonly key: string
  readonly holder: string
}

/** What a commit does to claims, each list in one order for everybody. */
export interface ClaimChanges {
  /** Exclusive claims that end. */
  readonly free: readonly ClaimRow[]
  /** Exclusive claims that become shared ones. */
  readonly open: readonly ClaimRow[]
  readonly take: readonly ClaimRow[]
  readonly leave: readonly ClaimRow[]
  readonly join: readonly ClaimRow[]
}

export const idOf = (change: Change): string => ('remove' in change ? change.remove : change.doc.id)
export const placeOf = (kind: string, name: string): string => `${kind}\0${name}`

const claimsIn = (change: Change): readonly Claim[] => ('doc' in change ? (change.claims ?? []) : [])

/** A document that claims a key in both modes claims it exclusively. */
function modesOf(claims: readonly Claim[]): Map<string, 'exclusive' | 'shared'> {
  const modes = new Map<string, 'exclusive' | 'shared'>()
  for (const {key, shared} of claims) {
    if (!shared || !modes.has(key)) modes.set(key, shared ? 'shared' : 'exclusive')
  }
  return modes
}

/** Throws UniqueConflict if two documents of one commit want a claim that they cannot share. Returns the shared ones. */
function sharedWithin(changes: readonly Change[]): ReadonlySet<string> {
  const wanted = new Map<string, {readonly id: string; readonly mode: 'exclusive' | 'shared'}>()
  for (const change of changes) {
    for (const [key, mode] of modesOf(claimsIn(change))) {
      const place = placeOf(change.kind, key)
      const other = wanted.get(place)
      if (other && (other.mode === 'exclusive' || mode === 'exclusive')) throw new UniqueConflict(key, 'held')
      wanted.set(place, {id: idOf(change), mode})
    }
  }
  return new Set([...wanted].filter(([, {mode}]) => mode === 'shared').map(([place]) => place))
}

/**
 * Compares the claims that the documents of `part` hold, as `found` by place, with those that they will. Throws
 * UniqueConflict for a clash inside the commit.
 */
export function claimChanges(
  all: readonly Change[],
  part: readonly Change[],
  found: ReadonlyMap<string, {readonly claims: readonly Claim[]}>,
): ClaimChanges {
  const shared = sharedWithin(all)
  const [free, open, take, leave, join]: ClaimRow[][] = [[], [], [], [], []]
  for (const change of part) {
    const {kind} = change
    const holder = idOf(change)
    const before = modesOf(found.get(placeOf(kind, holder))?.claims ?? [])
    const after = modesOf(claimsIn(change))
    for (const [key, mode] of before) {
      if (after.get(key) === mode) continue
      const ended = mode === 'shared' ? leave : shared.has(placeOf(kind, key)) ? open : free
      ended?.push({kind, key, holder})
    }
    for (const [key, mode] of after) {
      if (before.get(key) !== mode) (mode === 'shared' ? join : take)?.push({kind, key, holder})
    }
  }
  const inOrder = (rows: ClaimRow[] = []): ClaimRow[] =>
    rows.sort((a, b) => compareText(a.kind, b.kind) || compareText(a.key, b.key) || compareText(a.holder, b.holder))
  return {free: inOrder(free), open: inOrder(open), take: inOrder(take), leave: inOrder(leave), join: inOrder(join)}
}
