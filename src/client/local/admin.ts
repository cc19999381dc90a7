import {StateError} from '../../domain/errors.js'
import type {adminOperations} from '../../server/local/admin.js'
import type {serverOperations, testHookOperations} from '../../server/local/server-operations.js'
import {clientOf} from '../calls.js'
import {type Client, type Transport, Unreachable} from '../client.js'
import {sessionOf} from '../session/session.js'
import {OutcomeUnknown} from '../settle.js'
import {localServer, runningServer} from './local-server.js'

type StateOperations = typeof adminOperations
type ServerOperations = typeof serverOperations & typeof testHookOperations
type ReplyOf<O> = O extends {handle(...given: never): Promise<infer R>} ? R : never

/** What an operation of the administration answers: `AdminReply<'serverStatus'>`. */
export type AdminReply<N extends keyof (StateOperations & ServerOperations)> = ReplyOf<
  (StateOperations & ServerOperations)[N]
>

interface AdminCall {
  readonly body?: unknown
  /** Doing it twice does no harm, so that a lost answer is asked for again. */
  readonly isRepeatable?: boolean
  /** Of a server that is known to run; looked up if absent. */
  readonly origin?: string
}

const look = 'frontdesk server status'

/**
 * Calls an operation of the local administration: of the server that holds the state, or in this process where none runs.
 * Throws ApiError, StateError, and OutcomeUnknown if nobody can tell whether a write happened.
 */
export async function administer<N extends keyof StateOperations>(
  dataDir: string,
  name: N,
  {origin, ...call}: AdminCall = {},
): Promise<AdminReply<N>> {
  const {adminOperations: declared} = await import('../../server/local/admin.js')
  const server = origin ?? (await localServer(dataDir))?.origin
  const client = await (server === undefined ? ownClient(dataDir) : serverClient(dataDir, server))
  return answered(client, declared[name], call) as Promise<AdminReply<N>>
}

/** The same for what only a running server can do. Throws StateUnusable if none runs. */
export async function administerServer<N extends keyof ServerOperations>(
  dataDir: string,
  name: N,
  call: AdminCall = {},
): Promise<AdminReply<N>> {
  const {serverOperations, testHookOperations} = await import('../../server/local/server-operations.js')
  const declared = {...serverOperations, ...testHookOperations}
  const {origin} = await runningServer(dataDir)
  return answered(await serverClient(dataDir, origin), declared[name], call) as Promise<AdminReply<N>>
}

type Declared = StateOperations[keyof StateOperations] | ServerOperations[keyof ServerOperations]

async function answered(client: Client, operation: Declared, call: AdminCall): Promise<unknown> {
  try {
    return await client.call(operation as StateOperations['serverStatus'], {}, call)
  } catch (error) {
    if (!(error instanceof Unreachable) || !error.sent || operation.method === 'GET') throw error
    throw new OutcomeUnknown(error, 'The server may have done it before its answer was lost.', look)
  } finally {
    await client.close()
  }
}

const clientWith = (transport: Transport, token: string): Client => {
  // Operations of the administration are below no project.
  const place = {authUrl: '', projectKey: ''}
  const session = sessionOf(transport, {kind: 'token', token: async () => token}, place, {})
  return clientOf({transport, session, projectKey: '', options: {}})
}

async function serverClient(dataDir: string, origin: string): Promise<Client> {
  const [{readAdminToken}, {httpTransport}] = await Promise.all([
    import('../../server/local/local-files.js'),
    import('../transports/http.js'),
  ])
  const token = readAdminToken(dataDir)
  if (token !== undefined) return clientWith(await httpTransport(origin, origin, {}), token)
  const message = `The server of ${dataDir} has no administration token there.`
  throw new StateError('StateUnusable', message, dataDir, 'Run: frontdesk server stop, then: frontdesk server start')
}

/** The whole pipeline over the state itself, with a token that ends with the call. */
async function ownClient(dataDir: string): Promise<Client> {
  const [{openRuntime}, {run}, {embeddedTransport}] = await Promise.all([
    import('../../server/local/runtime.js'),
    import('../../api/pipeline/pipeline.js'),
    import('../transports/embedded.js'),
  ])
  const opened = await openRuntime({dataDir, writer: 'one-shot'})
  const token = opened.secrets.token(32)
  const adminDigest = opened.secrets.digest(token)
  const runtime = {...opened, adminDigest, dataDir, startedAt: opened.clock()}
  return clientWith(embeddedTransport(runtime, run, dataDir, undefined), token)
}
