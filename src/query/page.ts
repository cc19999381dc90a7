import {limits} from '../work/limits.js'
import {QueryError} from './query-error.js'

type Params = ReadonlyMap<string, readonly string[]>

export interface PageParams {
  readonly limit: number
  readonly offset: number
  readonly withTotal: boolean
}

const maxDigits = 9

/** The value of a parameter that has one value; given again with the same value, it counts once (decision 64). */
export function singleOf(params: Params, name: string): string | undefined {
  const values = params.get(name)
  if (values?.some((value) => value !== values[0])) {
    throw new QueryError(name, `The ${name} parameter must not be given with different values`)
  }
  return values?.[0]
}

function integer(params: Params, name: string, max: number, fallback: number): number {
  const text = singleOf(params, name)
  if (text === undefined) return fallback
  const value = text.length <= maxDigits && /^(?:0|[1-9][0-9]*)$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= max)) throw new QueryError(name, `The ${name} parameter must be in the range of [0..${max}]`)
  return value
}

/** `true` or `false`. Throws QueryError for anything else. */
export function flagOf(params: Params, name: string, fallback: boolean): boolean {
  const text = singleOf(params, name)
  if (text === undefined) return fallback
  if (text !== 'true' && text !== 'false') throw new QueryError(name, `The ${name} parameter must be true or false`)
  return text === 'true'
}

/** `limit`, `offset` and `withTotal` of a request; strict decimal integers, each with one value. Decision 18. */
export function parsePage(params: Params): PageParams {
  return {
    limit: integer(params, 'limit', limits.pageSize, 20),
    offset: integer(params, 'offset', limits.pageOffset, 0),
    withTotal: flagOf(params, 'withTotal', true),
  }
}

const prefix = 'var.'

/** The values of `var.NAME` by name. Names have letters and digits only. */
export function readVars(params: Params): ReadonlyMap<string, readonly string[]> {
  const vars = new Map<string, readonly string[]>()
  for (const [name, values] of params) {
    if (!name.startsWith(prefix)) continue
    const variable = name.slice(prefix.length)
    if (!/^[a-zA-Z0-9]+$/.test(variable)) {
      throw new QueryError(name, 'The name of a predicate variable has letters and digits only')
    }
    vars.set(variable, values)
  }
  return vars
}
