import {setTimeout as pause} from 'node:timers/promises'
import {type AdminReply, administerServer} from '../../client/local/admin.js'
import {column, identifier, kept, moment, type View, whole, wrapping} from '../output/view.js'
import {oneLine} from '../process/sanitize.js'

export type LoggedRequest = AdminReply<'listRequests'>['requests'][number]

/** The last requests of the running server, the oldest first. Throws StateUnusable if none runs. */
export const requestsOf = (dataDir: string, query: object): Promise<AdminReply<'listRequests'>> =>
  administerServer(dataDir, 'listRequests', {body: query, isRepeatable: true})

/** Yields requests as they end, each once, until the signal is aborted. */
export async function* followRequests(
  dataDir: string,
  {query, intervalMs, signal}: {readonly query: object; readonly intervalMs: number; readonly signal: AbortSignal},
): AsyncGenerator<LoggedRequest> {
  const {requests} = await requestsOf(dataDir, {limit: 1})
  let after = requests.at(-1)?.number ?? 0
  while (!signal.aborted) {
    for (const request of (await requestsOf(dataDir, {...query, after})).requests) {
      after = request.number
      yield request
    }
    await pause(intervalMs, undefined, {signal}).catch(() => undefined)
  }
}

function callerText({caller}: LoggedRequest): string {
  const {kind, clientId, customerId, storeKey, external} = caller
  if (kind === 'nobody') return 'nobody'
  const who = customerId === undefined ? `${kind} ${clientId ?? ''}` : `customer ${customerId}`
  return `${who.trim()}${storeKey === undefined ? '' : ` in ${storeKey}`}${external ? ' (external)' : ''}`
}

const reasonText = ({refusal, note}: LoggedRequest): string | undefined => refusal?.why ?? refusal?.message ?? note

const shown = (header: string, show: (request: LoggedRequest) => unknown) =>
  column(header, (document) => show(document as LoggedRequest))

export const requestView: View = {
  columns: [
    whole('number'),
    kept('status'),
    kept('method'),
    kept('path'),
    identifier('caller', (request) => callerText(request as LoggedRequest)),
    wrapping('why', (request) => reasonText(request as LoggedRequest)),
    moment('at'),
    identifier('id'),
  ],
  card: [
    shown('request', ({method, path}) => `${method} ${path}`),
    column('status'),
    column('operation'),
    moment('at'),
    shown('took', ({durationMs}) => `${durationMs} ms`),
    shown('caller', callerText),
    column('client', 'caller.clientId'),
    shown('scopes', ({caller}) => caller.scopes.join(' ')),
    shown('refused by', ({refusal}) => refusal && `the check of ${refusal.check} (${refusal.code})`),
    column('answered', 'refusal.message'),
    column('why', 'refusal.why'),
    shown('needs one of', ({refusal}) => refusal?.needs?.join(', ')),
    column('note'),
    column('query'),
    shown('request body', ({requestBody}) => requestBody && JSON.stringify(requestBody)),
    shown('response body', ({responseBody}) => responseBody && JSON.stringify(responseBody)),
    whole('id'),
  ],
}

export const requestLine = (request: LoggedRequest): string => {
  const {number, at, status, method, path} = request
  const why = reasonText(request)
  return oneLine(
    `${number}  ${at}  ${status}  ${method} ${path}  ${callerText(request)}${why === undefined ? '' : `  ${why}`}`,
  )
}
