import {type Change, type Put, UniqueConflict} from '../../store.js'

export const idOf = (change: Change): string => ('remove' in change ? change.remove : change.doc.id)
export const recordKey = (kind: string, id: string): string => `${kind}\0${id}`

/** Up to this number of changes, each is compared with each faster than a set of them is made. */
const few = 8

/** Whether two of the changes are of one document. */
export function isTwice(changes: readonly Change[]): boolean {
  if (changes.length > few) return new Set(changes.map((one) => recordKey(one.kind, idOf(one)))).size < changes.length
  return changes.some((one, at) => {
    for (let other = 0; other < at; other += 1) if (isSame(one, changes[other] as Change)) return true
    return false
  })
}

const isSame = (a: Change, b: Change): boolean => a.kind === b.kind && idOf(a) === idOf(b)

/** Throws UniqueConflict where two documents of one commit want a unique key that only one may have. */
export function checkAmong(puts: readonly Put[]): void {
  const wanted = new Map<string, {exclusive: boolean; id: string}>()
  for (const {kind, doc, uniqueKeys = []} of puts) {
    for (const {key, shared = false} of uniqueKeys) {
      const wantedKey = recordKey(kind, key)
      const other = wanted.get(wantedKey)
      if (other && other.id !== doc.id && (other.exclusive || !shared)) throw new UniqueConflict(key, 'held')
      wanted.set(wantedKey, {exclusive: !shared || other?.exclusive === true, id: doc.id})
    }
  }
}
