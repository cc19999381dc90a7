import {readdirSync, readFileSync} from 'node:fs'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {extname, join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {getCustomerSessions} from '../../api/accounts/access-state.js'
import {getCustomerById, queryCustomers} from '../../api/customers/operations.js'
import type {Principal} from '../../api/operation/context.js'
import type {AnyOperation} from '../../api/operation/operation.js'
import {queryMessages} from '../../api/project/messages.js'
import {searchCustomers} from '../../api/search/operations.js'
import {defined} from '../../domain/equal.js'
import {ApiError, notFound} from '../../domain/errors.js'
import {shipped} from '../../files/shipped.js'
import {limits} from '../../work/limits.js'
import {isLoopback} from '../http/bind.js'
import {headerOf} from '../http/guard.js'
import {writeHead} from '../http/head.js'
import {adminOperations} from '../local/admin.js'
import type {LocalRuntime} from '../local/runtime.js'
import {serverOperations, testHookOperations} from '../local/server-operations.js'
import {requestsOf} from '../requests/request-view.js'
import {isLinkToWindow, type WindowCall, type WindowPaths, type WindowRequest, windowPath} from '../window-paths.js'

/** What the page may ask for: it reads customers and administers this server. It gets no token of anybody's. */
const permitted: ReadonlySet<AnyOperation> = new Set<AnyOperation>([
  ...[searchCustomers, queryCustomers, getCustomerById, getCustomerSessions, queryMessages],
  ...[adminOperations.serverStatus, adminOperations.resetProject, serverOperations.listRequests],
  ...[serverOperations.listTokens, ...Object.values(testHookOperations)],
])

const scopes = ['view_customers', 'view_messages']

/** The caller of an operation that the window opens; what it may is still checked. Throws Forbidden for others. */
function callerOf(operation: AnyOperation, {projectKey = ''}: Readonly<Record<string, string>>): Principal {
  if (operation.permission.kind === 'open') return {kind: 'nobody'}
  if (!permitted.has(operation)) throw ApiError.of('Forbidden', {message: 'The window does not ask for this.'})
  if (operation.permission.kind === 'admin') return {kind: 'admin'}
  return {kind: 'bearer', projectKey, clientId: 'window', scopes: scopes.map((name) => `${name}:${projectKey}`)}
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'none'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const headers = [
  ...['cache-control', 'no-store', 'x-content-type-options', 'nosniff', 'content-security-policy', policy],
  ...['referrer-policy', 'no-referrer', 'cross-origin-resource-policy', 'same-origin'],
  ...['cross-origin-opener-policy', 'same-origin'],
]

const tokenHeader = 'x-frontdesk-window'

const intervalMs = 250
/** In intervals. */
const heartBeat = 40

/** The page in which a browser of this machine sees what the server does (decision 58). */
export class Window implements WindowPaths {
  readonly #runtime: LocalRuntime
  readonly #open = new Set<ServerResponse>()
  readonly #ended = new AbortController()

  constructor(runtime: LocalRuntime) {
    this.#runtime = runtime
  }

  owns(path: string): boolean {
    return path === windowPath || path.startsWith(`${windowPath}/`)
  }

  /** Throws ResourceNotFound beyond this machine, and Forbidden or invalid_token for a caller without a session. */
  async enter({request, response, path, search}: WindowRequest): Promise<WindowCall | undefined> {
    const below = path.slice(windowPath.length)
    checkPlace(request)
    const given = headerOf(request)(tokenHeader) ?? ''
    const {entries} = this.#runtime.memory
    if (below === '/enter' && request.method === 'POST') return enterBy(response, entries.redeem(given))
    const isInside = () => entries.isInside(given)
    if (below.startsWith('/api/')) {
      return isInside() ? {path: below.slice('/api'.length), callerOf} : refuse(response)
    }
    if (request.method !== 'GET') throw ApiError.of('MethodNotAllowed', {allow: ['GET']})
    if (below === '/events') {
      return isInside() ? this.#follow(response, new URLSearchParams(search), isInside) : refuse(response)
    }
    const file = pageFiles().get(below)
    if (!file) throw notFound('The window has no such part.')
    return answer(response, 200, file.type, file.text)
  }

  /** All streams end with the server. */
  close(): void {
    this.#ended.abort()
  }

  /**
   * Requests as they end, each line an array of them, until the client, its session or the server ends. A client that takes
   * nothing gets nothing more, since requests that it has not seen wait in the bounded log, and the front ends its
   * connection. Throws OverCapacity for one stream too many.
   */
  async #follow(response: ServerResponse, query: URLSearchParams, isInside: () => boolean): Promise<undefined> {
    if (this.#open.size >= limits.windowStreams) {
      const message = `The window is open in ${limits.windowStreams} pages: close one.`
      throw ApiError.of('OverCapacity', {message, retryAfterSeconds: 5})
    }
    writeHead(response, 200, [...headers, 'content-type', 'application/jsonl; charset=utf-8'])
    this.#open.add(response)
    response.once('close', () => this.#open.delete(response))
    const filter = defined({projectKey: query.get('project') ?? undefined})
    const {signal} = this.#ended
    let after = 0
    for (let turn = 0; !response.destroyed && !signal.aborted && isInside(); turn += 1) {
      if (!response.writableNeedDrain) {
        const requests = requestsOf(this.#runtime.memory.requestLog, {...filter, after, withoutBodies: true})
        after = requests.at(-1)?.number ?? after
        if (requests.length > 0) response.write(`${JSON.stringify(requests)}\n`)
        else if (turn % heartBeat === 0) response.write('\n')
      }
      await pause(intervalMs, undefined, {signal}).catch(() => undefined)
    }
    response.end()
    return undefined
  }
}

/** Throws unless a program or a page of this very origin asks, on this machine, under a name that nobody else resolves. */
function checkPlace(request: IncomingMessage): void {
  const {host = '', origin} = request.headers
  const name = host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
  if (!isLoopback(request.socket.remoteAddress ?? '') || !isLoopback(name)) throw notFound('There is no such path.')
  const site = request.headers['sec-fetch-site'] ?? 'none'
  const isOwn = origin === undefined ? request.method === 'GET' : origin === `http://${host.toLowerCase()}`
  if (!isOwn || (site !== 'same-origin' && site !== 'none' && !isLinkToWindow(request))) {
    throw ApiError.of('Forbidden', {message: 'The window answers its own page alone.'})
  }
}

function answer(response: ServerResponse, status: number, type: string, text: string): undefined {
  const length = String(Buffer.byteLength(text))
  writeHead(response, status, [...headers, 'content-type', `${type}; charset=utf-8`, 'content-length', length])
  response.end(text)
  return undefined
}

/** Tells the page the token of its session, which no other page can read. */
const enterBy = (response: ServerResponse, token: string | undefined): undefined =>
  token === undefined ? refuse(response) : answer(response, 200, 'text/plain', token)

const refuse = (response: ServerResponse): undefined =>
  answer(
    response,
    401,
    'text/plain',
    'This window is closed: a link to it works once, its session for twelve hours.\nRun: frontdesk server open\n',
  )

const types = new Map([
  ['.html', 'text/html'],
  ['.css', 'text/css'],
  ['.mjs', 'text/javascript'],
])

let files: ReadonlyMap<string, {readonly type: string; readonly text: string}> | undefined

/** The files of the page by their path below the window, read once; the page itself has none. */
function pageFiles() {
  const folder = shipped('src', 'server', 'window', 'page')
  files ??= new Map(
    readdirSync(folder).flatMap((name) => {
      const type = types.get(extname(name))
      if (type === undefined) return []
      return [
        [name === 'index.html' ? '' : `/${name}`, {type, text: readFileSync(join(folder, name), 'utf8')}] as const,
      ]
    }),
  )
  return files
}
