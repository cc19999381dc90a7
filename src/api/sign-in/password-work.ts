import {type Credential, rehashed} from '../../domain/credentials/credential.js'
import {ApiError} from '../../domain/errors.js'
import {type Document, VersionConflict} from '../../store/store.js'
import {type Context, defaultSettings, type Platform} from '../operation/context.js'

/**
 * The cost of verifying a password in a project: that of its most expensive hash for every sign-in, so that timing does
 * not reveal which accounts exist or were imported (decision 24).
 */

interface PasswordWork extends Document {
  /** The highest cost of any hash that the project has stored. */
  readonly cost: number
}

const kind = 'password-work'
const id = 'highest'

type Tools = Pick<Platform, 'state' | 'settings'>

const workOf = ({state}: Tools, projectKey: string): Promise<PasswordWork | undefined> =>
  state.get<PasswordWork>(projectKey, kind, id)

/** Raises the project's cost to that of a hash. Call it before the hash is stored. */
export async function notePasswordCost(platform: Tools, projectKey: string, cost: number): Promise<void> {
  if (cost <= Math.min(platform.settings.passwordCost, defaultSettings.passwordCost)) return
  for (;;) {
    const before = await workOf(platform, projectKey)
    if (before && before.cost >= cost) return
    const {version = 0} = before ?? {}
    try {
      await platform.state.commit(projectKey, [
        {kind, expect: version, doc: {id, version: version + 1, cost} as Document},
      ])
      return
    } catch (error) {
      // Another server raised the cost; since costs are bounded, the loop ends.
      if (!(error instanceof VersionConflict)) throw error
    }
  }
}

/**
 * Whether a password matches a credential, at the project's cost whether there is a credential or not. Afterwards the
 * project's cost is at least that of the hash.
 */
export async function passwordFits(
  {platform, project}: Context,
  password: string,
  credential: Credential | undefined,
): Promise<boolean> {
  const {passwords} = platform
  const {passwordHash: hash, imported} = credential ?? {}
  const highest = (await workOf(platform, project.key))?.cost
  const fits = await passwords.verify(password, hash === undefined ? undefined : {hash, imported}, highest)
  if (hash !== undefined) await notePasswordCost(platform, project.key, passwords.costOf(hash))
  return fits
}

/**
 * Replaces an imported hash, or one below the server's cost, by a hash of the whole password at the server's cost. The
 * customer's document stays as it is. A concurrent change of the password wins, and the sign-in succeeds either way.
 */
export async function renewHash({platform, project}: Context, credential: Credential, password: string): Promise<void> {
  const {passwords, settings, state} = platform
  const {passwordHash = '', imported, version} = credential
  if (!imported && passwords.costOf(passwordHash) >= settings.passwordCost) return
  try {
    await notePasswordCost(platform, project.key, settings.passwordCost)
    const doc = rehashed(credential, await passwords.hash(password, 'password'))
    await state.commit(project.key, [{kind: 'credential', expect: version, doc}])
  } catch (error) {
    if (!(error instanceof VersionConflict || error instanceof ApiError)) throw error
  }
}
