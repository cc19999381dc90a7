import {catalogue, type Row} from './error-catalogue.js'

/**
 * The errors of the API and of local state. Domain, store and client throw the same class, so a command cannot tell an
 * embedded target from a remote one.
 */

export {catalogue} from './error-catalogue.js'

export type ErrorCode = keyof typeof catalogue
export type ErrorDetails<C extends ErrorCode> = Parameters<(typeof catalogue)[C]['text']>[0]

/** The shape of one entry of `errors` in a body. */
export interface ErrorObject {
  readonly code: string
  readonly message: string
  readonly [member: string]: unknown
}

interface Parts {
  readonly status: number
  readonly errors: readonly [ErrorObject, ...ErrorObject[]]
  readonly retryAfterSeconds?: number | undefined
  readonly details?: unknown
  readonly foreign?: string | undefined
  readonly isForeign?: boolean
}

/**
 * A refusal that the API states: a code of the catalogue, its status and its text.
 * `message` equals `errors[0].message`; further errors share the status (decision 4).
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  readonly statusCode: number
  readonly errors: readonly [ErrorObject, ...ErrorObject[]]
  /** Seconds after which a repeat makes sense, for 429 and 503. */
  readonly retryAfterSeconds?: number
  /** What the thrower passed; never part of a body. */
  readonly details: unknown
  /** Set by a client: something else than the API answered, and this is what it said. */
  readonly foreign?: string
  /** The answer did not have the API's error body: something in between may have made it. */
  readonly isForeign: boolean
  /** Set by a client: the correlation id of the answer. */
  correlationId?: string
  /** Set by a client: the authorization failed, so that the request itself never left. */
  unsent?: true
  /** Set by a client: an earlier try of the same request was answered 503, and may have had its effect. */
  afterOpenTry?: true

  private constructor(parts: Parts, options?: ErrorOptions) {
    super(parts.errors[0].message, options)
    this.code = parts.errors[0].code
    this.statusCode = parts.status
    this.errors = parts.errors
    this.details = parts.details
    if (parts.foreign !== undefined) this.foreign = parts.foreign
    this.isForeign = parts.isForeign ?? false
    if (parts.retryAfterSeconds !== undefined) this.retryAfterSeconds = parts.retryAfterSeconds
  }

  /** A refusal by a row of the catalogue. */
  static of<C extends ErrorCode>(code: C, details: ErrorDetails<C>, options?: ErrorOptions): ApiError {
    const entry = catalogue[code] as Row<ErrorDetails<C>>
    const retryAfterSeconds = (details as {retryAfterSeconds?: number}).retryAfterSeconds
    const error: ErrorObject = {code, message: entry.text(details), ...entry.shows?.(details)}
    return new ApiError({status: entry.status, errors: [error], retryAfterSeconds, details}, options)
  }

  /** Several refusals of one status as one: the first leads. */
  static all(errors: readonly [ApiError, ...ApiError[]]): ApiError {
    const [first, ...rest] = errors
    if (rest.length === 0) return first
    const same = rest.filter((error) => error.statusCode === first.statusCode)
    return new ApiError({
      status: first.statusCode,
      errors: [first.errors[0], ...first.errors.slice(1), ...same.flatMap((error) => error.errors)],
      details: first.details,
    })
  }

  /**
   * Rebuilds what a server said. Bodies that are not the API's become `General` with the status, and with what is known
   * of them.
   */
  static fromBody(
    status: number,
    body: unknown,
    {retryAfterSeconds, foreign}: {readonly retryAfterSeconds?: number; readonly foreign?: string} = {},
  ): ApiError {
    const errors = errorObjects(body)
    const [first, ...rest] = errors
    if (first) return new ApiError({status, errors: [first, ...rest], retryAfterSeconds, details: body})
    const message = `The server answered ${status} without an error body.${foreign === undefined ? '' : ` ${foreign}`}`
    return new ApiError({
      status,
      errors: [{code: 'General', message}],
      retryAfterSeconds,
      details: body,
      foreign,
      isForeign: true,
    })
  }

  is<C extends ErrorCode>(code: C): boolean {
    return this.code === code
  }
}

function errorObjects(body: unknown): ErrorObject[] {
  if (typeof body !== 'object' || body === null || !('errors' in body) || !Array.isArray(body.errors)) return []
  return (body.errors as unknown[]).filter(
    (entry): entry is ErrorObject =>
      typeof entry === 'object' &&
      entry !== null &&
      typeof (entry as ErrorObject).code === 'string' &&
      typeof (entry as ErrorObject).message === 'string',
  )
}

/** `error_description` may hold %x20-21, %x23-5B and %x5D-7E only (RFC 6749 §5.2). */
const oauthText = (text: string): string => text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?')

/** The JSON body of an error. `oauth` adds `error` and `error_description` (decision 4). */
export function errorBody(error: ApiError, oauth: boolean): Record<string, unknown> {
  return {
    statusCode: error.statusCode,
    message: error.message,
    errors: error.errors,
    ...(oauth || error.statusCode === 401 || error.statusCode === 403
      ? {error: error.code, error_description: oauthText(error.message)}
      : {}),
  }
}

export const notFound = (what: string): ApiError => ApiError.of('ResourceNotFound', {message: what})

/** Local state that cannot be used: locked, corrupt, of a newer version, not writable. Commands end with code 13. */
export class StateError extends Error {
  override readonly name = 'StateError'
  readonly code: 'StateLocked' | 'StateCorrupt' | 'StateVersion' | 'StatePermissions' | 'StateUnusable'
  readonly path: string
  /** What to do about it, as one imperative sentence. */
  readonly remedy: string

  constructor(code: StateError['code'], message: string, path: string, remedy: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.path = path
    this.remedy = remedy
  }
}
