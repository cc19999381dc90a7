import {join} from 'node:path'
import {defined} from '../domain/equal.js'
import type {LocalClient} from '../server/local/local-files.js'
import type {OpenedRuntime} from '../server/local/runtime.js'
import type {RunningServer} from '../server/running-server.js'
import {clientOf} from './calls.js'
import type {Client} from './client.js'
import {sessionOf} from './session/session.js'
import {type ConnectOptions, type Credentials, clientIdOf, type EmbeddedTarget} from './target.js'
import {embeddedTransport} from './transports/embedded.js'

/**
 * A client of the state in a folder. A live server that holds it gets the calls over HTTP; otherwise the pipeline runs
 * in this process, with the same authorization, permissions and errors.
 */
export async function connectEmbedded(target: EmbeddedTarget, options: ConnectOptions): Promise<Client> {
  const {dataDir, projectKey} = target
  const {clock, passwordCost, timeoutMs, onWait, onWarning} = options
  const {liveServer} = await import('../store/locator.js')
  const live = dataDir === ':memory:' ? undefined : await liveServer(dataDir)
  if (live) {
    const {origin} = live
    const credentials = await liveClient(target, origin)
    const {connectRemote} = await import('./http.js')
    return connectRemote({...target, kind: 'remote', apiUrl: origin, authUrl: origin, credentials}, options, live)
  }
  const [{openRuntime}, {ensureProject}] = await Promise.all([
    import('../server/local/runtime.js'),
    import('../server/local/first-use.js'),
    import('../api/pipeline/pipeline.js'),
  ])
  const runtime = await openRuntime({
    dataDir,
    writer: 'one-shot',
    ...defined({clock, lockTimeoutMs: timeoutMs, onLarge: onWarning, onWait}),
    ...(passwordCost === undefined ? {} : {settings: {passwordCost}}),
  })
  const client = await opened(runtime, target, () => ensureProject(runtime, dataDir, projectKey, onWarning))
  return clientOn(runtime, target, target.credentials ?? credentialsOf(client), options)
}

/**
 * A client of a server of this process, beside its port: its requests are not among those of clients. Whoever stops the server
 * closes it.
 */
export async function clientWithin(server: RunningServer, target: EmbeddedTarget): Promise<Client> {
  const {runtimes} = await import('../server/running-server.js')
  const runtime = runtimes.get(server)
  if (!runtime) throw new Error('this process has not started the server')
  return clientOn(runtime, target, credentialsOf(server.client), {clock: runtime.clock})
}

async function clientOn(
  runtime: OpenedRuntime,
  {dataDir, projectKey, storeKey}: EmbeddedTarget,
  credentials: Credentials,
  options: ConnectOptions,
): Promise<Client> {
  const {run} = await import('../api/pipeline/pipeline.js')
  const transport = embeddedTransport(runtime, run, dataDir, options.onExchange)
  const place = {authUrl: `file:${dataDir}`, projectKey}
  const cached =
    dataDir === ':memory:' ? options : {...options, tokenCacheDir: options.tokenCacheDir ?? join(dataDir, '.tokens')}
  const session = sessionOf(transport, credentials, place, cached)
  return clientOf({transport, session, projectKey, options, ...defined({storeKey, clientId: clientIdOf(credentials)})})
}

/** Seeds a new project before its first use. What fails leaves no state open. */
async function opened<T>(runtime: OpenedRuntime, target: EmbeddedTarget, use: () => Promise<T>): Promise<T> {
  try {
    if (target.seedDir !== undefined) {
      const {seedFromFolder} = await import('../server/local/seed.js')
      await seedFromFolder(runtime, target.projectKey, target.seedDir)
    }
    return await use()
  } catch (error) {
    await runtime.state.close()
    throw error
  }
}

const credentialsOf = (client: LocalClient | undefined): Credentials =>
  client ? {kind: 'client', clientId: client.clientId, secret: async () => client.clientSecret} : {kind: 'none'}

/** The credentials for a live server; the project is made there if it is new. */
async function liveClient(target: EmbeddedTarget, origin: string): Promise<Credentials> {
  if (target.credentials) return target.credentials
  const {localClient} = await import('../server/local/local-files.js')
  const known = localClient(target.dataDir, target.projectKey)
  if (known) return credentialsOf(known)
  const {administer} = await import('./local/admin.js')
  const body = defined({projectKey: target.projectKey, seedDir: target.seedDir})
  await administer(target.dataDir, 'addProject', {body, isRepeatable: true, origin})
  return credentialsOf(localClient(target.dataDir, target.projectKey))
}
