import type {AnyOperation} from './operation.js'

/**
 * The twin of an operation below a store: the same declaration at another path. Which customers the handler reaches
 * there follows from the context's store, and the permission accepts the store's own scope.
 */
export function storeTwin(operation: AnyOperation): AnyOperation {
  const path: string = operation.path.replace('/{projectKey}/', '/{projectKey}/in-store/key={storeKey}/')
  return {...operation, id: `${operation.id}InStore`, path, summary: `${operation.summary}, in a store`}
}
