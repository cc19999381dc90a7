import * as v from 'valibot'
import {optional} from '../../domain/rules.js'
import {QueryError} from '../../query/query-error.js'
import {limits} from '../../work/limits.js'
import type {SearchField} from './fields.js'

/** What a simple expression says of its field. */

export const malformed = (detail: string): QueryError => new QueryError('query', detail)

/** Relevance stays a number that JSON has. */
const mostBoost = 1_000_000

const Bound = v.optional(v.union([v.number(), v.string()]))

/** The members that an expression may have; those of others are left out. */
const Members = v.object({
  field: v.string(),
  fieldType: v.optional(v.string()),
  language: v.optional(v.string()),
  boost: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(mostBoost))),
  value: v.optional(v.unknown()),
  values: v.optional(v.array(v.unknown())),
  caseInsensitive: v.optional(v.boolean()),
  mustMatch: v.optional(v.picklist(['all', 'any'])),
  level: v.optional(v.picklist([0, 1, 2])),
  gte: Bound,
  gt: Bound,
  lte: Bound,
  lt: Bound,
})
export type Members = v.InferOutput<typeof Members>

export const Sorting = v.object({
  field: v.string(),
  order: v.picklist(['asc', 'desc']),
  mode: optional(v.picklist(['min', 'max', 'sum', 'avg'])),
  fieldType: optional(v.string()),
  language: optional(v.string()),
  filter: optional(v.looseObject({})),
})
export type Sorting = v.InferOutput<typeof Sorting>

/** The members of a simple expression. Throws QueryError that names the first one at fault. */
export function membersOf(name: string, given: unknown): Members {
  const parsed = v.safeParse(Members, given)
  if (!parsed.success) {
    const path = parsed.issues[0].path?.map(({key}) => String(key)).join('.')
    throw malformed(`'${name}' is ill-formed${path ? ` at '${path}'` : ''}: ${parsed.issues[0].message}.`)
  }
  return parsed.output
}

export function textIn(field: SearchField, value: unknown): string {
  if (typeof value !== 'string') throw malformed(`The value for '${field.name}' must be a text.`)
  if (value.length > limits.searchCharacters) {
    throw malformed(`A text value has at most ${limits.searchCharacters} characters.`)
  }
  return value
}
