import {Failure} from '../process/failure.js'
import type {Environment} from '../process/io.js'

const storeUrlVariable = 'FRONTDESK_STORE_URL'

const isDatabase = (place: string): boolean => /^postgres(ql)?:/i.test(place)

/** Whether a URL contains a password; for one that cannot be parsed, whether it looks so. */
function hasPassword(url: string): boolean {
  try {
    return new URL(url).password !== ''
  } catch {
    return /\/\/[^/]*:[^/]*@/.test(url)
  }
}

/** A folder or the URL of a database from a flag. Throws SecretInArguments if the URL contains a password. */
export function checkedStoreLocation(flag: string, place: string): string {
  if (!isDatabase(place) || !hasPassword(place)) return place
  throw new Failure('usage', 'SecretInArguments', `The URL of --${flag} holds a password, which no flag may.`, {
    hints: [
      'Other processes and the shell history can read it; change it if it was real.',
      'Leave the password out and set PGPASSWORD.',
    ],
  })
}

/** The URL of the database that keeps the state: of the flag, or whole, with its password, from the environment. */
export function storeUrlOf(flag: string | undefined, env: Environment): string | undefined {
  if (flag === undefined) return env[storeUrlVariable] || undefined
  if (isDatabase(flag)) return checkedStoreLocation('store-url', flag)
  throw new Failure('usage', 'Usage', `--store-url is not the URL of a database: ${flag}`, {
    hints: ['Write postgres://user@host:5432/database.'],
  })
}
