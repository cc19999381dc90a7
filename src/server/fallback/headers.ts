import type {IncomingHttpHeaders} from 'node:http'
import {isSecretHeader} from '../../domain/redact.js'

/** What headers become between a caller and the fallback server (RFC 9110 §7.6). */

/** They are about one connection, and end with it. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
])

/** Written anew: who the caller is and whom it asked, this server says itself. */
const rewritten: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'expect',
  'via',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'x-correlation-id',
])

/** They speak for an origin and its connections: for the fallback's, which the caller does not see. */
const ofOrigin: ReadonlySet<string> = new Set(['alt-svc', 'strict-transport-security', 'x-correlation-id', 'via'])

const namesIn = (value: string): string[] => value.split(',').map((name) => name.trim().toLowerCase())

/** The names that a Connection header makes hop-by-hop besides the usual ones. */
const connectionNames = (values: readonly string[]): ReadonlySet<string> => new Set(values.flatMap(namesIn))

export interface Hop {
  /** This server, as its Via entries name it. */
  readonly pseudonym: string
  readonly remoteAddress: string
  /** The host and scheme that the caller asked. */
  readonly host: string
  readonly scheme: 'http' | 'https'
  readonly correlationId: string
  readonly authorization?: string | undefined
  /** Whether cookies and API keys pass. */
  readonly cookies: boolean
}

/** Node's flat list as pairs, names in lower case. */
function pairsOf(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    pairs.push([(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? ''])
  }
  return pairs
}

const valuesOf = (pairs: readonly (readonly [string, string])[], wanted: string): string[] =>
  pairs.flatMap(([name, value]) => (name === wanted ? [value] : []))

/** Whether the request has been here already. */
export const isLoop = (rawHeaders: readonly string[], pseudonym: string): boolean =>
  valuesOf(pairsOf(rawHeaders), 'via')
    .flatMap((value) => value.split(','))
    .some((entry) => entry.trim().split(/\s+/)[1] === pseudonym)

/** The headers of a request as the fallback server gets them, names and values in turn. */
export function headersOnward(rawHeaders: readonly string[], hop: Hop): string[] {
  const pairs = pairsOf(rawHeaders)
  const named = connectionNames(valuesOf(pairs, 'connection'))
  const stays = (name: string) => hopByHop.has(name) || rewritten.has(name) || (!hop.cookies && isSecretHeader(name))
  const kept = pairs.filter(([name]) => !stays(name) && !named.has(name))
  const added: [string, string][] = [
    ['via', [...valuesOf(pairs, 'via'), `1.1 ${hop.pseudonym}`].join(', ')],
    ['x-forwarded-for', hop.remoteAddress],
    ['x-forwarded-host', hop.host],
    ['x-forwarded-proto', hop.scheme],
    ['x-correlation-id', hop.correlationId],
  ]
  if (hop.authorization !== undefined) added.push(['authorization', hop.authorization])
  return [...kept, ...added].flat()
}

/** The headers of an answer for the caller, without those that would give pages of other origins access (S-04). */
export function headersBack(
  headers: IncomingHttpHeaders,
  hop: Pick<Hop, 'pseudonym' | 'correlationId' | 'cookies'>,
): Record<string, string | string[]> {
  const named = connectionNames([headers['connection'] ?? []].flat())
  const back: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    const isOfOrigin =
      ofOrigin.has(name) || name.startsWith('access-control-') || (!hop.cookies && name === 'set-cookie')
    if (!isOfOrigin && !hopByHop.has(name) && !named.has(name) && value !== undefined) back[name] = value
  }
  const via = [headers['via'] ?? [], `1.1 ${hop.pseudonym}`].flat().join(', ')
  return {...back, via, 'x-correlation-id': hop.correlationId}
}
