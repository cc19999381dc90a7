import type {AnyOperation} from './operation.js'

/**
 * The twin of an operation at `/in-store/key={storeKey}`. The handler limits customers to the context's store, and the
 * permission also accepts the scope of that store.
 */
export function storeTwin(operation: AnyOperation): AnyOperation {
  const path: string = operation.path.replace('/{projectKey}/', '/{projectKey}/in-store/key={storeKey}/')
  return {...operation, id: `${operation.id}InStore`, path, summary: `${operation.summary}, in a store`}
}
