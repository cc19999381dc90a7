import {Args} from '@oclif/core'
import {revokeToken} from '../src/api/oauth/operations.js'
import {BaseCommand} from '../src/cli/command/base-command.js'
import {changeProfile, type Profile, profileNamed} from '../src/cli/target/profiles.js'
import {tokenCacheFolder} from '../src/cli/target/settings.js'
import {forgetCredentials} from '../src/cli/target/stored-secrets.js'
import type {Client} from '../src/client/client.js'
import {cachedToken, cacheKey, dropToken} from '../src/client/session/token-cache.js'
import {omit} from '../src/domain/equal.js'

export default class Logout extends BaseCommand<typeof Logout> {
  static override shows = 'installation' as const
  static override operations = ['revokeToken'] as const
  static override summary = 'Delete the stored secret of a profile, and revoke its tokens'
  static override description =
    'Deletes the secret from this machine even if the service cannot be reached, and says so.'
  static override examples = ['<%= config.bin %> logout staging']
  static override args = {name: Args.string({ignoreStdin: true, description: 'a profile; the one in use if absent'})}

  async run(): Promise<void> {
    const name = this.args.name ?? this.chosen.name.value
    const profile = profileNamed(this.profiles, name)
    const done = await this.effect({
      at: 'machine',
      plan: () => [{profile: name}, `would forget the secret of ${name} and revoke its token`],
      act: async () => {
        const revoked = await revokeCachedTokens(() => this.clientFor(name), profile, tokenCacheFolder(this.folders))
        await forgetCredentials(this.folders.config, name, profile)
        if (name !== 'local') changeProfile(this.folders.config, name, (now) => now && omit(now, ['secret']))
        return {revoked}
      },
    })
    if (!done) return
    const {revoked} = done
    const told = {
      none: 'and it had no token to revoke',
      revoked: 'and revoked its token',
      unreachable: 'but the service could not be reached: its token stays valid until it expires',
    }[revoked]
    await this.output.answer(
      {profile: name, revoked: revoked !== 'unreachable'},
      `forgot the secret of ${name}, ${told}`,
    )
  }
}

/** Revokes the cached token of a profile and deletes it from the cache; says what became of it. */
async function revokeCachedTokens(
  open: () => Promise<Client>,
  {authUrl, apiUrl, projectKey, clientId, scopes}: Profile,
  cacheFolder: string,
): Promise<'none' | 'revoked' | 'unreachable'> {
  const key = cacheKey([authUrl ?? apiUrl, projectKey, clientId, scopes])
  const cached = cachedToken(cacheFolder, key)
  if (!cached) return 'none'
  try {
    const client = await open()
    try {
      await client.form(revokeToken, {token: cached.accessToken})
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
