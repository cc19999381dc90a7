import {rmSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {defined} from '../../domain/equal.js'
import {privateFolder, replacePrivate} from '../../files/private-file.js'
import {forgetInKeyring, keepInKeyring} from '../input/keyring.js'
import {Failure} from '../process/failure.js'
import type {Profile} from './profiles.js'
import {accountOf} from './target.js'

/** Storage of the secrets of `login`. */

const secretFile = (configDir: string, name: string): string => join(configDir, 'secrets', name)

export interface Stored {
  /** The source as a profile names it: `keyring` or `file:PATH`. */
  readonly from: string
  /** Why it is not the keyring. */
  readonly because?: string
}

/** Stores a secret in the keyring if there is one, else in a file that only its owner can read. */
export async function storeSecret(
  configDir: string,
  name: string,
  profile: Profile,
  secret: string,
  preferFile: boolean,
): Promise<Stored> {
  let because: string | undefined
  if (!preferFile) {
    try {
      await keepInKeyring(accountOf(name, profile), secret)
      return {from: 'keyring'}
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      because = error.message
    }
  }
  const path = secretFile(configDir, name)
  privateFolder(dirname(path))
  replacePrivate(path, `${secret}\n`)
  return {from: `file:${path}`, ...defined({because})}
}

/** Deletes what `login` stored for a profile, in the keyring and in the file. */
export async function forgetCredentials(configDir: string, name: string, profile: Profile): Promise<void> {
  rmSync(secretFile(configDir, name), {force: true})
  if (profile.secret?.from === 'keyring') await forgetInKeyring(accountOf(name, profile))
}
