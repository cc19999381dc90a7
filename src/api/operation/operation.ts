import type * as v from 'valibot'
import type {AnyAction} from '../../domain/action.js'
import type {SecretMember} from '../../domain/secret-members.js'
import type {Context} from './context.js'

/** The operation unit, one HTTP operation. Router, permission check, validation, client, OpenAPI and tables are loops over them. */

export type Schema = v.GenericSchema<unknown, unknown>

/** `{projectKey}` and the like in a path, as the keys of an object. */
export type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? {readonly [K in Name]: string} & PathParams<Rest>
  : object

export type Query = ReadonlyMap<string, readonly string[]>

/** Who may call. The member is required, so that no route is without a permission. */
export type Permission =
  /** No token required: probes only. */
  | {readonly kind: 'open'}
  /** The administration of a local server: its own token, in a file of the user who started it. */
  | {readonly kind: 'admin'}
  /** HTTP Basic with id and secret of an API client, which must hold the `scope`. */
  | {readonly kind: 'basic'; readonly scope?: string}
  /** A bearer token with one of the scopes, `bound` to a customer or session; `optional`: or to nobody. */
  | {
      readonly kind: 'bearer'
      readonly anyOf: readonly string[]
      readonly bound?: 'customer' | 'either' | 'optional'
      /** Any token of the project passes: `handle` permits each thing that it touches; `anyOf` is what may be needed. */
      readonly byTouch?: true
      /** Refuses tokens of external authorization servers, whatever their scopes (decision 30). */
      readonly ownTokensOnly?: true
    }

export interface Request<P extends string, B> {
  readonly params: PathParams<P>
  readonly query: Query
  /** The output of the body schema; undefined without one. */
  readonly body: B
}

export interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Written to the log beside the status; never sent. */
  readonly note?: string
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'DELETE'

export interface Operation<P extends string = string, B = unknown, R = unknown> {
  /** Unique, camel case: `getCustomerById`. */
  readonly id: string
  readonly method: Method
  /** `/{projectKey}/customers/{id}`: the path as the interface writes it. */
  readonly path: P
  /** One line for tables and OpenAPI, starting with a verb. */
  readonly summary: string
  /** Heading in tables and OpenAPI. */
  readonly area: string
  readonly permission: Permission
  /** Names of query parameters, described once in `parameters.ts`. */
  readonly query?: readonly string[]
  readonly body?: v.GenericSchema<unknown, B>
  /** The update actions that the body may carry, for tables and OpenAPI. */
  readonly actions?: ReadonlyMap<
    string,
    Pick<AnyAction<never>, 'name' | 'summary' | 'schema' | 'messages' | 'errors' | 'deprecated' | 'secrets'>
  >
  /** `json` bodies unless said otherwise; the authorization service takes forms. */
  readonly bodyKind?: 'json' | 'form'
  /** The form parameters that are read; others are ignored. */
  readonly formParameters?: readonly string[]
  /** Reads an ill-formed form as an empty one: revocation answers 200 to it (RFC 7009 §2.2). */
  readonly lenientBody?: true
  /** Its status when it succeeds. Absent: 200. */
  readonly success?: number
  readonly reply?: v.GenericSchema<R, unknown>
  /** The id of the HEAD of a GET, which has its checks and refusals and no body. Absent: there is none. */
  readonly head?: string
  /** Whether a twin below `/in-store/key={storeKey}` exists. */
  readonly inStore?: true
  /** Parameters of the path or form, and members of body and reply, that hold a secret; those of its actions aside. */
  readonly secrets?: readonly SecretMember[]
  /** Types of the messages that it can store; those of its actions aside. */
  readonly messages?: readonly string[]
  /** Features of the body that still work but should no longer be used (decision 36). */
  readonly deprecations?: readonly DeprecatedUse[]
  /** Kinds that it reads without expecting or requiring their version in its commit, each with the reason why that is safe. */
  readonly unexpected?: Readonly<Record<string, string>>
  /** Headers of every reply that succeeds. */
  readonly headers?: Readonly<Record<string, string>>
  handle(context: Context, request: Request<P, B>): Promise<R>
}

export interface DeprecatedUse {
  /** Its entry in the catalogue of deprecations. */
  readonly id: string
  /** The feature as the notice names it. */
  readonly feature: string
  readonly alternative: string
  /** ISO date. */
  readonly since: string
  readonly usedBy: (body: unknown, query: Query) => boolean
}

/**
 * Declares an operation and infers path parameters, body and reply.
 *
 *     operation({
 *       id: 'getGreeting',
 *       method: 'GET',
 *       path: '/{projectKey}/greetings/{name}',
 *       summary: 'read a greeting',
 *       area: 'Greetings',
 *       permission: {kind: 'bearer', anyOf: ['view_customers']},
 *       handle: async ({params}) => ({text: `Hello, ${params.name}.`}),
 *     }).path
 *     // '/{projectKey}/greetings/{name}'
 */
export const operation = <const P extends string, B = undefined, R = undefined>(
  declared: Operation<P, B, R>,
): Operation<P, B, R> => declared

// biome-ignore lint/suspicious/noExplicitAny: a registry holds operations of every path, body and reply
export type AnyOperation = Operation<any, any, any>

export const successOf = ({success = 200}: Pick<AnyOperation, 'success'>): number => success

export const secretsOf = ({secrets = [], actions}: AnyOperation): readonly SecretMember[] =>
  actions === undefined ? secrets : [...secrets, ...[...actions.values()].flatMap((action) => action.secrets ?? [])]

export const messagesOf = ({messages = [], actions}: AnyOperation): readonly string[] =>
  actions === undefined ? messages : [...messages, ...[...actions.values()].flatMap((action) => action.messages ?? [])]

/** Whether a parameter of an operation's path or form, or a member of its body or reply, holds a secret. */
export const isSecret = (operation: AnyOperation, name: string): boolean =>
  secretsOf(operation).some((secret) => secret === name)
