import {compareText} from '../../query/text-order.js'
import {idOf, modesOf, recordKey, sharedWithin, uniqueKeysIn} from '../adapter/changes.js'
import type {Change, UniqueKey} from '../store.js'

export interface UniqueKeyRow {
  readonly kind: string
  readonly key: string
  readonly holder: string
}

/**
 * The changes of unique keys in a commit, each list sorted, so that concurrent commits cannot deadlock. `free`: exclusive
 * ones that end; `open`: exclusive ones that become shared.
 */
export type UniqueKeyChanges = Readonly<Record<'free' | 'open' | 'take' | 'leave' | 'join', readonly UniqueKeyRow[]>>

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
  const changes: Record<keyof UniqueKeyChanges, UniqueKeyRow[]> = {free: [], open: [], take: [], leave: [], join: []}
  for (const change of part) {
    const {kind} = change
    const holder = idOf(change)
    const before = modesOf(found.get(recordKey(kind, holder))?.uniqueKeys ?? [])
    const after = modesOf(uniqueKeysIn(change))
    for (const [key, mode] of before) {
      if (after.get(key) === mode) continue
      const ended = mode === 'shared' ? 'leave' : shared.has(recordKey(kind, key)) ? 'open' : 'free'
      changes[ended].push({kind, key, holder})
    }
    for (const [key, mode] of after) {
      if (before.get(key) !== mode) changes[mode === 'shared' ? 'join' : 'take'].push({kind, key, holder})
    }
  }
  for (const rows of Object.values(changes)) {
    rows.sort((a, b) => compareText(a.kind, b.kind) || compareText(a.key, b.key) || compareText(a.holder, b.holder))
  }
  return changes
}
