import {type Credential, rehashed} from '../../domain/credentials/credential.js'
import {coversWork, greaterWork, type HashWork, noWork} from '../../domain/credentials/hash-check.js'
import {workOfHash} from '../../domain/credentials/hash-forms.js'
import {ApiError} from '../../domain/errors.js'
import {type Document, VersionConflict} from '../../store/store.js'
import {type Context, defaultSettings, type Platform} from '../operation/context.js'
import {retrying} from '../operation/retrying.js'

/**
 * The work of verifying a password in a project: for every sign-in that of its most expensive hashes, one of each
 * algorithm, so that timing does not reveal which accounts exist or were imported (decision 24).
 */

/** The most work of any hash that the project has stored. Records of earlier releases have `cost` alone. */
type PasswordWork = Document & Pick<HashWork, 'cost'> & Partial<HashWork>

const kind = 'password-work'
const id = 'highest'

type Tools = Pick<Platform, 'state' | 'settings'>

const recordOf = ({state}: Tools, projectKey: string): Promise<PasswordWork | undefined> =>
  state.get<PasswordWork>(projectKey, kind, id)

const workOfRecord = ({cost = 0, argon2 = 0, scrypt = 0, digests = 0}: Partial<HashWork> = {}): HashWork => ({
  cost,
  argon2,
  scrypt,
  digests,
})

/** The work of a hash that the server makes. */
export const ownWork = ({settings}: Tools): HashWork => ({...noWork, cost: settings.passwordCost})

/** Raises the project's work to that of a hash. Call it before the hash is stored. */
export function notePasswordWork(platform: Tools, projectKey: string, work: HashWork): Promise<void> | undefined {
  const least = Math.min(platform.settings.passwordCost, defaultSettings.passwordCost)
  if (coversWork({...noWork, cost: least}, work)) return undefined
  return retrying(async () => {
    const before = await recordOf(platform, projectKey)
    const known = workOfRecord(before)
    if (before && coversWork(known, work)) return
    const {version = 0} = before ?? {}
    const doc: PasswordWork = {id, version: version + 1, ...greaterWork(known, work)}
    await platform.state.commit(projectKey, [{kind, expect: version, doc}])
  })
}

/** Whether a password matches, with the work of the project even without a credential, which the hash may raise. */
export async function passwordFits(
  {platform, project}: Context,
  password: string,
  credential: Credential | undefined,
): Promise<boolean> {
  const {passwordHash: hash, imported} = credential ?? {}
  const most = workOfRecord(await recordOf(platform, project.key))
  const fits = await platform.passwords.verify(
    project.key,
    password,
    hash === undefined ? undefined : {hash, imported},
    most,
  )
  if (hash !== undefined) await notePasswordWork(platform, project.key, workOfHash(hash))
  return fits
}

/**
 * Replaces an imported hash, or one below the server's cost, by a hash of the whole password at the server's cost. The
 * customer's document stays as it is. A concurrent change of the password wins, and the sign-in succeeds either way.
 */
export async function renewHash({platform, project}: Context, credential: Credential, password: string): Promise<void> {
  const {passwords, settings, state} = platform
  const {passwordHash = '', imported, version} = credential
  if (!imported && workOfHash(passwordHash).cost >= settings.passwordCost) return
  try {
    await notePasswordWork(platform, project.key, ownWork(platform))
    const doc = rehashed(credential, await passwords.hash(project.key, password, 'password'))
    await state.commit(project.key, [{kind: 'credential', expect: version, doc}])
  } catch (error) {
    if (!(error instanceof VersionConflict || error instanceof ApiError)) throw error
  }
}
