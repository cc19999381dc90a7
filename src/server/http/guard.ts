import type {IncomingMessage} from 'node:http'
import {ApiError, notFound} from '../../domain/errors.js'
import {isLinkToWindow} from '../window-paths.js'
import {isOpenToPages} from './origins.js'

/** Checks the headers and target of a request before routing. */

/** Reads a header; the first of repeated ones, since `guard` refuses repeats of those that matter. */
export const headerOf =
  ({headers}: IncomingMessage) =>
  (name: string): string | undefined => {
    const value = headers[name]
    return Array.isArray(value) ? value[0] : value
  }

export interface GuardOptions {
  /** Hosts, beside those of this machine, under which the server may be addressed: with its port, another one, or any (`:*`). */
  readonly allowedHosts: readonly string[]
  /** Origins whose pages may use the API, as browsers send them. */
  readonly allowedOrigins: ReadonlySet<string>
  /** The origin that clients use, where it is another: a proxy or a published port stands in between. */
  readonly publicOrigin?: string
  readonly maxHeaders: number
  readonly maxPathBytes: number
}

/** The listed origin of the page that asks for what pages may ask for; undefined for everybody else. */
export const pageOf = ({headers, url = ''}: IncomingMessage, {allowedOrigins}: GuardOptions): string | undefined =>
  headers.origin !== undefined && allowedOrigins.has(headers.origin) && isOpenToPages(url) ? headers.origin : undefined

/** Throws ApiError unless headers and host of a request are acceptable; `page` is the listed one that asks. */
export function guard(request: IncomingMessage, options: GuardOptions, page?: string): void {
  const {maxHeaders} = options
  if (request.rawHeaders.length / 2 > maxHeaders) {
    throw ApiError.of('HeadersTooLarge', {message: `A request has at most ${maxHeaders} headers.`})
  }
  checkFraming(request)
  const seen = seenHeaders(request)
  checkHost(request, seen, options, page)
  if (seen.repeated === undefined) return
  const message = `The header ${seen.repeated} stands more than once.`
  throw isOauth(request) ? ApiError.of('invalid_request', {message}) : ApiError.of('InvalidInput', {message})
}

/** What readers of HTTP/1.1 take differently. */
function checkFraming({httpVersion, headers, url = ''}: IncomingMessage): void {
  const coding = headers['transfer-encoding']
  const isOld = httpVersion === '1.0'
  const reason =
    httpVersion !== '1.1' && !isOld
      ? 'This server speaks HTTP/1.1.'
      : coding !== undefined && (isOld || coding.toLowerCase() !== 'chunked')
        ? 'A body comes with a length, or chunked and in no other coding.'
        : headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue'
          ? 'A request expects nothing but 100-continue.'
          : url.includes('#')
            ? 'A target has no fragment.'
            : undefined
  if (reason !== undefined) throw ApiError.of('InvalidInput', {message: reason})
}

export const isOauth = ({url = ''}: IncomingMessage): boolean => url.startsWith('/oauth/')

/** Headers of which Node shows one value and hides the rest. */
const single: ReadonlySet<string> = new Set(['authorization', 'content-type', 'content-length', 'content-encoding'])

interface SeenHeaders {
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
  readonly sites: readonly string[]
  /** One that may stand once and stands more than once. */
  readonly repeated: string | undefined
}

const none: readonly string[] = []

/** Every value of the headers that matter here, as they were sent. */
function seenHeaders({rawHeaders}: IncomingMessage): SeenHeaders {
  const hosts: string[] = []
  let origins = none
  let sites = none
  let met: string[] | undefined
  let repeated: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    const value = rawHeaders[at + 1] ?? ''
    if (name === 'host') hosts.push(value)
    else if (name === 'origin') origins = [...origins, value]
    else if (name === 'sec-fetch-site') sites = [...sites, value]
    else if (single.has(name)) {
      met ??= []
      if (met.includes(name)) repeated ??= name
      met.push(name)
    }
  }
  return {hosts, origins, sites, repeated}
}

const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

/** The address that the client connected to: as the host it rules out DNS rebinding, since no name was resolved. */
function ownAddress({socket}: IncomingMessage): string[] {
  const {localAddress} = socket
  if (localAddress === undefined) return []
  const plain = localAddress.replace(/^::ffff:(?=\d+\.)/, '')
  return [plain.includes(':') ? `[${plain}]` : plain]
}

const hasPort = /:\d+$/

/** Whether a Host header is that name, with this server's port or none; a name with a port of its own takes that alone. */
function isNamed(host: string, name: string, port: number | undefined): boolean {
  if (name.endsWith(':*')) return host.replace(hasPort, '') === name.slice(0, -2)
  return host === name || host === `${name}:${port}`
}

const refused = (message: string): ApiError => ApiError.of('Forbidden', {message})

/**
 * Refuses requests with a host that is not allowed, and those from pages of other origins: with DNS rebinding a browser
 * sends the attacker's host name. Throws Forbidden and InvalidInput.
 */
function checkHost(
  request: IncomingMessage,
  {hosts, origins, sites}: SeenHeaders,
  options: GuardOptions,
  page: string | undefined,
): void {
  const [host] = hosts
  if (hosts.length !== 1 || host === undefined) {
    throw ApiError.of('InvalidInput', {message: 'A request has exactly one Host header.'})
  }
  const {allowedHosts, allowedOrigins, publicOrigin} = options
  const before = admitted.get(request.socket)
  // Without a page behind it, a connection that names the same host again is allowed it again.
  if (origins.length === 0 && sites.length === 0 && before?.host === host && before.by === options) return
  const port = request.socket.localPort
  const names = [...loopbackHosts, ...ownAddress(request), ...allowedHosts.map((name) => name.toLowerCase())]
  const asked = host.toLowerCase()
  const isKnown = names.some((name) => isNamed(asked, name, port))
  // Health names no project: whoever maps the port to another address (a container) may ask for it there.
  if (!isKnown && !/^\/health(\?|$)/.test(request.url ?? '')) {
    throw refused('This server does not answer under that host name.')
  }
  if (page !== undefined) return
  const foreign = origins.some((origin) => {
    const isOwn = (name: string) => origin === `http://${hasPort.test(name) ? name : `${name}:${port}`}`
    return origin !== publicOrigin && origin !== `http://${asked}` && !names.some(isOwn)
  })
  const isListed = allowedOrigins.has(origins.join())
  if (foreign) throw refused(isListed ? closedToPages : unlisted)
  if (sites.includes('cross-site') && !isLinkToWindow(request)) {
    throw refused('This server does not answer pages of other sites.')
  }
  if (isKnown) admitted.set(request.socket, {host, by: options})
}

const unlisted =
  'This server does not answer pages of other origins. List the origin with --allowed-origin, or in allowedOrigins.'
const closedToPages = 'This path is not open to pages of other origins.'

/** The last host of a connection that was allowed: whether it is depends on the connection and the options alone. */
const admitted = new WeakMap<IncomingMessage['socket'], {readonly host: string; readonly by: GuardOptions}>()

const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i

/** Throws unless the target is an absolute path of acceptable length, without `.` and `..` segments. */
export function checkTarget({url = ''}: IncomingMessage, {maxPathBytes}: GuardOptions): void {
  if (!url.startsWith('/')) {
    throw ApiError.of('InvalidInput', {message: 'The target of a request is a path that begins with a slash.'})
  }
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  if (path.length > maxPathBytes) {
    throw ApiError.of('UriTooLong', {message: `A path has at most ${maxPathBytes} bytes.`})
  }
  if (dotSegment.test(path)) throw notFound('There is no such path.')
}
