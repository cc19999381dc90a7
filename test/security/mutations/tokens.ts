import {type MutationGroup, of} from './mutation.js'

/** How tokens come to be, live and die. */

const authenticate = of('src/api/pipeline/authenticate.ts')
const oauth = of('src/api/oauth/operations.ts')
const revoked = of('src/api/operation/effects.ts')
const conflicts = of('src/api/operation/retrying.ts')
const grants = of('src/api/oauth/grants.ts')
const tokens = of('src/api/oauth/tokens.ts')
const sweeper = of('src/api/operation/sweeper.ts')
const passwords = of('src/api/accounts/passwords.ts')
const oneTime = of('src/domain/credentials/one-time-token.ts')
const credential = of('src/domain/credentials/credential.ts')
const modes = of('src/domain/customers/actions/account.ts')

export const tokenLife: MutationGroup = {
  tests: [
    'security/tokens/e-refresh',
    'security/tokens/g-introspection',
    'security/tokens/h-revocation',
    'security/tokens/j-lifecycle',
    'security/tokens/j-races',
    'security/scopes/i-boundaries',
    'security/customers/p-password',
  ],
  mutations: [
    authenticate('no expiry check', "  if (token.expiresAt <= now) return 'expired'\n"),
    authenticate('revoked tokens work', "  if (token.revokedAt !== undefined) return 'revoked'\n"),
    authenticate('tokens of a deleted client work', "  if (!living(client, now)) return 'client'\n"),
    authenticate(
      'a client outlives its day',
      '(client.deleteAt === undefined || Date.parse(client.deleteAt) > now)',
      'client.version > 0',
    ),
    authenticate(
      'a revoked refresh token leaves its access tokens',
      '!grant || grant.revokedAt !== undefined',
      '!grant',
    ),
    authenticate('sessions outlive a reset', 'credential?.sessionEpoch === token.sessionEpoch && '),
    authenticate(
      'sessions outlive their customer',
      'token.sessionEpoch && credential !== undefined ?',
      'token.sessionEpoch || credential === undefined ?',
    ),
    authenticate(
      'the administration takes any token',
      "if (adminDigest === undefined || !secrets.sameDigest(given, adminDigest)) throw ApiError.of('invalid_token', {})",
      'void given',
    ),
    revoked('a client revokes the token of another', ' || token.clientId !== clientId'),
    revoked(
      'an answer before the revocation is on disk',
      'await state.commit(REALM, [{kind, expect: token.version, doc}])',
      'void state.commit(REALM, [{kind, expect: token.version, doc}]).catch(() => undefined)',
    ),
    conflicts(
      'a race of two writers loses a revocation',
      'if (!wasFaster || tries === 1) throw error',
      'if (wasFaster) return undefined as T\n    throw error',
    ),
    oauth('every client sees every token of its project', 'maySee ? await', 'true ? await'),
    oauth('clients see tokens of other projects', ' || token.projectKey !== client.projectKey'),
    oauth(
      'inactive tokens are called active',
      'if (!scopes) return inactive\n  return {active: true, scope: scopeText(scopes, token)',
      'if (!maySee) return inactive\n  return {active: true, scope: scopeText(scopes ?? [], token)',
    ),
    oauth('introspection can be used to search', 'runtime.inactiveAnswers.failed(client.id, now)', 'void now'),
    oauth('introspection in seconds', 'exp: token.expiresAt', 'exp: Math.floor(token.expiresAt / 1000)'),
    grants('a refresh token works for every client', 'token?.clientId === client.id ?', 'token ?'),
    grants(
      'a dead refresh token works',
      'await activeScopes(runtime, token, now) : undefined',
      '([token.scopes].flat() as string[]) : undefined',
    ),
    grants(
      'a refresh gives what the client lost',
      'grantedScopes(stillHeld(scopes, heldBy(client, runtime.secrets).scopes),',
      'grantedScopes(scopes,',
    ),
    grants(
      'a refresh does not start the idle time again',
      'const expiresAt = context.now + idleSecondsOf(context, client) * 1000\n  const doc',
      'const {expiresAt} = token\n  const doc',
    ),
    grants(
      'a refreshed token leaves its store',
      'defined({customerId, anonymousId, storeKey, sessionEpoch})',
      'defined({customerId, anonymousId, sessionEpoch})',
    ),
    grants('a refreshed token outlives its refresh token', '    refreshDigest: id,\n'),
    grants(
      'a token of a store sign-in is not bound to it',
      'sessionEpoch: credential.sessionEpoch,\n      ...defined({storeKey}),',
      'sessionEpoch: credential.sessionEpoch,',
    ),
    grants(
      'a refresh that races a revocation wins',
      'if (!current || current.revokedAt !== undefined) throw unknownRefreshToken()',
    ),
    grants(
      'anonymous tokens without the scope for them',
      'if (!grants(heldBy(client, runtime.secrets).scopes, {name: anonymousScope, projectKey: project.key})) {',
      'if (client.id === "") {',
    ),
    grants(
      'an anonymous id is used again',
      '{projectKey: project.key, scopes, anonymousId}, true, [session])',
      '{projectKey: project.key, scopes, anonymousId}, true)',
    ),
    grants('an anonymous id injects a scope', 'given !== undefined && !anonymousIdForm.test(given)', 'given === ""'),
    grants(
      'an anonymous id is that of a customer',
      "given !== undefined && (await runtime.state.get(project.key, 'customer', given))",
      'given === ""',
    ),
    grants('a password of any length is hashed', '  checkPasswordLength(password)\n'),
    tokens('a client’s own lifetime is ignored', 'client.accessTokenValiditySeconds ?? settings', 'settings'),
    tokens('a client’s own idle time is ignored', 'client.refreshTokenValiditySeconds ?? runtime', 'runtime'),
    tokens(
      'an access token knows nothing of its refresh token',
      'grant: refresh === undefined ? refreshDigest : secrets.digest(refresh)',
      'grant: refreshDigest',
    ),
    sweeper('no limit of refresh tokens', 'if (total <= most) return', 'if (total >= 0) return'),
    sweeper('the newest refresh tokens go first', "direction: 'asc'", "direction: 'desc'"),
    sweeper('revoked tokens are forgotten at once', 'keptMs, now - keptMs)', 'keptMs, now + 400 * dayMs)'),
    passwords(
      'a reset ends no sessions',
      "const reset = {reset: true, effects: [{effect: 'endSessions'}]} as const",
      'const reset = {reset: true, effects: []} as const',
    ),
    passwords(
      'a changed password ends no sessions',
      "settings.changePasswordEndsSessions ? [{effect: 'endSessions'}] : []",
      '[]',
    ),
    passwords(
      'other reset tokens outlive a reset',
      "const ended = reset ? await endedTokens(context, before.id, ['password']) : []",
      'const ended: never[] = []',
    ),
    passwords(
      'a reset token for who signs in elsewhere',
      "if (customer.authenticationMode === 'ExternalAuth') {",
      'if (customer.id === "") {',
    ),
    oneTime('an email token resets a password', 'token.purpose !== purpose || '),
    oneTime('used and superseded one-time tokens work', ' || token.epoch !== epochOf(credential, purpose)'),
    oneTime('one-time tokens do not expire', 'if (Date.parse(token.expiresAt) <= now) {', 'if (now < 0) {'),
    credential(
      'what ends sessions leaves them',
      'sessionEpoch: next.sessionEpoch + 1',
      'sessionEpoch: next.sessionEpoch',
    ),
    credential(
      'the old address keeps its reset tokens',
      'passwordTokenEpoch: next.passwordTokenEpoch + 1',
      'passwordTokenEpoch: next.passwordTokenEpoch',
    ),
    modes('external sign-in ends no sessions', ", {effect: 'endSessions'}"),
    modes('external sign-in keeps the password', "{effect: 'dropPassword'}, "),
    modes('external sign-in keeps reset tokens', "{effect: 'dropOneTimeTokens'}, "),
  ],
}
