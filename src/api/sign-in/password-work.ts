import {type Credential, rehashed} from '../../domain/credentials/credential.js'
import {ApiError} from '../../domain/errors.js'
import {type Document, VersionConflict} from '../../store/store.js'
import {type Context, defaultSettings, type Platform} from '../operation/context.js'

/**
 * How much work a comparison of passwords is in a project: that of its most expensive hash, whoever signs in, so that time
 * does not tell which accounts exist or came from another shop (decision 24).
 */

interface PasswordWork extends Document {
  /** The highest cost of a hash that the project ever held. */
  readonly cost: number
}

const kind = 'password-work'
const id = 'highest'

type Tools = Pick<Platform, 'state' | 'settings'>

const workOf = ({state}: Tools, projectKey: string): Promise<PasswordWork | undefined> =>
  state.get<PasswordWork>(projectKey, kind, id)

/** Remembers that the project holds a hash of this cost. To be called before the hash is stored. */
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
      // Every server that was faster raised the number, so that the rounds end.
      if (!(error instanceof VersionConflict)) throw error
    }
  }
}

/**
 * Whether a password fits a credential, after the same work whether there is one or not. Past that, whatever it was, the
 * project's work is at least that of the hash that was met.
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
 * Replaces an imported hash, or one that is cheaper than the server's, by one of the whole password at the server's cost.
 * The customer stays as it is. Whoever changes the password meanwhile wins, and a sign-in never fails because of it.
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
