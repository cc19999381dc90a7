import {rmSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {privateFolder, replacePrivate} from '../../files/private-file.js'

const secretFile = (configDir: string, name: string): string => join(configDir, 'secrets', name)

/** The place of a stored secret as a profile names it. */
export const storedPlace = (configDir: string, name: string): string => `file:${secretFile(configDir, name)}`

/** Stores a secret in a file that only its owner can read, and returns the place as a profile names it. */
export function storeSecret(configDir: string, name: string, secret: string): string {
  const path = secretFile(configDir, name)
  privateFolder(dirname(path))
  replacePrivate(path, `${secret}\n`)
  return storedPlace(configDir, name)
}

/** Deletes the secret that `login` stored for a profile. */
export const forgetSecret = (configDir: string, name: string): void =>
  rmSync(secretFile(configDir, name), {force: true})
