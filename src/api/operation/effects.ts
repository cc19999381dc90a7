import type {Effect} from '../../domain/action.js'
import {afterEffects, type Credential, newCredential} from '../../domain/credentials/credential.js'
import type {OneTimeToken, TokenPurpose} from '../../domain/credentials/one-time-token.js'
import {isFacet} from '../../query/predicates.js'
import {type Change, type Document, REALM} from '../../store/store.js'
import {accessTokens, refreshTokens, type Token} from '../documents/token.js'
import {allWhere} from '../documents/walk.js'
import type {Context} from './context.js'
import {retrying} from './retrying.js'

/** Effects of actions on other documents, as changes of the same commit. */

/** Undefined for a customer who never had a password or a token. */
export async function credentialOf({runtime, project}: Context, customerId: string): Promise<Credential | undefined> {
  return runtime.state.get<Credential>(project.key, 'credential', customerId)
}

/** The credential of a customer, stored if it never was: no session lives without one. Throws Missing for a deleted customer. */
export function credentialForSession(context: Context, customerId: string): Promise<Credential> {
  const {runtime, project} = context
  return retrying(async () => {
    const known = await credentialOf(context, customerId)
    if (known) return known
    const doc = newCredential(customerId)
    const required = {kind: 'customer', require: customerId}
    await runtime.state.commit(project.key, [required, {kind: 'credential', expect: 0, doc}])
    return doc
  }, ['credential'])
}

/** Ends one-time tokens: removes them, and their values from messages unless an erasure clears those anyway. */
export async function endedTokens(
  context: Context,
  customerId: string,
  purposes: readonly TokenPurpose[],
  messages: 'scrubbed' | 'erased' = 'scrubbed',
): Promise<Change[]> {
  const {runtime, project} = context
  const where = isFacet('customerId', customerId)
  const tokens = await allWhere<OneTimeToken>(runtime.state, project.key, 'one-time-token', where)
  const ended = tokens.filter(({purpose}) => purposes.includes(purpose))
  const scrubbed = messages === 'erased' ? [] : await Promise.all(ended.map((token) => withoutValue(context, token)))
  return [
    ...ended.map(({id, version}) => ({kind: 'one-time-token', expect: version, remove: id})),
    ...scrubbed.filter((change) => change !== undefined),
  ]
}

async function withoutValue({runtime, project}: Context, {messageId}: OneTimeToken): Promise<Change | undefined> {
  if (messageId === undefined) return undefined
  const message = await runtime.state.get<Document & {value?: string}>(project.key, 'message', messageId)
  if (message?.value === undefined) return undefined
  const {value: _, ...doc} = message
  return {kind: 'message', expect: message.version, doc}
}

export interface Aftermath {
  readonly changes: readonly Change[]
  /** Slow work, such as hashing a password, that yields further changes. */
  readonly complete?: () => Promise<readonly Change[]>
}

export const noAftermath: Aftermath = {changes: []}

/** The changes of a customer's credential and one-time tokens for some effects. Effects on carts are ignored. */
export async function aftermathOf(
  context: Context,
  customerId: string,
  effects: readonly Effect[],
): Promise<Aftermath> {
  // An absent one is expected to stay absent: a commit that creates one meanwhile conflicts.
  const credential = (await credentialOf(context, customerId)) ?? {...newCredential(customerId), version: 0}
  const drops = effects.some(({effect}) => effect === 'dropOneTimeTokens')
  const ended = drops ? await endedTokens(context, customerId, ['password', 'email']) : []
  const put = (next: Credential): readonly Change[] =>
    next === credential ? [] : [{kind: 'credential', expect: credential.version, doc: next}]
  const password = effects.find((effect) => effect.effect === 'setPassword')?.password
  if (password === undefined) return {changes: [...ended, ...put(afterEffects(credential, effects))]}
  return {
    changes: ended,
    complete: async () => {
      const hash = await context.runtime.passwords.hash(context.project.key, password, 'password')
      return put(afterEffects(credential, effects, hash))
    },
  }
}

/** Removes the tokens of a customer, which have ended already. Returns the number of their sessions. */
export async function removeTokens({runtime, project, now}: Context, customerId: string): Promise<number> {
  let sessions = 0
  for (const kind of [refreshTokens, accessTokens]) {
    sessions += await retrying(async () => {
      const all = await allWhere<Token>(runtime.state, REALM, kind, isFacet('customerId', customerId))
      const tokens = all.filter(({projectKey}) => projectKey === project.key)
      const removals = tokens.map(({id, version}) => ({kind, expect: version, remove: id}))
      if (removals.length > 0) await runtime.state.commit(REALM, removals)
      return tokens.filter((one) => one.expiresAt > now && one.revokedAt === undefined && !('grant' in one)).length
    })
  }
  return sessions
}

/** Marks a stored token revoked; durable before it resolves (decision 29). Tokens of other clients stay as they are. */
export const revoke = ({runtime: {state}, now}: Context, clientId: string, kind: string, digest: string) =>
  retrying(async () => {
    const token = await state.get<Token>(REALM, kind, digest)
    if (!token || token.clientId !== clientId || token.revokedAt !== undefined) return
    const doc = {...token, version: token.version + 1, revokedAt: now}
    await state.commit(REALM, [{kind, expect: token.version, doc}])
  })
