import {defined} from '../../domain/equal.js'
import {type Operation, operation, type PathParams, type Request} from './operation.js'

export type Name = {readonly id: string} | {readonly key: string}

type Declared<P extends string, B, R> = Omit<Operation<P, B, R>, 'path' | 'handle'> & {
  readonly path: P
  handle(
    context: Parameters<Operation<P, B, R>['handle']>[0],
    name: Name,
    request: Request<P, B>,
  ): ReturnType<Operation<P, B, R>['handle']>
}

/** One declaration, two operations that begin with its id and path: `…ById` at `/{id}` and `…ByKey` at `/key={key}`. */
export function byIdAndKey<const P extends string, B = undefined, R = undefined>(
  declared: Declared<P, B, R>,
): readonly [Operation<`${P}/{id}`, B, R>, Operation<`${P}/key={key}`, B, R>] {
  const {path, handle} = declared
  const named = <Q extends string>(suffix: string, at: Q, nameOf: (params: PathParams<'{id}{key}'>) => Name) =>
    operation<Q, B, R>({
      ...declared,
      id: declared.id + suffix,
      ...defined({head: declared.head && declared.head + suffix}),
      path: at,
      handle: (context, request) =>
        handle(context, nameOf(request.params as PathParams<'{id}{key}'>), request as unknown as Request<P, B>),
    })
  return [named('ById', `${path}/{id}`, ({id}) => ({id})), named('ByKey', `${path}/key={key}`, ({key}) => ({key}))]
}
