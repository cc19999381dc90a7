import {notFound} from '../../domain/errors.js'
import {type AnyOperation, type Operation, operation, type PathParams, type Query, type Request} from './operation.js'

/** How a path names a resource. */
export type Name = {readonly id: string} | {readonly key: string}

type Declared<P extends string, B, R> = Omit<Operation<P, B, R>, 'path' | 'handle'> & {
  readonly path: P
  handle(
    context: Parameters<Operation<P, B, R>['handle']>[0],
    name: Name,
    request: Request<P, B>,
  ): ReturnType<Operation<P, B, R>['handle']>
}

/**
 * One declaration, two operations: `…ById` at `/{id}` and `…ByKey` at `/key={key}`. The id and path given are what both
 * start with.
 */
export function byIdAndKey<const P extends string, B = undefined, R = undefined>(
  declared: Declared<P, B, R>,
): readonly [Operation<`${P}/{id}`, B, R>, Operation<`${P}/key={key}`, B, R>] {
  const {handle} = declared
  const request = <Q extends string>(from: Request<Q, B>) => from as unknown as Request<P, B>
  return [
    operation<`${P}/{id}`, B, R>({
      ...declared,
      id: `${declared.id}ById`,
      path: `${declared.path}/{id}`,
      handle: (context, from) => {
        const {id = ''} = from.params as PathParams<'{id}'>
        return handle(context, {id}, request(from))
      },
    }),
    operation<`${P}/key={key}`, B, R>({
      ...declared,
      id: `${declared.id}ByKey`,
      path: `${declared.path}/key={key}`,
      handle: (context, from) => {
        const {key = ''} = from.params as PathParams<'{key}'>
        return handle(context, {key}, request(from))
      },
    }),
  ]
}

/** The HEAD twin of a GET: the same checks and the same refusals, without a body and without query parameters. */
export const existence = (id: string, get: AnyOperation, summary: string): Operation => {
  const {reply: _, query: __, secrets: ___, deprecations: ____, handle, ...shared} = get
  const withoutQuery: typeof handle = (context, request) => handle(context, {...request, query: new Map()})
  return {...shared, id, method: 'HEAD', summary, handle: withoutQuery}
}

const one: Query = new Map([
  ['limit', ['1']],
  ['withTotal', ['false']],
])

/** The HEAD twin of a GET of a list: whether any of them satisfies the predicates. */
export const existenceByQuery = (id: string, list: AnyOperation, summary: string): Operation => {
  const {reply: _, secrets: __, deprecations: ___, handle, ...shared} = list
  return {
    ...shared,
    id,
    method: 'HEAD',
    summary,
    query: ['where', 'var.*'],
    handle: async (context, request) => {
      const asked = [...request.query].filter(([name]) => name === 'where' || name.startsWith('var.'))
      const {count} = await handle(context, {...request, query: new Map([...asked, ...one])})
      if (count === 0) throw notFound('Nothing matches the predicate.')
    },
  }
}
