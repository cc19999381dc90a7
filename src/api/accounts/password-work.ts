import {type Credential, rehashed} from '../../domain/credentials/credential.js'
import {costOf} from '../../domain/credentials/password-hash.js'
import {ApiError} from '../../domain/errors.js'
import {type Document, VersionConflict} from '../../store/store.js'
import {type Context, defaultSettings, type Runtime} from '../operation/context.js'
import {retrying} from '../operation/retrying.js'

/**
 * The work of verifying a password in a project: for every sign-in that of its most expensive hash, so that timing does
 * not reveal which accounts exist or brought a hash along (decision 24).
 */

/** The highest cost of any hash that the project has stored. */
interface PasswordWork extends Document {
  readonly cost: number
}

const kind = 'password-work'
const id = 'highest'

const recordOf = ({state}: Pick<Runtime, 'state'>, projectKey: string): Promise<PasswordWork | undefined> =>
  state.get<PasswordWork>(projectKey, kind, id)

/** Raises the project's highest cost to that of a hash. Call it before the hash is stored. */
export function notePasswordWork(
  runtime: Pick<Runtime, 'state' | 'settings'>,
  projectKey: string,
  cost: number,
): Promise<void> | undefined {
  if (cost <= Math.min(runtime.settings.passwordCost, defaultSettings.passwordCost)) return undefined
  return retrying(async () => {
    const before = await recordOf(runtime, projectKey)
    if (before && before.cost >= cost) return
    const {version = 0} = before ?? {}
    const doc: PasswordWork = {id, version: version + 1, cost}
    await runtime.state.commit(projectKey, [{kind, expect: version, doc}])
  })
}

/** Whether a password matches, with the work of the project even without a credential, which the hash may raise. */
export async function passwordFits(
  {runtime, project}: Context,
  password: string,
  credential: Credential | undefined,
): Promise<boolean> {
  const {passwordHash: hash, imported} = credential ?? {}
  const {cost} = (await recordOf(runtime, project.key)) ?? {}
  const known = hash === undefined ? undefined : {hash, imported}
  const fits = await runtime.passwords.verify(project.key, password, known, cost)
  if (hash !== undefined) await notePasswordWork(runtime, project.key, costOf(hash))
  return fits
}

/**
 * Replaces an imported hash, or one below the server's cost, by a hash of the whole password at the server's cost. The
 * customer's document stays as it is. A concurrent change of the password wins, and the sign-in succeeds either way.
 */
export async function renewHash({runtime, project}: Context, credential: Credential, password: string): Promise<void> {
  const {passwords, settings, state} = runtime
  const {passwordHash = '', imported, version} = credential
  if (!imported && costOf(passwordHash) >= settings.passwordCost) return
  try {
    await notePasswordWork(runtime, project.key, settings.passwordCost)
    const doc = rehashed(credential, await passwords.hash(project.key, password, 'password'))
    await state.commit(project.key, [{kind: 'credential', expect: version, doc}])
  } catch (error) {
    if (!(error instanceof VersionConflict || error instanceof ApiError)) throw error
  }
}
