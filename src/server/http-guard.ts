import type {IncomingMessage} from 'node:http'
import {ApiError} from '../domain/errors.js'

/** Checks of a request's own headers, before routing. */

/** Reads a header; where Node would join repeats, the first counts, since `repeatedHeader` refuses those that matter. */
export const headerOf =
  ({headers}: IncomingMessage) =>
  (name: string): string | undefined => {
    const value = headers[name]
    return Array.isArray(value) ? value[0] : value
  }

function valuesOf({rawHeaders}: IncomingMessage, name: string): string[] {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}

/** The first of the names that stands more than once. Node shows one value and hides the rest. */
export const repeatedHeader = (request: IncomingMessage, names: readonly string[]): string | undefined =>
  names.find((name) => valuesOf(request, name).length > 1)

const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

const refused = (message: string): ApiError => ApiError.of('Forbidden', {message})

/**
 * Only requests that name this server by an allowed host pass, and none from a page of another origin: a browser that
 * was talked into resolving a foreign name to this machine sends the foreign name. Throws Forbidden and InvalidInput.
 */
export function checkHost(request: IncomingMessage, allowedHosts: readonly string[]): void {
  const hosts = valuesOf(request, 'host')
  const [host] = hosts
  if (hosts.length !== 1 || host === undefined) {
    throw ApiError.of('InvalidInput', {message: 'A request has exactly one Host header.'})
  }
  const port = request.socket.localPort
  const names = [...loopbackHosts, ...allowedHosts]
  const isKnown = names.some((name) => host.toLowerCase() === name || host.toLowerCase() === `${name}:${port}`)
  if (!isKnown) throw refused('This server does not answer under that host name.')
  const [origin] = valuesOf(request, 'origin')
  if (origin !== undefined && !names.some((name) => origin === `http://${name}:${port}`)) {
    throw refused('This server does not answer pages of other origins.')
  }
  if (valuesOf(request, 'sec-fetch-site').includes('cross-site')) {
    throw refused('This server does not answer pages of other sites.')
  }
}
