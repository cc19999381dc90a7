import {compareText} from '../../query/text-order.js'
import {idOf, modesOf, recordKey, sharedWithin, uniqueKeysIn} from '../adapter/changes.js'
import type {Change, UniqueKey} from '../store.js'

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

/**
 * Compares the unique keys that the documents of `part` hold, from `found`, with their new ones. Throws UniqueConflict
 * for a conflict within the commit.
 */
export function uniqueKeyChanges(
  all: readonly Change[],
  part: readonly Change[],
  found: ReadonlyMap<string, {readonly uniqueKeys: readonly UniqueKey[]}> = new Map(),
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
