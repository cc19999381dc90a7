import {defined, isObject, pick} from './equal.js'
import {catalogue, type Row} from './error-catalogue.js'

/** Domain, store and client throw the same errors, so that commands handle embedded and remote targets alike. */

export {catalogue} from './error-catalogue.js'

export type ErrorCode = keyof typeof catalogue
export type ErrorDetails<C extends ErrorCode> = Parameters<(typeof catalogue)[C]['text']>[0]

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
 * An error of the API: a code of the catalogue, its status and its text.
 * `message` equals `errors[0].message`; further errors share the status (decision 4).
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  readonly statusCode: number
  readonly errors: readonly [ErrorObject, ...ErrorObject[]]
  /** Seconds to wait before a retry, for 429 and 503. */
  readonly retryAfterSeconds?: number
  /** The thrower's details; never part of a body. */
  readonly details: unknown
  /** Set by a client: the text of a reply that is not the API's. */
  readonly foreign?: string
  /** The reply lacks the API's error body: a proxy may have sent it. */
  readonly isForeign: boolean
  /** Set by a client: the correlation id of the reply. */
  correlationId?: string
  /** Set by a client: no token could be obtained, so that the request was not sent. */
  unsent?: true
  /** Set by a client: an earlier attempt of the request got 503 and may have taken effect. */
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

  static of<C extends ErrorCode>(code: C, details: ErrorDetails<C>, options?: ErrorOptions): ApiError {
    const entry = catalogue[code] as Row<ErrorDetails<C>>
    const {retryAfterSeconds, late} = details as {retryAfterSeconds?: number; late?: boolean}
    const status = late && entry.statusIfLate !== undefined ? entry.statusIfLate : entry.status
    const error: ErrorObject = {code, message: entry.text(details), ...shownOf(entry, details)}
    return new ApiError({status, errors: [error], retryAfterSeconds, details}, options)
  }

  /** Several errors of one status as one; code and message are those of the first. */
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

  /** Rebuilds an error from a reply. A body that is not the API's becomes `General`. */
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

  /** This error with further members in each entry of its body. */
  with(members: object): ApiError {
    const [first, ...rest] = this.errors.map((entry) => ({...entry, ...members})) as [ErrorObject, ...ErrorObject[]]
    const {statusCode: status, retryAfterSeconds, details, cause} = this
    return new ApiError({status, errors: [first, ...rest], retryAfterSeconds, details}, defined({cause}))
  }

  is<C extends ErrorCode>(code: C): boolean {
    return this.code === code
  }
}

function shownOf<D extends object>({shows = []}: Row<D>, details: D): object {
  return typeof shows === 'function' ? shows(details) : defined(pick(details, shows))
}

function errorObjects(body: unknown): ErrorObject[] {
  const errors: unknown = isObject(body) ? body['errors'] : undefined
  const isError = (entry: unknown): entry is ErrorObject =>
    isObject(entry) && typeof entry['code'] === 'string' && typeof entry['message'] === 'string'
  return Array.isArray(errors) ? (errors as unknown[]).filter(isError) : []
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

export const invalidOperation = (message: string): ApiError => ApiError.of('InvalidOperation', {message})

export interface ExpectedOptions extends ErrorOptions {
  /** What to do about it, each an imperative sentence. */
  readonly hints?: readonly (string | undefined)[]
  /** Further facts for programs: one object per problem. */
  readonly details?: readonly unknown[]
  /** What programs find beside the members that every failure has. */
  readonly more?: Readonly<Record<string, unknown>>
  /** This and the correlation id: those of a cause that the API answered, if absent. */
  readonly statusCode?: number | undefined
  readonly correlationId?: string | undefined
}

/** The client that work is done for. */
export interface Caller {
  isGone(): boolean
}

/** A caller that has left gets no answer; what is thrown for it ends its work. */
export const callerGone = (): ApiError => ApiError.of('OverCapacity', {message: 'The caller has left.'})

export const overCapacity = (message: string, cause?: unknown): ApiError =>
  ApiError.of('OverCapacity', {message, retryAfterSeconds: 2}, cause === undefined ? {} : {cause})

/** Throws MaxResourceLimitExceeded for more than the limit of something. */
export function checkRoom(count: number, limit: number, exceededResource: string): void {
  if (count > limit) throw ApiError.of('MaxResourceLimitExceeded', {limit, exceededResource})
}

/** Throws DuplicateField for entries of a list that have the same text in a member (decision 11). */
export function checkDistinct<M extends string>(
  list: string,
  member: M,
  entries: readonly {readonly [K in M]?: string}[],
): void {
  const seen = new Set<string>()
  for (const {[member]: value} of entries) {
    if (value === undefined) continue
    if (seen.has(value)) throw ApiError.of('DuplicateField', {field: `${list}.${member}`, duplicateValue: value})
    seen.add(value)
  }
}

type Ending = 'usage' | 'notFound' | 'partial' | 'localState' | 'interrupted'

/** A failure that is no bug, with all that is reported of it. */
export class Expected<E extends string = Ending> extends Error {
  /** How a command ends by it; undefined: as by its cause. */
  readonly ending: E | undefined
  /** A stable name for programs, such as `ReferenceAmbiguous`. */
  readonly code: string
  readonly hints: readonly string[]
  readonly details: readonly unknown[]
  readonly more: Readonly<Record<string, unknown>>
  readonly statusCode: number | undefined
  readonly correlationId: string | undefined

  constructor(ending: E | undefined, code: string, message: string, options: ExpectedOptions = {}) {
    super(message, options)
    this.ending = ending
    this.code = code
    this.hints = (options.hints ?? []).filter((hint) => hint !== undefined)
    this.details = options.details ?? []
    this.more = options.more ?? {}
    const cause = options.cause instanceof ApiError ? options.cause : undefined
    this.statusCode = options.statusCode ?? cause?.statusCode
    this.correlationId = options.correlationId ?? cause?.correlationId
  }
}

/** Local state is unusable: locked, corrupt, of a newer version or not writable. Commands exit with code 13. */
export class StateError extends Expected {
  override readonly name = 'StateError'
  declare readonly code: 'StateLocked' | 'StateCorrupt' | 'StateVersion' | 'StatePermissions' | 'StateUnusable'
  readonly path: string
  /** How to recover, as one imperative sentence. */
  readonly remedy: string

  constructor(code: StateError['code'], message: string, path: string, remedy: string, options?: ErrorOptions) {
    super('localState', code, message, {hints: [remedy], details: [{path}], ...options})
    this.path = path
    this.remedy = remedy
  }
}
