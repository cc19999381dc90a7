import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {writePrivate} from './private-files.js'
import type {Profile} from './profiles.js'
import {keyringEntry, withinLimit} from './secret-sources.js'
import {accountOf} from './target.js'

/** Where `login` puts a secret, and how it is taken away again. */

const secretFile = (configDir: string, name: string): string => join(configDir, 'secrets', name)

/** Stores a secret in the keyring if there is one, else in a file that only its owner can read. Tells which. */
export async function storeSecret(
  configDir: string,
  name: string,
  profile: Profile,
  secret: string,
  preferFile: boolean,
): Promise<string> {
  const entry = preferFile ? undefined : await keyringEntry(accountOf(name, profile))
  if (entry) {
    try {
      await withinLimit(() => entry.setPassword(secret))
      return 'keyring'
    } catch {
      // A keyring without a service: the file is the way then.
    }
  }
  const path = secretFile(configDir, name)
  writePrivate(path, `${secret}\n`)
  return `file:${path}`
}

/** Takes away what `login` stored for a profile, in the keyring and in the file. */
export async function forgetCredentials(configDir: string, name: string, profile: Profile): Promise<void> {
  rmSync(secretFile(configDir, name), {force: true})
  if (profile.secret?.from !== 'keyring') return
  const entry = await keyringEntry(accountOf(name, profile))
  if (entry) await withinLimit(() => entry.deletePassword())
}
