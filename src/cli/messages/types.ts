import {customerActions} from '../../domain/customers/actions/index.js'

/** Message types and what produces them: of the actions by their declarations, of the other calls from here. */
export function messageTypes(): {readonly type: string; readonly producedBy: readonly string[]}[] {
  const producers = new Map<string, string[]>(calls.map(([type, producer]) => [type, [producer]]))
  for (const {name, messages} of customerActions.values()) {
    for (const type of messages) producers.set(type, [...(producers.get(type) ?? []), name])
  }
  return [...producers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([type, producedBy]) => ({type, producedBy}))
}

const calls: readonly (readonly [string, string])[] = [
  ['CustomerCreated', 'sign-up'],
  ['CustomerDeleted', 'deletion'],
  ['CustomerEmailVerified', 'email confirmation'],
  ['CustomerPasswordUpdated', 'password change or reset'],
  ['CustomerPasswordTokenCreated', 'password token'],
  ['CustomerEmailTokenCreated', 'email token'],
  ['QuoteStateChanged', 'changeMyQuoteState'],
  ['QuoteRenegotiationRequested', 'requestQuoteRenegotiation'],
]
