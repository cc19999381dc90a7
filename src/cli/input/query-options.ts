import type {Operation} from '../../api/operation/operation.js'
import type {Client, QueryValue} from '../../client/client.js'
import {inIdOrder, isFull, OrderBroken, ResultsMissing} from '../../client/walk.js'
import {defined} from '../../domain/equal.js'
import {Failure, usage} from '../process/failure.js'
import type {FlagValues, queryFlags} from './flags.js'

export type QueryFlags = FlagValues<typeof queryFlags>

type Parameters = Record<string, QueryValue>

/** Predicates and the values of their variables, as parameters of a query. */
type Selection = {readonly where?: readonly string[]} & Record<`var.${string}`, string | readonly string[]>

export function whereOf({where, var: variables}: Pick<QueryFlags, 'where' | 'var'>): Selection {
  const query: Selection = defined({where})
  for (const text of variables ?? []) {
    const [, name, value] = /^([A-Za-z0-9_-]+)=(.*)$/s.exec(text) ?? []
    if (name === undefined || value === undefined)
      throw usage(`'${text}' is not a variable.`, 'Write --var NAME=VALUE.')
    if (!(where ?? []).some((predicate) => new RegExp(`:${name}(?![A-Za-z0-9_-])`).test(predicate)))
      throw usage(`--var ${name} has no effect: no predicate has :${name}.`, 'Leave it out, or correct the name.')
    // Given again, it is a list.
    const known = query[`var.${name}`]
    query[`var.${name}`] = known === undefined ? value : [known, value].flat()
  }
  return query
}

export const pageOf = (flags: QueryFlags): Parameters => ({
  ...whereOf(flags),
  ...defined({
    sort: flags.sort,
    limit: flags.limit,
    offset: flags.offset,
    expand: flags.expand,
    withTotal: flags['with-total'],
  }),
})

export interface ResultPage {
  readonly limit: number
  readonly offset: number
  readonly count: number
  readonly total?: number
  readonly results: readonly {readonly id: string}[]
}

const pageSize = 500
const maxOffset = 10_000
/** With predicates, the API counts no further than this. */
const maxTotal = 10_000

/**
 * All results, page by page. In the order of ids each page asks for ids above the last one (keyset pagination), without
 * a limit. In another order pages are read by offset, up to the largest offset of the API. Throws OrderBroken if the
 * server does not keep the order.
 */
export function allPages<P extends string, R extends ResultPage>(
  client: Client,
  operation: Operation<P, never, R> | Operation<P, undefined, R>,
  flags: QueryFlags,
): AsyncGenerator<R['results'], void> {
  const isSorted = flags.sort !== undefined && flags.sort.length > 0
  const ask = (parameters: Parameters): Promise<R> =>
    client.call(operation as Operation<P, undefined, R>, {} as never, {query: {...pageOf(flags), ...parameters}})
  return isSorted ? byOffset(ask, flags.sort ?? []) : byId(ask, flags.where ?? [])
}

type Ask<R extends ResultPage> = (parameters: Parameters) => Promise<R>

function byId<R extends ResultPage>(ask: Ask<R>, where: readonly string[]): AsyncGenerator<R['results'], void> {
  const base = {limit: pageSize, withTotal: false, sort: ['id asc']}
  return inIdOrder((after) =>
    ask(after === undefined ? base : {...base, where: [...where, 'id > :afterId'], 'var.afterId': after}),
  )
}

/** Pages by offset. The total distinguishes a short page from the last one. */
async function* byOffset<R extends ResultPage>(
  ask: Ask<R>,
  sort: readonly string[],
): AsyncGenerator<R['results'], void> {
  // Ties are broken by id: otherwise a server may return one of them on two pages and another on none.
  const whole = sort.some((key) => /^id( |$)/.test(key)) ? sort : [...sort, 'id asc']
  const seen = new Set<string>()
  for (;;) {
    const offset = seen.size
    if (offset > maxOffset) throw tooMany()
    const page = await ask({limit: pageSize, withTotal: true, sort: whole, offset})
    const {results, total} = page
    for (const {id} of results) {
      if (seen.has(id)) throw new OrderBroken(seen.size + 1, id, id)
      seen.add(id)
    }
    if (results.length > 0) yield results
    const isCounted = total !== undefined && total < maxTotal
    const isLast = isCounted ? seen.size >= total : !isFull(page, pageSize)
    if (isLast) return
    if (results.length === 0) throw new ResultsMissing(seen.size, total)
  }
}

const tooMany = (): Failure =>
  new Failure('invalid', 'InvalidInput', 'More than 10500 results in an order of your own cannot be read.', {
    hints: ['Leave out --sort: in the order of ids there is no limit.'],
  })
