import {revokeToken} from '../src/api/oauth/operations.js'
import {BaseCommand} from '../src/cli/command/base-command.js'
import {optionalArg, switchFlag} from '../src/cli/input/flags.js'
import {usage} from '../src/cli/process/failure.js'
import {changeProfiles, forgetSecret, type Profile, profileNamed, storedPlace} from '../src/cli/target/profiles.js'
import {profileFor, tokenCacheFolder} from '../src/cli/target/settings.js'
import {sideOf} from '../src/cli/target/target.js'
import {forgetSession, issuerOf, sessionsOfClient} from '../src/cli/tokens/sessions.js'
import type {Client} from '../src/client/client.js'
import {cachedToken, cacheKey, dropToken} from '../src/client/session/token-cache.js'
import {omit} from '../src/domain/equal.js'

const revocations = {
  none: 'it had no token to revoke',
  revoked: 'its token is revoked',
  unreachable: 'the service could not be reached: its token stays valid until it expires',
}

export default class Logout extends BaseCommand<typeof Logout> {
  static override shows = 'installation' as const
  static override operations = ['revokeToken'] as const
  static override uses = ['profile', 'state', 'requests'] as const
  static override summary = 'Delete the stored secret of a profile, revoke its tokens, and remove it if asked'
  static override description =
    'Deletes the secret from this machine even if the service cannot be reached, and says so. Without --remove the profile keeps its address and rules for the next login.'
  static override examples = ['<%= config.bin %> logout staging', '<%= config.bin %> logout scratch --remove --yes']
  static override args = {name: optionalArg('a profile; the one in use if absent')}
  static override flags = {remove: switchFlag('Remove the profile, too.')}

  async run(): Promise<void> {
    const {remove} = this.flags
    const name = this.args.name === undefined ? this.chosen.name.value : profileFor(this.args.name, this.flags)
    const profile = profileNamed(this.profiles, name)
    if (name === 'local') throw usage("The profile 'local' is built in.", 'It has no secret, and cannot be removed.')
    const acts = actsOn(name, profile, storedPlace(this.folders.config, name), remove)
    const done = await this.effect({
      at: 'machine',
      plan: () => [{profile: name, removed: remove}, `would ${acts} and revoke its token`],
      ...(remove ? {confirm: () => this.ask.confirm(`Remove profile ${name}?`)} : {}),
      act: async () => {
        const {target} = sideOf(name, this.profiles, this.folders, this.io.env).resolved
        const {cache} = this.folders
        const sessions = sessionsOfClient(cache, profile.clientId, issuerOf({target}))
        const tokens = [...sessions.values()].flatMap(({accessToken, refreshToken}) =>
          [refreshToken ?? [], accessToken].flat(),
        )
        const connect = () => this.connection.to(target)
        const revoked = await revokeTokens(connect, profile, tokenCacheFolder(this.folders), tokens)
        if (revoked === 'revoked') for (const session of sessions.keys()) forgetSession(cache, session)
        forgetSecret(this.folders.config, name)
        this.#forget(name)
        return {revoked, sessions: [...sessions.keys()]}
      },
    })
    if (!done) return
    const {revoked, sessions} = done
    if (sessions.length > 0)
      this.say(
        `Saved sessions, ${revoked === 'revoked' ? 'ended, too' : 'which stay here and valid'}: ${sessions.join(', ')}`,
      )
    await this.output.answer(
      {profile: name, removed: remove, revoked: revoked !== 'unreachable', sessions},
      `${acts.replace(/^forget/, 'forgot').replace(/^remove/, 'removed')}; ${revocations[revoked]}`,
    )
  }

  /** Takes the profile, or only the place of its secret, out of the file. */
  #forget(name: string): void {
    changeProfiles(this.folders.config, ({current, byName}) => {
      const {remove} = this.flags
      const others = [...byName].flatMap(([other, one]): [string, Profile][] => {
        if (other !== name) return [[other, one]]
        return remove ? [] : [[other, omit(one, ['secret'])]]
      })
      return {...(current === undefined || (remove && current === name) ? {} : {current}), byName: new Map(others)}
    })
  }
}

/** What becomes of the profile: a secret that is kept elsewhere stays there. */
function actsOn(name: string, {secret}: Profile, stored: string, remove: boolean): string {
  const kept = secret !== undefined && secret.from !== stored ? ` (${secret.from} stays as it is)` : ''
  if (remove) return `remove profile ${name}${kept}`
  return secret === undefined ? `forget no secret of ${name}, which has none` : `forget the secret of ${name}${kept}`
}

/** Revokes the cached token of a profile and more, and deletes it from the cache; says what became of them. */
async function revokeTokens(
  open: () => Promise<Client>,
  {authUrl, apiUrl, projectKey, clientId, scopes}: Profile,
  cacheFolder: string,
  others: readonly string[],
): Promise<'none' | 'revoked' | 'unreachable'> {
  const key = cacheKey([authUrl ?? apiUrl, projectKey, clientId, scopes])
  const cached = cachedToken(cacheFolder, key)
  const tokens = [...(cached ? [cached.accessToken] : []), ...others]
  if (tokens.length === 0) return 'none'
  try {
    const client = await open()
    try {
      for (const token of tokens) await client.form(revokeToken, {token})
      return 'revoked'
    } finally {
      await client.close()
    }
  } catch {
    return 'unreachable'
  } finally {
    dropToken(cacheFolder, key)
  }
}
