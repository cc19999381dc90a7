import {defined} from '../../domain/equal.js'
import {type Operation, operation, type PathParams, type Request} from './operation.js'

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
 * One declaration, two operations: `…ById` at `/{id}` and `…ByKey` at `/key={key}`. The ids and the path given are what
 * both start with.
 */
export function byIdAndKey<const P extends string, B = undefined, R = undefined>(
  declared: Declared<P, B, R>,
): readonly [Operation<`${P}/{id}`, B, R>, Operation<`${P}/key={key}`, B, R>] {
  const {handle} = declared
  const named = (suffix: string) => ({
    ...declared,
    id: declared.id + suffix,
    ...defined({head: declared.head && declared.head + suffix}),
  })
  const request = <Q extends string>(from: Request<Q, B>) => from as unknown as Request<P, B>
  return [
    operation<`${P}/{id}`, B, R>({
      ...named('ById'),
      path: `${declared.path}/{id}`,
      handle: (context, from) => {
        const {id = ''} = from.params as PathParams<'{id}'>
        return handle(context, {id}, request(from))
      },
    }),
    operation<`${P}/key={key}`, B, R>({
      ...named('ByKey'),
      path: `${declared.path}/key={key}`,
      handle: (context, from) => {
        const {key = ''} = from.params as PathParams<'{key}'>
        return handle(context, {key}, request(from))
      },
    }),
  ]
}
