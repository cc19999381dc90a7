import {randomUUID} from 'node:crypto'
import {StateError} from '../../domain/errors.js'
import {type Incoming, Unreachable} from '../client.js'
import {Unsettled} from '../settle.js'
import {refusalOf} from '../transports/refusal.js'

const look = 'frontdesk server status'

/**
 * Calls to the administration of a running local server, with the token beside its state. What does no harm when it is
 * done twice is repeated; for the rest, Unsettled says that nobody can tell.
 */
export async function callAdmin(
  dataDir: string,
  origin: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  isRepeatable = false,
): Promise<unknown> {
  const [{readAdminToken}, {httpTransport}] = await Promise.all([
    import('../../server/local/admin-token.js'),
    import('../transports/http.js'),
  ])
  const token = readAdminToken(dataDir)
  if (token === undefined) {
    const message = `The server of ${dataDir} has no administration token there.`
    throw new StateError('StateUnusable', message, dataDir, 'Stop the server and start it again')
  }
  const transport = await httpTransport(origin, origin, {})
  const correlationId = randomUUID()
  try {
    const answer: Incoming = await transport.send({
      method,
      path,
      headers: {
        authorization: `Bearer ${token}`,
        'x-correlation-id': correlationId,
        ...(body === undefined ? {} : {'content-type': 'application/json'}),
      },
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
      correlationId,
      ...(isRepeatable ? {isRepeatable} : {}),
    })
    if (answer.status >= 200 && answer.status < 300) return answer.body
    throw refusalOf(answer, correlationId)
  } catch (error) {
    if (!(error instanceof Unreachable) || !error.sent || method === 'GET') throw error
    throw new Unsettled(error, 'The server may have done it before its answer was lost.', look)
  } finally {
    await transport.close()
  }
}

/** Adds a project to a running server; an existing one stays as it is. */
export async function addProject(
  dataDir: string,
  origin: string,
  projectKey: string,
  seedDir?: string,
): Promise<unknown> {
  const body = {projectKey, ...(seedDir === undefined ? {} : {seedDir})}
  return callAdmin(dataDir, origin, 'POST', '/_admin/projects', body, true)
}
