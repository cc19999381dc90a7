import {compareText} from '../../query/text-order.js'
import {type Change, UniqueConflict, type UniqueKey} from '../store.js'

export interface UniqueKeyRow {
  readonly kind: string
  readonly key: string
  readonly holder: string
}

/** The changes of unique keys in a commit, each list sorted, so that concurrent commits cannot deadlock. */
export interface UniqueKeyChanges {
  /** Exclusive unique keys that end. */
  readonly free: readonly UniqueKeyRow[]
  /** Exclusive unique keys that become shared ones. */
  readonly open: readonly UniqueKeyRow[]
  readonly take: readonly UniqueKeyRow[]
  readonly leave: readonly UniqueKeyRow[]
  readonly join: readonly UniqueKeyRow[]
}

export const idOf = (change: Change): string => ('remove' in change ? change.remove : change.doc.id)
export const recordKey = (kind: string, name: string): string => `${kind}\0${name}`

const uniqueKeysIn = (change: Change): readonly UniqueKey[] => ('doc' in change ? (change.uniqueKeys ?? []) : [])

/** A document that names a key in both modes holds it exclusively. */
function modesOf(uniqueKeys: readonly UniqueKey[]): Map<string, 'exclusive' | 'shared'> {
  const modes = new Map<string, 'exclusive' | 'shared'>()
  for (const {key, shared} of uniqueKeys) {
    if (!shared || !modes.has(key)) modes.set(key, shared ? 'shared' : 'exclusive')
  }
  return modes
}

/**
 * Throws UniqueConflict if two documents of one commit want a unique key that they cannot share. Returns the shared
 * ones.
 */
function sharedWithin(changes: readonly Change[]): ReadonlySet<string> {
  const wanted = new Map<string, {readonly id: string; readonly mode: 'exclusive' | 'shared'}>()
  for (const change of changes) {
    for (const [key, mode] of modesOf(uniqueKeysIn(change))) {
      const place = recordKey(change.kind, key)
      const other = wanted.get(place)
      if (other && (other.mode === 'exclusive' || mode === 'exclusive')) throw new UniqueConflict(key, 'held')
      wanted.set(place, {id: idOf(change), mode})
    }
  }
  return new Set([...wanted].filter(([, {mode}]) => mode === 'shared').map(([place]) => place))
}

/**
 * Compares the unique keys that the documents of `part` hold, from `found`, with their new ones. Throws UniqueConflict
 * for a conflict within the commit.
 */
export function uniqueKeyChanges(
  all: readonly Change[],
  part: readonly Change[],
  found: ReadonlyMap<string, {readonly uniqueKeys: readonly UniqueKey[]}>,
): UniqueKeyChanges {
  const shared = sharedWithin(all)
  const [free, open, take, leave, join]: UniqueKeyRow[][] = [[], [], [], [], []]
  for (const change of part) {
    const {kind} = change
    const holder = idOf(change)
    const before = modesOf(found.get(recordKey(kind, holder))?.uniqueKeys ?? [])
    const after = modesOf(uniqueKeysIn(change))
    for (const [key, mode] of before) {
      if (after.get(key) === mode) continue
      const ended = mode === 'shared' ? leave : shared.has(recordKey(kind, key)) ? open : free
      ended?.push({kind, key, holder})
    }
    for (const [key, mode] of after) {
      if (before.get(key) !== mode) (mode === 'shared' ? join : take)?.push({kind, key, holder})
    }
  }
  const inOrder = (rows: UniqueKeyRow[] = []): UniqueKeyRow[] =>
    rows.sort((a, b) => compareText(a.kind, b.kind) || compareText(a.key, b.key) || compareText(a.holder, b.holder))
  return {free: inOrder(free), open: inOrder(open), take: inOrder(take), leave: inOrder(leave), join: inOrder(join)}
}
