import * as v from 'valibot'
import {defined, withMember} from './equal.js'
import type {WantedReference} from './references.js'
import type {SecretMember} from './secret-members.js'

/** The action unit: one kind of update. Validation, `--set`, help and tables are loops over registries of actions. */

/** What actions need from outside the resource, read before the fold so that it does no I/O. */
export interface Facts {
  /** ISO 8601 UTC with milliseconds. */
  readonly now: string
  /** Eight characters of the URL-safe base64 alphabet: the id of a new address. */
  readonly newAddressId: () => string
  /** The text shown in place of a new password. */
  readonly newPasswordMask: () => string
  /** Languages of the project; empty accepts every well-formed tag (decision 2). */
  readonly languages: readonly string[]
  readonly limits: {readonly customerGroups: number}
  /** The caller as an associate of the business unit that the resource belongs to. Absent: it belongs to none. */
  readonly associate?: {readonly customerId: string; readonly permissions: ReadonlySet<string>}
  /** A resource that `references` named; throws ReferencedResourceNotFound. */
  readonly resolve: (reference: WantedReference) => ReferencedResource
}

export interface ReferencedResource {
  readonly id: string
  readonly key?: string
  readonly [member: string]: unknown
}

/** An effect on other documents, which the handler adds to the same commit. */
export type Effect =
  | {readonly effect: 'dropOneTimeTokens'}
  | {readonly effect: 'endSessions'}
  | {readonly effect: 'setPassword'; readonly password: string}
  | {readonly effect: 'dropPassword'}
  | {readonly effect: 'recalculateCart'}

/** One entry of the `actions` of an update. */
export interface UpdateAction {
  readonly action: string
  readonly [member: string]: unknown
}

export interface ActionResult<R> {
  /** The resource after the action; the same object if nothing changed. */
  readonly next: R
  readonly messages?: readonly MessageDraft[]
  readonly effects?: readonly Effect[]
}

type AnySchema = v.GenericSchema<unknown, unknown>

export interface Action<R, S extends AnySchema = AnySchema> {
  readonly name: string
  /** One line for tables and help, starting with a verb. */
  readonly summary: string
  /** Schema of the members beside `action`. */
  readonly schema: S
  /** Top-level members of the resource that it may change; two changes conflict if they share one. */
  readonly fields: readonly string[]
  /** The member that a single value sets: `--set FIELD=VALUE`, a column of an import. */
  readonly sets?: string
  /** The members of the action that set the field to a value, or remove it for undefined. Absent: the field's name. */
  readonly setting?: (value: unknown) => Readonly<Record<string, unknown>>
  readonly messages?: readonly string[]
  readonly secrets?: readonly SecretMember[]
  /** Error codes beside the general ones that this action can raise, for the tables. */
  readonly errors?: readonly string[]
  /** Whether a customer may use it on `/me`. */
  readonly my?: true
  /** A project-wide scope that it requires in addition to those of its operation. */
  readonly scope?: string
  /** Refuses tokens of external authorization servers, whatever their scopes (decision 30). */
  readonly ownTokensOnly?: true
  /** A feature that still works but should no longer be used (decision 36). */
  readonly deprecated?: {readonly id: string; readonly alternative: string; readonly since: string}
  references?(body: v.InferOutput<S>, resource: R): readonly WantedReference[]
  apply(resource: R, body: v.InferOutput<S>, facts: Facts): ActionResult<R>
}

export type AnyAction<R> = Action<R, AnySchema>

export type Registry<R> = ReadonlyMap<string, AnyAction<R>>

/** A function that declares actions of `R`; it hides the type of their bodies, so that a registry can hold them. */
export const actionOf =
  <R>() =>
  <const S extends AnySchema>(action: Action<R, S>): AnyAction<R> =>
    action as unknown as AnyAction<R>

export interface Setter<R, T> extends Omit<AnyAction<R>, 'fields' | 'schema' | 'messages' | 'references' | 'apply'> {
  /** Of the resource and of the body. */
  readonly member: keyof R & string
  /** Optional where the member may be removed. */
  readonly schema: v.GenericSchema<unknown, T>
  /** The type of the message that repeats the value. Absent: it has none. */
  readonly message?: string | undefined
  /** A value as the resource keeps it. Absent: as it came. */
  readonly kept?: (value: NonNullable<T>, facts: Facts) => unknown
}

/** A function that declares actions of `R` which set one member, or remove it when the value is left out. */
export const setterOf =
  <R extends object>() =>
  <T>({member, schema, message, kept, ...declared}: Setter<R, T>): AnyAction<R> =>
    actionOf<R>()({
      ...declared,
      fields: [member],
      schema: v.object({[member]: schema}),
      messages: message === undefined ? [] : [message],
      apply: (resource, body, facts) => {
        const value = body[member] as NonNullable<T> | undefined
        const next = (kept && value !== undefined ? kept(value, facts) : value) as R[typeof member] | undefined
        const messages = message === undefined ? [] : [{type: message, payload: defined({[member]: value})}]
        return {next: withMember(resource, member, next), messages}
      },
    })

export function registryOf<R>(actions: readonly AnyAction<R>[]): Registry<R> {
  const registry = new Map(actions.map((action) => [action.name, action]))
  if (registry.size !== actions.length) throw new Error('two actions share a name')
  return registry
}

/** The entry of `actions` that sets a field to a value, or removes it for undefined. */
export const settingAction = <R>({name, sets = '', setting}: AnyAction<R>, value: unknown): UpdateAction => ({
  action: name,
  ...(setting ? setting(value) : defined({[sets]: value})),
})

export const settersOf = <R>(registry: Registry<R>): ReadonlyMap<string, AnyAction<R>> =>
  new Map([...registry.values()].flatMap((action) => (action.sets === undefined ? [] : [[action.sets, action]])))

/** A message before it is stored: its type and its payload. The envelope is added with the commit. */
export interface MessageDraft {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** A message of a fold, with the version of the resource after the action that produced it. */
export interface VersionedMessage extends MessageDraft {
  readonly resourceVersion: number
}
