import type {IncomingHttpHeaders} from 'node:http'

/** What headers become between a caller and the fallback server (RFC 9110 §7.6). */

/**
 * What a request says about its content and its answer. Nothing else is handed on: no credential, nothing about one
 * connection, and no header by which some servers let a request be another one than it says (`X-HTTP-Method-Override`).
 */
const handedOn = /^(?:accept(?:-.+)?|content-.+|if-.+|user-agent|x-external-user-id)$/

/** They are about one connection, and end with it. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** They speak for the fallback's origin and its connections, which the caller does not see: its cookies too. */
const ofOrigin: ReadonlySet<string> = new Set([
  'alt-svc',
  'set-cookie',
  'strict-transport-security',
  'x-correlation-id',
  'via',
])

const namesIn = (value: string): string[] => value.split(',').map((name) => name.trim().toLowerCase())

/** The names that a Connection header makes hop-by-hop besides the usual ones. */
const connectionNames = (values: readonly string[]): ReadonlySet<string> => new Set(values.flatMap(namesIn))

export interface Hop {
  /** This server, as its Via entries name it. */
  readonly pseudonym: string
  readonly remoteAddress: string
  /** The host that the caller asked. */
  readonly host: string
  readonly correlationId: string
  readonly authorization?: string | undefined
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
  const kept = pairs.filter(([name]) => handedOn.test(name) && !named.has(name))
  const added: [string, string][] = [
    ['via', [...valuesOf(pairs, 'via'), `1.1 ${hop.pseudonym}`].join(', ')],
    ['x-forwarded-for', hop.remoteAddress],
    ['x-forwarded-host', hop.host],
    ['x-forwarded-proto', 'http'],
    ['x-correlation-id', hop.correlationId],
  ]
  if (hop.authorization !== undefined) added.push(['authorization', hop.authorization])
  return [...kept, ...added].flat()
}

/** The headers of an answer for the caller, without those that would give pages of other origins access (S-04). */
export function headersBack(
  headers: IncomingHttpHeaders,
  hop: Pick<Hop, 'pseudonym' | 'correlationId'>,
): Record<string, string | string[]> {
  const named = connectionNames([headers['connection'] ?? []].flat())
  const back: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    const isOfOrigin = ofOrigin.has(name) || name.startsWith('access-control-')
    if (!isOfOrigin && !hopByHop.has(name) && !named.has(name) && value !== undefined) back[name] = value
  }
  const via = [headers['via'] ?? [], `1.1 ${hop.pseudonym}`].flat().join(', ')
  return {...back, via, 'x-correlation-id': hop.correlationId}
}
