import {type AnyOperation, isSecret} from '../../api/operation/operation.js'
import {holdsSecret, pathWithoutSecrets} from '../../domain/secret-members.js'

interface PathOf {
  readonly path: string
  /** Undefined for a path that no operation has. */
  readonly operation: AnyOperation | undefined
  readonly params: Readonly<Record<string, string>> | undefined
}

/** The path of a request for logs: one-time tokens in it are masked, however they are encoded. */
export function shownPath({path, operation, params}: PathOf): string {
  // What a route takes for an id may hold an encoded token.
  if (operation === undefined || holdsSecret(path)) return pathWithoutSecrets(path)
  const declared: string = operation.path
  return declared.replace(/\{(\w+)\}/g, (_, name: string) =>
    isSecret(operation, name) ? '…' : encodeURIComponent(params?.[name] ?? ''),
  )
}
