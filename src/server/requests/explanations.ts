import type {Check} from '../../api/pipeline/exchange.js'
import type {ApiError, ErrorCode, ErrorDetails} from '../../domain/errors.js'

/** What a refusal means, for the person who runs the server. Callers learn less. */
interface Explanation<D> {
  /** The check that refuses with it, among the rules that a handler looks at. */
  readonly check?: Check
  /** The decision behind it, in src/decisions.md; that of the check if absent. */
  readonly decision?: number
  /** What was wrong and what would have passed. Absent, or undefined: the message says it. */
  readonly tells?: (details: D) => string | undefined
}

/** The decision behind each check. */
export const decisions: Readonly<Record<Check, number>> = {
  address: 3,
  authentication: 22,
  permission: 26,
  body: 13,
  existence: 5,
  version: 6,
  rules: 9,
  fault: 58,
}

const signIns: Readonly<Record<string, string>> = {
  email: 'No customer who may sign in here has this email: it is unknown, or belongs to other stores.',
  external: 'The customer signs in with an external service and has no password here.',
  password: 'The email is right, the password is wrong.',
}

const signIn = {decision: 24, tells: ({because = ''}: {because?: string}) => signIns[because]}

const absences: Readonly<Record<string, string>> = {
  store: 'It belongs to other stores than that of the path: use the path of one of them, or a path without a store.',
  path: 'Nothing is served at this path: it may be mistyped, and GET /openapi.json lists every one.',
  token: 'The token was used, superseded or created elsewhere: create another one.',
}

const ended = {decision: 20, tells: () => 'The token has expired: create another one, with a longer validity.'}

const explanations: {readonly [C in ErrorCode]?: Explanation<ErrorDetails<C>>} = {
  ConcurrentModification: {
    check: 'version',
    tells: ({expectedVersion, currentVersion}) =>
      `The current version is ${currentVersion}, not ${expectedVersion}: read the resource again and send its version.`,
  },
  ResourceNotFound: {check: 'existence', tells: ({because = ''}) => absences[because]},
  ReferencedResourceNotFound: {check: 'existence', decision: 12},
  SearchNotReady: {check: 'version', decision: 56},
  insufficient_scope: {check: 'permission'},
  AssociateMissingPermission: {check: 'permission', decision: 32},
  InvalidJsonInput: {check: 'body', decision: 8, tells: ({detailedErrorMessage}) => detailedErrorMessage},
  DuplicateField: {
    decision: 11,
    tells: ({field}) => `Another resource holds the value of '${field}': send another value, or change that resource.`,
  },
  RequiredField: {tells: ({field}) => `The field '${field}' is required and was not sent.`},
  LockedField: {
    decision: 10,
    tells: ({field}) => `Another request is writing the same '${field}': repeat yours when that one is done.`,
  },
  InvalidCredentials: signIn,
  invalid_customer_account_credentials: signIn,
  ExpiredCustomerPasswordToken: ended,
  ExpiredCustomerEmailToken: ended,
  invalid_scope: {
    decision: 63,
    tells: () =>
      'The API client does not hold all requested scopes by name: request those of the answer, or create another client.',
  },
  TooManyRequests: {
    decision: 28,
    tells: ({retryAfterSeconds}) =>
      `Too many failures were counted: wait ${retryAfterSeconds} seconds, or reset the password.`,
  },
}

export const explanationOf = (code: string): Explanation<never> =>
  (explanations as Readonly<Record<string, Explanation<never>>>)[code] ?? {}

export const explanationTextOf = (error: ApiError): string | undefined =>
  explanationOf(error.code).tells?.(error.details as never)
