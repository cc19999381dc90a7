import type {Operation} from '../api/operation.js'
import type {Client, QueryValue} from '../client/client.js'
import {Failure, usage} from './failure.js'

/** From the flags of queries to the parameters of the API. */

export interface QueryFlags {
  readonly where?: readonly string[] | undefined
  readonly var?: readonly string[] | undefined
  readonly sort?: readonly string[] | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly expand?: readonly string[] | undefined
  readonly 'with-total'?: boolean | undefined
}

type Parameters = Record<string, QueryValue>

/** `where` and the values of its variables. */
export function whereOf({where, var: variables}: QueryFlags): Parameters {
  const query: Parameters = where === undefined ? {} : {where}
  for (const text of variables ?? []) {
    const [, name, value] = /^([A-Za-z0-9_-]+)=(.*)$/s.exec(text) ?? []
    if (name === undefined || value === undefined)
      throw usage(`'${text}' is not a variable.`, 'Write --var NAME=VALUE.')
    query[`var.${name}`] = value
  }
  return query
}

const given = (parameters: Record<string, QueryValue | undefined>): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, QueryValue] => entry[1] !== undefined),
  )

/** Parameters of one page. */
export const pageOf = (flags: QueryFlags): Parameters => ({
  ...whereOf(flags),
  ...given({
    sort: flags.sort,
    limit: flags.limit,
    offset: flags.offset,
    expand: flags.expand,
    withTotal: flags['with-total'],
  }),
})

export interface Paged {
  readonly limit: number
  readonly offset: number
  readonly count: number
  readonly total?: number
  readonly results: readonly {readonly id: string}[]
}

const pageSize = 500
const maxOffset = 10_000

/**
 * All results, a page at a time. In order of ids it goes past the API's largest offset, by asking for ids above the last;
 * in another order that is where it ends, since values may repeat.
 */
export async function* allPages<P extends string, R extends Paged>(
  client: Client,
  operation: Operation<P, never, R> | Operation<P, undefined, R>,
  flags: QueryFlags,
): AsyncGenerator<R['results'], void> {
  const base = {...pageOf({...flags, limit: pageSize, 'with-total': false}), limit: pageSize}
  const sorted = flags.sort !== undefined && flags.sort.length > 0
  const where = [...(flags.where ?? [])]
  let last: string | undefined
  for (let offset = 0; ; offset += pageSize) {
    const place: Parameters = sorted
      ? {offset}
      : {sort: ['id asc'], ...(last === undefined ? {} : {where: [...where, 'id > :after_id'], 'var.after_id': last})}
    if (sorted && offset > maxOffset) throw tooMany()
    const page = await client.call(operation as Operation<P, undefined, R>, {} as never, {query: {...base, ...place}})
    if (page.results.length > 0) yield page.results
    if (page.results.length < pageSize) return
    last = page.results.at(-1)?.id
  }
}

const tooMany = (): Failure =>
  new Failure('invalid', 'InvalidInput', 'More than 10500 results in an order of your own cannot be read.', {
    hints: ['Leave out --sort: in the order of ids there is no limit.'],
  })
