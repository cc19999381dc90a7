/** Keyset pagination over ids: each page starts after the last id of the previous one. */

interface Identified {
  readonly id: string
}

/** A page of the API, as far as a walk looks at it. */
export interface WalkedPage<D extends Identified> {
  readonly results: readonly D[]
  /** How many satisfy the predicates, if the server says so. */
  readonly total?: number
  /** Of results, as the server applied it: it lowers that of a page that is full by bytes to what the page has. */
  readonly limit?: number
}

/** Whether others may follow a page for which `asked` results were asked. */
export const isFull = ({results, limit}: Pick<WalkedPage<Identified>, 'results' | 'limit'>, asked: number): boolean =>
  results.length > 0 && results.length >= Math.min(limit ?? asked, asked)

/** The server does not sort by id, so that pagination would skip some results and repeat others. */
export class OrderBroken extends Error {
  override readonly name = 'OrderBroken'

  constructor(row: number, id: string, before: string) {
    const what = id === before ? `came twice` : `came after ${before}`
    super(`The server does not keep the order of ids that was asked for: row ${row}, ${id}, ${what}.`)
  }
}

/** The server returned fewer results than its total. */
export class ResultsMissing extends Error {
  override readonly name = 'ResultsMissing'

  constructor(read: number, total: number | undefined) {
    super(`The server returned ${read} results, and counts ${total ?? 'more'}.`)
  }
}

/** Whether the first page is complete by the server's total, without duplicates. The order then does not matter. */
const isWhole = <D extends Identified>({results, total}: WalkedPage<D>): boolean =>
  total === results.length && new Set(results.map(({id}) => id)).size === results.length

/**
 * All pages up to an empty one, since a short page may have been cut by the server. The order by id is checked row by
 * row. `ahead` prefetches the next page while one is processed. Throws OrderBroken.
 */
export async function* inIdOrder<D extends Identified>(
  ask: (after: string | undefined) => Promise<WalkedPage<D>>,
  {ahead = false}: {readonly ahead?: boolean} = {},
): AsyncGenerator<readonly D[], void> {
  let last: string | undefined
  let rows = 0
  let asked: Promise<WalkedPage<D>> | undefined
  for (;;) {
    const page = await (asked ?? ask(last))
    asked = undefined
    const {results} = page
    if (results.length === 0) return
    if (rows === 0 && isWhole(page)) {
      yield results
      return
    }
    for (const {id} of results) {
      rows += 1
      if (last !== undefined && id <= last) throw new OrderBroken(rows, id, last)
      last = id
    }
    if (ahead) asked = ask(last)
    // A consumer that stops here never awaits the prefetched page.
    asked?.catch(() => undefined)
    yield results
  }
}

/** All results of `inIdOrder`; one request if they fit into a page, which may then be in any order. */
export async function allInIdOrder<D extends Identified>(
  ask: (after: string | undefined) => Promise<WalkedPage<D>>,
  asked: number,
): Promise<readonly D[]> {
  const first = await ask(undefined)
  if (!isFull(first, asked)) return first.results
  const found: D[] = []
  for await (const page of inIdOrder((after) => (after === undefined ? Promise.resolve(first) : ask(after)))) {
    found.push(...page)
  }
  return found
}
