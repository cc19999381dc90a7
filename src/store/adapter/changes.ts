import {type Change, type Requirement, UniqueConflict, type UniqueKey} from '../store.js'

export function idOf(given: Change | Requirement): string {
  if ('require' in given) return given.require
  return 'remove' in given ? given.remove : given.doc.id
}

/** Whether a change and commits that require its document exclude each other. */
export const excludesRequirements = (change: Change): boolean => 'remove' in change || change.exclusive === true

export const recordKey = (kind: string, name: string): string => `${kind}\0${name}`

export const uniqueKeysIn = (change: Change): readonly UniqueKey[] => ('doc' in change ? (change.uniqueKeys ?? []) : [])

/** A document that names a key in both modes holds it exclusively. */
export function modesOf(uniqueKeys: readonly UniqueKey[]): Map<string, 'exclusive' | 'shared'> {
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
export function sharedWithin(changes: readonly Change[]): ReadonlySet<string> {
  const wanted = new Map<string, 'exclusive' | 'shared'>()
  for (const change of changes) {
    for (const [key, mode] of modesOf(uniqueKeysIn(change))) {
      const place = recordKey(change.kind, key)
      const other = wanted.get(place)
      if (other && (other === 'exclusive' || mode === 'exclusive')) throw new UniqueConflict(key, 'held')
      wanted.set(place, mode)
    }
  }
  return new Set([...wanted].filter(([, mode]) => mode === 'shared').map(([place]) => place))
}

export const isTwice = (changes: readonly Change[]): boolean =>
  changes.length > 1 && new Set(changes.map((change) => recordKey(change.kind, idOf(change)))).size < changes.length
