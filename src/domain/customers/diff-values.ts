import {equal, isObject} from '../equal.js'
import type {ResourceIdentifier} from '../references.js'
import {momentOf, timeOf} from '../rules.js'

/** A reference in a reply; if expanded, it has the key too. */
export interface Held {
  readonly id?: string
  readonly key?: string
  readonly obj?: {readonly [member: string]: unknown}
}

/** Whether both name the same resource, as far as ids and keys can tell. */
export function isSameReference(held: Held | undefined, wanted: ResourceIdentifier): boolean {
  if (!held) return false
  if (wanted.id !== undefined) return held.id === wanted.id
  return wanted.key !== undefined && (held.key ?? held.obj?.['key']) === wanted.key
}

/** Whether a custom field holds a value, whatever the service adds to money and makes of references and times. */
export function isSameValue(held: unknown, wanted: unknown): boolean {
  if (Array.isArray(held) && Array.isArray(wanted)) {
    return held.length === wanted.length && held.every((entry, at) => isSameValue(entry, wanted[at]))
  }
  if (typeof held === 'string' && typeof wanted === 'string')
    return held === wanted || held === momentOf(wanted) || held === timeOf(wanted)
  if (!isObject(held) || !isObject(wanted)) return equal(held, wanted)
  if (typeof held['centAmount'] === 'number') {
    return held['centAmount'] === wanted['centAmount'] && held['currencyCode'] === wanted['currencyCode']
  }
  if (typeof held['typeId'] === 'string') {
    return held['typeId'] === wanted['typeId'] && isSameReference(held, wanted as ResourceIdentifier)
  }
  return equal(held, wanted)
}
