import {defined} from '../domain/equal.js'
import type {Client} from './client.js'
import type {ConnectOptions, EmbeddedTarget, Target} from './target.js'

/**
 * Opens a client for a target. Sends nothing yet, and loads only the transport that the target needs.
 *
 *     const credentials = {kind: 'client', clientId, secret: async () => clientSecret} as const
 *     const client = await connect({kind: 'remote', projectKey: 'shop', apiUrl, authUrl, credentials})
 *     await client.call(operations.getCustomerByKey, {key: 'ada'})
 */
export async function connect(target: Target, options: ConnectOptions = {}): Promise<Client> {
  if (target.kind === 'embedded') {
    const {connectEmbedded} = await import('./embedded.js')
    return connectEmbedded(target, options)
  }
  const {connectRemote} = await import('./http.js')
  return connectRemote(target, options)
}

/** A project inside this process; only its key is required. */
export interface EmbeddedOptions extends Pick<EmbeddedTarget, 'projectKey' | 'seedDir' | 'storeKey'> {
  /** Folder of the state, or `:memory:`, which ends with the client; `:memory:` if absent. */
  readonly dataDir?: string
  /** Milliseconds since the epoch. */
  readonly clock?: () => number
  /** Work factor of bcrypt, 4 to 14; 4 if absent, since this is for tests. */
  readonly passwordCost?: number
}

/**
 * A client of a project inside this process, for test suites: the whole API with its permissions and errors, without a
 * port. The caller closes it. Throws StateError for a state in use, ApiError `InvalidSetup` for a bad seed pack.
 *
 *     const client = await embedded({projectKey: 'shop', seedDir: 'demo'})
 */
export function embedded(options: EmbeddedOptions): Promise<Client> {
  const {projectKey, dataDir = ':memory:', seedDir, storeKey, clock, passwordCost = 4} = options
  const target = {kind: 'embedded', projectKey, dataDir, ...defined({seedDir, storeKey})} as const
  return connect(target, defined({passwordCost, clock}))
}
