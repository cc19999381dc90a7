import * as v from 'valibot'
import {ApiError} from '../../domain/errors.js'
import {optional, rule, Text} from '../../domain/rules.js'
import {limits} from '../../limits.js'
import {grants, parseScope} from '../../oauth/scopes.js'
import type {Context} from '../operation/context.js'

/** A whole number within limits that both ends include. */
const between = (least: number, most: number) =>
  v.pipe(
    v.number(),
    v.safeInteger(),
    rule((value: number) => value >= least && value <= most, `It goes from ${least} to ${most}.`),
  )

const wordsOf = (text: string): string[] => [...new Set(text.split(/\s+/).filter((part) => part !== ''))]

/** Whether a scope text is well-formed. Checks the length first, so that an over-long text is never split. */
function isScopeText(text: string): boolean {
  if (text.length > limits.scopeCharacters) return false
  const {length} = wordsOf(text)
  return length > 0 && length <= limits.scopes
}

export const ApiClientDraft = v.object({
  name: v.pipe(
    Text,
    rule((name: string) => name.trim() !== '' && name.length <= 256, 'It has 1 to 256 characters.'),
  ),
  scope: v.pipe(Text, rule(isScopeText, `It names 1 to ${limits.scopes} scopes.`)),
  deleteDaysAfterCreation: optional(between(1, 36_500)),
  accessTokenValiditySeconds: optional(between(3_600, 604_800)),
  refreshTokenValiditySeconds: optional(between(30, 31_536_000)),
})

/**
 * The scopes of a draft as a text without repeats. Throws InvalidField for a text that is not a scope of this project,
 * and insufficient_scope for one that the caller lacks: a client never gets more permissions than its creator.
 */
export function draftedScope({project, principal}: Context, given: string): string {
  const parts = wordsOf(given)
  const scopes = parts.map((part) => {
    const scope = parseScope(part)
    if (scope?.projectKey === project.key) return scope
    throw ApiError.of('InvalidField', {field: 'scope', invalidValue: part, rule: 'It is no scope of this project.'})
  })
  const held = principal.kind === 'bearer' && principal.storeKey === undefined ? principal.scopes : []
  const missing = scopes.filter((scope) => !grants(held, scope)).map(({name}) => name)
  if (missing.length > 0) throw ApiError.of('insufficient_scope', {missing: [...new Set(missing)]})
  return parts.join(' ')
}
