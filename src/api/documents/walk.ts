import type {Predicate} from '../../query/ast.js'
import {allOf, follows} from '../../query/predicates.js'
import type {Document, Store} from '../../store/store.js'
import {limits} from '../../work/limits.js'

const pageSize = 500

/** Every document of a kind, or those that satisfy a predicate, in the order of ids: writes meanwhile shift no page. */
export async function* walked<D extends Document>(
  state: Store,
  project: string,
  kind: string,
  where?: Predicate,
): AsyncGenerator<D> {
  for (let last: string | undefined; ; ) {
    const terms = allOf(where, last === undefined ? undefined : follows('id', last))
    let bytes = 0
    const {results, isCut} = await state.query<D>(project, kind, {
      ...(terms ? {where: terms} : {}),
      limit: pageSize,
      offset: 0,
      take: (more) => {
        bytes += more
        return bytes <= limits.replyBytes
      },
    })
    yield* results
    if (!isCut && results.length < pageSize) return
    last = results.at(-1)?.id
  }
}

export async function allWhere<D extends Document>(
  state: Store,
  project: string,
  kind: string,
  where?: Predicate,
): Promise<D[]> {
  const found: D[] = []
  for await (const document of walked<D>(state, project, kind, where)) found.push(document)
  return found
}
