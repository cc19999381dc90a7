import {setTimeout as pause} from 'node:timers/promises'
import {Flags} from '@oclif/core'
import {optionalArg, switchFlag} from '../../src/cli/input/flags.js'
import {column, identifier, kept, moment, type View, whole, wrapping} from '../../src/cli/output/view.js'
import {Failure} from '../../src/cli/process/failure.js'
import {interruption} from '../../src/cli/process/interruption.js'
import {oneLine} from '../../src/cli/process/sanitize.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {type AdminReply, administerServer} from '../../src/client/local/admin.js'
import {defined} from '../../src/domain/equal.js'

export default class ServerRequests extends ServerCommand<typeof ServerRequests> {
  static override shows = 'people' as const
  static override summary = 'Show the last requests to the running server, and why they were refused'
  static override description =
    `Shows the last thousand requests: client and scopes, the answer, which check failed, and what would pass. An id
(X-Correlation-ID, or the number of a request) shows one request in full. The server keeps them in memory, with queries and
bodies only if it was started with --keep-bodies, and never with secrets. --project-key selects the requests of one project.`
  static override examples = [
    '<%= config.bin %> server requests --refused',
    '<%= config.bin %> server requests 17',
    '<%= config.bin %> server requests --follow -o jsonl',
  ]
  static override args = {id: optionalArg('a correlation id, or the number of a request')}
  static override flags = {
    follow: switchFlag('Print requests as they end, until interrupted.'),
    refused: switchFlag('Only requests that were refused or failed.'),
    limit: Flags.integer({
      char: 'n',
      helpValue: 'N',
      min: 1,
      max: 1000,
      default: 20,
      summary: 'Largest number of requests.',
    }),
  }

  async run(): Promise<void> {
    const {dataDir} = this.local
    const {refused, limit, follow} = this.flags
    const {id} = this.args
    const query = defined({id, projectKey: this.flags['project-key'], refused: refused || undefined})
    if (follow) return this.#follow(dataDir, query)
    const {requests, keepsBodies} = await requestsOf(dataDir, {...query, limit})
    if (id === undefined) {
      await this.output.page({count: requests.length, results: requests.toReversed()}, requestView)
      return
    }
    const request = requests.at(-1)
    if (!request) {
      throw new Failure('notFound', 'NoSuchRequest', `The server remembers no request '${id}'.`, {
        hints: ['It keeps the last thousand: `frontdesk server requests`.'],
      })
    }
    await this.output.document(request, requestView)
    if (!keepsBodies) this.say('bodies are not kept; `server start --keep-bodies` keeps them')
  }

  async #follow(dataDir: string, query: object): Promise<void> {
    const print = this.output.stream(requestLine)
    for await (const request of followRequests(dataDir, {query, intervalMs: 300, signal: interruption()})) {
      await print(request)
    }
  }
}

type LoggedRequest = AdminReply<'listRequests'>['requests'][number]

/** The last requests of the running server, the oldest first. Throws StateUnusable if none runs. */
const requestsOf = (dataDir: string, query: object): Promise<AdminReply<'listRequests'>> =>
  administerServer(dataDir, 'listRequests', {body: query, isRepeatable: true})

/** Yields requests as they end, each once, until the signal is aborted. */
export async function* followRequests(
  dataDir: string,
  {query, intervalMs, signal}: {readonly query: object; readonly intervalMs: number; readonly signal: AbortSignal},
): AsyncGenerator<LoggedRequest> {
  const {requests} = await requestsOf(dataDir, {limit: 1})
  let after = requests.at(-1)?.number ?? 0
  while (!signal.aborted) {
    const fresh = await requestsOf(dataDir, {...query, after})
    for (const request of fresh.requests) {
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
