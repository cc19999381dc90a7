import {isSecret} from '../../api/operation/operation.js'
import {holdsSecret, pathWithoutSecrets} from '../../domain/secret-members.js'
import type {AnsweredRequest} from './request-log.js'

/** The path of a request for logs: one-time tokens in it are masked, however they are encoded. */
export function shownPath({path, operation, params}: Pick<AnsweredRequest, 'path' | 'operation' | 'params'>): string {
  // What a route takes for an id may hold an encoded token.
  if (operation === undefined || holdsSecret(path)) return pathWithoutSecrets(path)
  const declared: string = operation.path
  return declared.replace(/\{(\w+)\}/g, (_, name: string) =>
    isSecret(operation, name) ? '…' : encodeURIComponent(params?.[name] ?? ''),
  )
}
