/** Reading everything there is, page by page, in the order of ids: each page begins behind the last id of the one before. */

interface Identified {
  readonly id: string
}

/** A page of the API, as far as a walk looks at it. */
export interface WalkedPage<D extends Identified> {
  readonly results: readonly D[]
  /** How many satisfy the predicates, if the server says so. */
  readonly total?: number
}

/** A server does not list in the order of ids, so that reading on would lose some and read others twice. */
export class OrderBroken extends Error {
  override readonly name = 'OrderBroken'

  constructor(row: number, id: string, before: string) {
    const what = id === before ? `came twice` : `came after ${before}`
    super(`The server does not keep the order of ids that was asked for: row ${row}, ${id}, ${what}.`)
  }
}

/** A server gave fewer than it says there are. */
export class ResultsMissing extends Error {
  override readonly name = 'ResultsMissing'

  constructor(read: number, total: number | undefined) {
    super(`The server gave ${read} results, of ${total ?? 'more'} that it says there are.`)
  }
}

/** Whether the first page is all there is: by the server's own count, and with nothing twice. No order is needed then. */
const isWhole = <D extends Identified>({results, total}: WalkedPage<D>): boolean =>
  total === results.length && new Set(results.map(({id}) => id)).size === results.length

/**
 * All pages from the first to an empty one: a short page may be one that the server cut. The order that this rests on is
 * checked row by row. `ahead` asks for the next page while one is used. Throws OrderBroken.
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
    // If whoever reads stops here, nobody waits for the page.
    asked?.catch(() => undefined)
    yield results
  }
}
