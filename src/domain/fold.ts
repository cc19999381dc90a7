import type {AnyAction, Effect, Facts, VersionedMessage} from './action.js'
import {defined} from './equal.js'
import {ApiError} from './errors.js'
import {hidden} from './redact.js'
import {isSecretMember} from './secret-members.js'

export interface ActionCall<R> {
  readonly action: AnyAction<R>
  /** The output of the action's schema. */
  readonly body: unknown
}

export interface FoldResult<R> {
  readonly next: R
  readonly messages: readonly VersionedMessage[]
  readonly effects: readonly Effect[]
}

/**
 * Applies actions in order, later ones seeing earlier effects; pure, so that a throw leaves nothing behind
 * (decision 7). Each action that changes the resource raises `version` by one; if none does, the same object comes
 * back (decision 6).
 *
 *     fold({...ada, version: 1}, [{action: setKey, body: {key: 'ada'}}], facts).next
 *     // {...ada, version: 2, key: 'ada'}
 */
export function fold<R extends {readonly version: number}>(
  resource: R,
  calls: readonly ActionCall<R>[],
  facts: Facts,
): FoldResult<R> {
  const steps = folding(resource, calls, facts)
  for (;;) {
    const {done, value} = steps.next()
    if (done) return value
  }
}

interface Application<R> {
  readonly current: R
  readonly body: unknown
  readonly facts: Facts
  readonly actionIndex: number
}

/** Applies an action; what refuses it names the action, its secrets masked, and its place (decision 66). */
function applied<R>(action: AnyAction<R>, {current, body, facts, actionIndex}: Application<R>) {
  try {
    return action.apply(current, body, facts)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const text = JSON.stringify(body, (name, value: unknown) => (isSecretMember(name) ? hidden : value))
    throw error.with({action: {action: action.name, ...(JSON.parse(text) as object)}, actionIndex})
  }
}

/** `fold` as a generator that pauses before each action, so that a server can answer other requests in between. */
export function* folding<R extends {readonly version: number}>(
  resource: R,
  calls: readonly ActionCall<R>[],
  facts: Facts,
): Generator<undefined, FoldResult<R>> {
  // Of a document that has its JSON kept with it, a spread takes five times as long.
  const begun = defined(resource) as R
  let current = begun
  const messages: VersionedMessage[] = []
  const effects: Effect[] = []
  for (const [actionIndex, {action, body}] of calls.entries()) {
    yield undefined
    const result = applied(action, {current, body, facts, actionIndex})
    if (result.next === current) continue
    const version = current.version + 1
    current = {...result.next, version}
    for (const message of result.messages ?? []) messages.push({resourceVersion: version, ...message})
    effects.push(...(result.effects ?? []))
  }
  return {next: current === begun ? resource : current, messages, effects}
}
