import {isObject} from '../equal.js'
import type {ResourceIdentifier} from '../references.js'
import {momentOf, timeOf} from '../rules.js'
import type {Held} from './diff-values.js'
import type {Covers} from './partial-row.js'

/**
 * What the last run wrote of a customer, as a short digest of each member: enough to tell whether somebody else has
 * changed it since. A member that is not there was not written, or cannot be compared.
 */
export interface Written {
  readonly members: Readonly<Record<string, string>>
  readonly addresses?: readonly WrittenAddress[]
}

export type WrittenAddress = Readonly<Record<string, string>>

export interface MergeOptions {
  /** Whether members that somebody else changed stay as they are. */
  readonly keepsNewer: boolean
  /** Which addresses stay that no run has brought; absent: those of customers whose addresses a run did bring. */
  readonly addresses?: 'add' | 'replace' | undefined
  /** The members that the file of the row has; absent: the row says all of its customer. */
  readonly covers?: Covers | undefined
}

/** 36 bits, other ones for each customer: two of a million changes are missed in a hundred thousand runs. */
export function digestWith(salt: string): (text: string) => string {
  const seed = mixed(salt, 0, (high) => high)
  return (text) => mixed(text, seed, sixDigits)
}

/** Two lanes of 32 bits in one pass over the text: a hash, and no protection. */
export function mixed<T>(text: string, seed: number, use: (high: number, low: number) => T): T {
  let high = 0xdeadbeef ^ seed
  let low = 0x41c6ce57 ^ seed
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507)
  low = Math.imul(low ^ (low >>> 15), 3_266_489_909)
  return use(Math.imul(high ^ (high >>> 13), 3_266_489_909), low)
}

const digits = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', (one) =>
  one.charCodeAt(0),
)
const digitOf = (bits: number): number => digits[bits & 63] as number

/** All at once: to make the text of a number takes longer than the rest, and this runs for each member of each row. */
const sixDigits = (high: number, low: number): string =>
  String.fromCharCode(
    digitOf(high),
    digitOf(high >>> 6),
    digitOf(high >>> 12),
    digitOf(high >>> 18),
    digitOf(high >>> 24),
    digitOf(low >>> 26),
  )

/** As moments and times do: most texts are neither. */
const beginsWithDigit = /^\d/

/** A value as one text, however it is written; undefined for one that a service would show in another form. */
export function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string')
    return beginsWithDigit.test(value) ? (momentOf(value) ?? timeOf(value) ?? value) : value
  if (Array.isArray(value)) return joined(value.map(textOf))
  if (!isObject(value)) return JSON.stringify(value)
  if (typeof value['centAmount'] === 'number') return `${value['centAmount']} ${String(value['currencyCode'])}`
  if (typeof value['typeId'] === 'string') {
    return typeof value['id'] === 'string' ? `${value['typeId']} ${value['id']}` : undefined
  }
  const names = Object.keys(value).sort()
  return joined(names.map((name) => withName(name, textOf(value[name]))))
}

const withName = (name: string, text: string | undefined) => (text === undefined ? undefined : `${name}:${text}`)

/** Nothing if one of them is unknown. */
function joined(texts: readonly (string | undefined)[]): string | undefined {
  return texts.includes(undefined) ? undefined : JSON.stringify(texts)
}

export const nameOf = ({id, key}: ResourceIdentifier): string | undefined =>
  id === undefined ? withName('key', key) : `id:${id}`

/** How rows may name the resources of a customer: all by id, or all by key. */
export function heldNames(references: readonly Held[]): (string | undefined)[] {
  const keys = references.map(({key, obj}) => withName('key', key ?? (obj?.['key'] as string | undefined)))
  return [setOf(references.map(({id}) => withName('id', id))), setOf(keys)]
}

export const setOf = (names: readonly (string | undefined)[]) => joined([...names].sort())

/** The type of custom fields, or a customer group. */
export const referenceName = (reference: ResourceIdentifier | null | undefined): string | undefined =>
  reference ? setOf([nameOf(reference)]) : ''

export const heldReference = (reference: Held | undefined): (string | undefined)[] =>
  reference ? heldNames([reference]) : ['']
