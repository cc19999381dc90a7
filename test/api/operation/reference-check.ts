import type {AnyOperation} from '../../../src/api/operation/operation.js'
import {referenceOperations, referenceTypes} from '../../fixtures/reference/reference.js'

/** Compares answers with the members and types that the public API reference has for their operation. */

/** Members that the platform shows and its reference leaves out; they are in captures of its answers. */
export const undeclared = ['versionModifiedAt', 'lastMessageSequenceNumber']

/** The same of single types. */
export const shownBeside: ReadonlyMap<string, readonly string[]> = new Map([
  ['LastModifiedBy', ['isPlatformClient']],
  ['CreatedBy', ['isPlatformClient']],
  ['CustomerToken', ['createdBy', 'lastModifiedBy']],
  ['Cart', ['type']],
  ['ProductTypeReference', ['version']],
])

/** What an error of an update, and one of a request in GraphQL, says beside its own members (decision 66). */
const besides = ['action', 'actionIndex', 'locations', 'extensions']

const emptied = (path: string): string => path.replace(/\{\w+\}/g, '{}')
const answers = new Map([...referenceOperations].map(([operation, declared]) => [emptied(operation), declared]))

const declaredAt = ({method, path}: Pick<AnyOperation, 'method' | 'path'>) =>
  answers.get(`${method === 'HEAD' ? 'GET' : method} ${emptied(path)}`)

/** The type of an answer; absent for operations that the reference does not have. */
export const answerOf = (operation: Pick<AnyOperation, 'method' | 'path'>): string | undefined =>
  declaredAt(operation)?.type

/** The query parameters of an operation, as the reference declares them. */
export const parametersOf = (operation: Pick<AnyOperation, 'method' | 'path'>): readonly string[] =>
  declaredAt(operation)?.query ?? []

const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
const jsonTypes = new Map<string, (value: unknown) => boolean>([
  ['any', () => true],
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => typeof value === 'number'],
  ['boolean', (value) => typeof value === 'boolean'],
  ['datetime', matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)],
  ['date-only', matches(/^\d{4}-\d\d-\d\d$/)],
])

/** Codes of errors that the reference has no type of: of the authorization service, and of HTTP itself. */
const untyped: ReadonlySet<string> = new Set([
  ...['invalid_client', 'invalid_grant', 'invalid_request', 'invalid_scope', 'invalid_customer_account_credentials'],
  ...['unauthorized_client', 'unsupported_grant_type', 'TooManyRequests', 'MethodNotAllowed', 'UnsupportedMediaType'],
])

function memberDifferences(general: string, value: Readonly<Record<string, unknown>>): string[] {
  const {by, kinds} = referenceTypes.get(general) ?? {}
  const kind = by === undefined ? general : kinds?.[String(value[by])]
  const type = kind ?? (general === 'ErrorObject' && untyped.has(String(value['code'])) ? 'GeneralError' : undefined)
  if (type === undefined) return [`${general}: ${by} is ${value[by ?? '']}`]
  const members = referenceTypes.get(type)?.members
  if (!members) return []
  const beside = [...(shownBeside.get(type) ?? []), ...(general === 'ErrorObject' ? besides : [])]
  const known = new Set([...Object.keys(members), ...undeclared, ...beside])
  const surplus = Object.keys(value).filter((name) => !known.has(name))
  const wrong = Object.entries(members).flatMap(([name, text]) => {
    const at = `${type}.${name}`
    if (name in value) return differencesIn(text.replace(/\?$/, ''), value[name], at)
    return text.endsWith('?') ? [] : [`${at} is missing`]
  })
  return [...surplus.map((name) => `${type}.${name} is surplus`), ...wrong]
}

/** What a value has otherwise than its type in the reference. */
export function differencesIn(type: string, value: unknown, at = type): string[] {
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) return [`${at} is no array`]
    return value.flatMap((item) => differencesIn(type.slice(0, -2), item, at))
  }
  const fits = jsonTypes.get(type)
  if (fits?.(value)) return []
  if (fits || typeof value !== 'object' || value === null) return [`${at} is no ${type}`]
  return memberDifferences(type, value as Readonly<Record<string, unknown>>)
}

/** What an error has otherwise than the reference. */
export const errorDifferences = (body: object): string[] =>
  differencesIn('error' in body ? 'AuthErrorResponse' : 'ErrorResponse', body)
