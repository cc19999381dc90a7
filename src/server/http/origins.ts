import type {IncomingMessage, ServerResponse} from 'node:http'
import {ApiError} from '../../domain/errors.js'
import {writeHead} from './head.js'

/** Pages of listed origins in a browser: cross-origin sharing without credentials (Fetch standard, CORS protocol). */

/** The origins as browsers send them. Throws InvalidSetup for any text but an exact HTTP origin. */
export function checkedAllowedOrigins(origins: readonly string[]): ReadonlySet<string> {
  const wrong = origins.find((origin) => originOf(origin) === undefined)
  if (wrong === undefined) return new Set(origins.flatMap((origin) => originOf(origin) ?? []))
  const message = `'${wrong}' is not the origin of a page: write scheme, host and port, as in http://localhost:5173.`
  throw ApiError.of('InvalidSetup', {message})
}

/** The origin that a URL names and nothing more; undefined for others. */
export function originOf(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isHttp = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
  const isOrigin = parsed?.username === '' && parsed.pathname === '/' && parsed.search === '' && parsed.hash === ''
  return parsed && isHttp && isOrigin && !/[@*?#]/.test(url) ? parsed.origin : undefined
}

/** Administration, and what the platform does not have: closed to pages of other origins. */
const closed = /^\/(?:[^/]*\/)?_/

export const isOpenToPages = (url: string): boolean => !closed.test(url)

/** Lets a page of a listed origin read the answer. */
export function shareWith(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader(
    'access-control-expose-headers',
    'retry-after, www-authenticate, x-correlation-id, x-deprecation-notice',
  )
  response.setHeader('vary', 'Origin')
}

export const isPreflight = ({method, headers}: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined

const preflightHeaders = [
  ...['access-control-allow-methods', 'GET, HEAD, POST, DELETE'],
  ...['access-control-allow-headers', 'authorization, content-type, user-agent, x-correlation-id, x-external-user-id'],
  ...['access-control-max-age', '600', 'cache-control', 'no-store', 'content-length', '0'],
] as const

export function answerPreflight(response: ServerResponse): number {
  writeHead(response, 204, preflightHeaders)
  response.end()
  return 204
}
