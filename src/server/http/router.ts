import findMyWay from 'find-my-way'
import type {AnyOperation} from '../../api/operation/operation.js'
import {ApiError} from '../../domain/errors.js'

export interface Route {
  readonly operation: AnyOperation
  readonly params: Readonly<Record<string, string>>
}

/** Finds an operation by method and path. Throws 404, which names what is served, or 405 with the allowed methods (decision 3). */
export type Router = (method: string, path: string) => Route

/** The path in the syntax of find-my-way: `/:projectKey/customers/key=:key`. */
const patternOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

const maxParamLength = 1024

/** Whether a path is below a project: there a trailing slash is ignored, since SDKs send it. */
const isBelowProject = (path: string): boolean =>
  path.length > 2 && !path.startsWith('/oauth/') && path.charCodeAt(1) !== underscore

const underscore = 0x5f

/**
 * Finds operations by method and path, one trailing slash of a project's paths dropped. All methods of a path share one
 * route, so that 405 can name them.
 */
export function routerOf(operations: readonly AnyOperation[]): Router {
  const byPath = new Map<string, Map<string, AnyOperation>>()
  for (const operation of operations) {
    const methods = byPath.get(operation.path) ?? new Map<string, AnyOperation>()
    if (methods.has(operation.method)) throw new Error(`two operations at ${operation.method} ${operation.path}`)
    byPath.set(operation.path, methods.set(operation.method, operation))
  }
  const router = findMyWay({
    maxParamLength,
    caseSensitive: true,
    ignoreTrailingSlash: false,
    ignoreDuplicateSlashes: false,
  })
  for (const [path, methods] of byPath) router.on('GET', patternOf(path), () => undefined, methods)
  return (method, path) => {
    const match = router.find('GET', path.endsWith('/') && isBelowProject(path) ? path.slice(0, -1) : path)
    if (!match || lacksValue(match.params)) throw unserved(operations)
    const methods = match.store as ReadonlyMap<string, AnyOperation>
    const operation = methods.get(method)
    if (operation) return {operation, params: match.params as Record<string, string>}
    throw ApiError.of('MethodNotAllowed', {allow: [...methods.keys()]})
  }
}

function lacksValue(params: Readonly<Record<string, string | undefined>>): boolean {
  for (const name of Object.keys(params)) if (!params[name]) return true
  return false
}

/** What another reader takes for the end of a name: an extension, a parameter. */
const beyondName = /[^A-Za-z0-9_/=-][^/]*/g

/**
 * Whether a path differs from a served one only in letter case, slashes or an extension (`customers.json`): a typo, and
 * no path of the fallback.
 */
export function nearlyServed(operations: readonly AnyOperation[]): (path: string) => boolean {
  const router = findMyWay({
    maxParamLength,
    caseSensitive: false,
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
  })
  for (const path of new Set(operations.map((operation): string => operation.path))) {
    router.on('GET', patternOf(path), () => undefined)
  }
  return (path) => [path, path.replace(beyondName, '')].some((one) => router.find('GET', one) !== null)
}

/** The 404 of a path that is not served: it names the first segments below a project, and where to read more. */
export function unserved(operations: readonly AnyOperation[]): ApiError {
  const paths = operations.filter(({permission}) => permission.kind !== 'admin').map(({path}): string => path)
  const first = paths.flatMap((path) => /^\/\{projectKey\}\/([a-z-]+)/.exec(path)?.[1] ?? [])
  const served = `This server serves, below /{projectKey}: ${[...new Set(first)].sort().join(', ')}; and the authorization service below /oauth. GET /openapi.json describes every path.`
  return ApiError.of('ResourceNotFound', {message: `There is no such path. ${served}`, because: 'path'})
}
