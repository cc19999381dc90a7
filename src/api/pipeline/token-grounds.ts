import type {Credential} from '../../domain/credentials/credential.js'
import {defined} from '../../domain/equal.js'
import {REALM, type Store} from '../../store/store.js'
import type {ApiClient} from '../documents/api-client.js'
import {type AccessToken, type RefreshToken, refreshTokens} from '../documents/token.js'
import {type Revision, revisionOf} from './remembered.js'

/** What a token depends on, beside itself: its client, the refresh token of its grant, the sessions of its customer. */

/** Kinds in the store. */
export const apiClients = 'api-client'
export const credentials = 'credential'

type Names = Pick<AccessToken, 'projectKey' | 'clientId' | 'grant' | 'customerId'>

export interface Grounds {
  readonly client: Promise<ApiClient | undefined>
  readonly grant: Promise<RefreshToken | undefined> | undefined
  readonly credential: Promise<Credential | undefined> | undefined
  /** Of the customer's credential, taken before it was read. */
  readonly ofCustomers: Revision | undefined
}

/** Begins to read them, all at once. */
export function groundsOf(state: Store, {projectKey, clientId, grant, customerId}: Names): Grounds {
  const begun = <T>(reading: Promise<T>): Promise<T> => {
    // Whoever does not need the answer after all need not hear of its failure.
    reading.catch(() => undefined)
    return reading
  }
  const ofCustomers = customerId === undefined ? undefined : revisionOf(state, projectKey, credentials)
  return {
    ofCustomers,
    client: begun(state.get<ApiClient>(REALM, apiClients, clientId)),
    grant: grant === undefined ? undefined : begun(state.get(REALM, refreshTokens, grant)),
    credential: customerId === undefined ? undefined : begun(state.get(projectKey, credentials, customerId)),
  }
}

/** Tokens whose grounds are read together with them; the next one replaces the first. */
const most = 1_000

const known = new WeakMap<Store, Map<string, Names>>()

/**
 * The token behind a digest and its grounds. A store that has to be asked is asked for all of them at once, by the names
 * that the token had when it was last read: names are all that is remembered.
 */
export async function tokenWithGrounds(
  state: Store,
  digest: string,
  reading: () => Promise<AccessToken | undefined>,
): Promise<{readonly token: AccessToken; readonly grounds: Grounds} | undefined> {
  const expected = known.get(state)?.get(digest)
  const early = expected && groundsOf(state, expected)
  const token = await reading()
  if (!token) return undefined
  if (early && isSame(expected, token)) return {token, grounds: early}
  if (state.revision === undefined) expect(state, digest, token)
  return {token, grounds: groundsOf(state, token)}
}

const isSame = (a: Names, b: Names): boolean =>
  a.projectKey === b.projectKey && a.clientId === b.clientId && a.grant === b.grant && a.customerId === b.customerId

function expect(state: Store, digest: string, token: Names): void {
  const names = known.get(state) ?? new Map<string, Names>()
  known.set(state, names)
  for (const oldest of names.keys()) {
    if (names.size < most) break
    names.delete(oldest)
  }
  const {projectKey, clientId, grant, customerId} = token
  names.set(digest, {projectKey, clientId, ...defined({grant, customerId})})
}
