import {notFound} from '../../domain/errors.js'
import type {AnyOperation, Operation, Query} from './operation.js'

/** Values derived from the declaration of an operation. Lists of operations pass each through `registered`. */

const one: Query = new Map([
  ['limit', ['1']],
  ['withTotal', ['false']],
])

/** The HEAD of a GET: whether there is such a thing or, of a list, whether anything satisfies the predicates. */
export function existenceOf(get: AnyOperation): Operation {
  const {reply: _, query = [], secrets: __, deprecations: ___, head, handle, ...shared} = get
  if (head === undefined) throw new Error(`the operation ${get.id} has no HEAD`)
  const isList = query.includes('limit')
  return {
    ...shared,
    id: head,
    method: 'HEAD',
    summary: `${get.summary}, as a status alone`,
    ...(isList ? {query: ['where', 'var.*']} : {}),
    handle: async (context, request) => {
      const asked = [...request.query].filter(([name]) => isList && (name === 'where' || name.startsWith('var.')))
      const found = await handle(context, {...request, query: new Map([...asked, ...(isList ? one : [])])})
      if (isList && found.count === 0) throw notFound('Nothing matches the predicate.')
    },
  }
}

/** The twin below a store, whose scope suffices. The handler limits what it finds to the store of the context. */
function storeTwin(operation: AnyOperation): AnyOperation {
  const path: string = operation.path.replace('/{projectKey}/', '/{projectKey}/in-store/key={storeKey}/')
  return {...operation, id: `${operation.id}InStore`, path, summary: `${operation.summary}, in a store`}
}

/** An operation, its HEAD, and both below a store. */
export function registered(declared: AnyOperation): readonly AnyOperation[] {
  const own = declared.head === undefined ? [declared] : [declared, existenceOf(declared)]
  return [...own, ...own.filter(({inStore}) => inStore).map(storeTwin)]
}
