import type {IncomingHttpHeaders, IncomingMessage} from 'node:http'

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

const entriesIn = (values: readonly string[]): string[] =>
  values.flatMap((value) => value.split(',').map((entry) => entry.trim()))

/** The names that a Connection header makes hop-by-hop besides the usual ones. */
const connectionNames = (values: readonly string[]): ReadonlySet<string> =>
  new Set(entriesIn(values).map((name) => name.toLowerCase()))

export interface Hop {
  /** This server, as its Via entries name it. */
  readonly pseudonym: string
  readonly remoteAddress: string
  /** The host that the caller asked. */
  readonly host: string
  readonly correlationId: string
  readonly authorization?: string | undefined
}

type Distinct = IncomingMessage['headersDistinct']

/** Whether the request has been here already. */
export const isLoop = ({via = []}: Distinct, pseudonym: string): boolean =>
  entriesIn(via).some((entry) => entry.split(/\s+/)[1] === pseudonym)

/** The headers of a request as the fallback server gets them, names and values in turn. */
export function headersOnward(headers: Distinct, hop: Hop): string[] {
  const {connection = [], via = []} = headers
  const named = connectionNames(connection)
  const kept = Object.entries(headers).filter(([name]) => handedOn.test(name) && !named.has(name))
  const added: [string, string][] = [
    ['via', [...via, `1.1 ${hop.pseudonym}`].join(', ')],
    ['x-forwarded-for', hop.remoteAddress],
    ['x-forwarded-host', hop.host],
    ['x-forwarded-proto', 'http'],
    ['x-correlation-id', hop.correlationId],
  ]
  if (hop.authorization !== undefined) added.push(['authorization', hop.authorization])
  return [...kept.flatMap(([name, values = []]) => values.flatMap((value) => [name, value])), ...added.flat()]
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
