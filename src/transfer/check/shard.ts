import {createHash} from 'node:crypto'
import {canonicalEmail} from '../../domain/customers/identity.js'
import {InputError} from '../files/input-error.js'
import {type Match, type MatchMember, memberOf, type RowDraft} from '../input/row-draft.js'

/** One of `count` parts of the rows, from 1; every row is in exactly one. */
export interface Shard {
  readonly index: number
  readonly count: number
}

const mostShards = 1000

/** A shard as text, `2/8`; undefined for anything else. */
export function parsedShard(text: string): Shard | undefined {
  const [, index, count] = (/^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? []).map(Number)
  if (index === undefined || count === undefined || index > count || count > mostShards) return undefined
  return {index, count}
}

/** The shard of a text. Throws InputError. */
export function shardOf(text: string): Shard {
  const shard = parsedShard(text)
  if (shard) return shard
  throw new InputError(`'${text}' is no part of the rows.`, {remedy: shardRemedy})
}

export const shardRemedy = `Write which part of how many, such as 2/8: 1 to ${mostShards} parts, counted from 1.`

export const shardText = ({index, count}: Shard): string => `${index}/${count}`

/** Whether a row may be in both. Shards of different counts cut the rows differently. */
export const shardsMeet = (one: Shard, other: Shard): boolean => one.count !== other.count || one.index === other.index

/**
 * Whether a row is in the shard: by the first 48 bits of the SHA-256 of what its customer is found by, the same on every
 * machine. A row that lacks it, and so is invalid, goes by its number.
 */
export function isInShard({index, count}: Shard, {draft, number}: Sharded, match: Match): boolean {
  const member = memberOf(match, draft)
  const value: unknown = draft[member]
  const identity = typeof value !== 'string' || value === '' ? `row ${number}` : folded(member, value)
  return createHash('sha256').update(identity).digest().readUIntBE(0, 6) % count === index - 1
}

interface Sharded {
  readonly draft: RowDraft
  readonly number: number
}

/** A value of a row as its customer is found by it: emails without their case. */
export const folded = (member: MatchMember, value: string): string =>
  member === 'email' ? canonicalEmail(value) : value
