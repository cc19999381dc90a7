import {collectionOf} from '../../api/operation/collection-table.js'
import {usage} from '../process/failure.js'
import {type Environment, variable} from '../process/io.js'
import {checkedUrl, isLoopback} from '../target/addresses.js'
import type {Attempt} from './deliveries.js'
import type {SeenMessage} from './follow.js'

export const formats = ['platform', 'cloudevents'] as const
export type Format = (typeof formats)[number]

export type Receiver = ReturnType<typeof receiverOf>

const timeoutMs = 10_000

/**
 * The receiver that a command line names, with the query of its address. Throws usage for an address that gets personal data without a secret: one beyond
 * this machine needs https and a header.
 */
export function receiverOf(
  url: string,
  flag: string,
  format: Format,
  headerFrom: string | undefined,
  env: Environment,
) {
  checkedUrl(url.replace(/\?[^#]*/, ''), flag)
  const headers = headerFrom === undefined ? {} : headerOf(headerFrom, env)
  if (headerFrom === undefined && !isLoopback(url)) {
    throw usage(
      `${flag} is not an address of this machine.`,
      'Use one such as http://localhost:3000/hooks, or `frontdesk messages forward --header-from env:NAME`.',
    )
  }
  return {url: new URL(url).href, format, headers}
}

/** The header in a variable: `Authorization: Bearer …`. */
function headerOf(from: string, env: Environment): Record<string, string> {
  const name = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(from)?.[1]
  if (name === undefined)
    throw usage('--header-from names no variable.', 'Write it like --header-from env:HOOK_HEADER.')
  const header = /^([\w!#$%&'*+.^`|~-]+): *([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/.exec(variable(env, name) ?? '')
  if (!header) throw usage(`${name} holds no header.`, 'Write it like `Authorization: Bearer …`, with a value.')
  return {[header[1]?.toLowerCase() ?? '']: header[2] ?? ''}
}

/** The path of what a reference points to, as the platform names it. */
function segmentOf(typeId: string): string {
  const segment = collectionOf(typeId)?.segment ?? irregular.get(typeId)
  return segment ?? (typeId.endsWith('y') ? `${typeId.slice(0, -1)}ies` : `${typeId}s`)
}

const irregular = new Map([
  ['customer-email-token', 'customers/email-token'],
  ['customer-password-token', 'customers/password-token'],
  ['inventory-entry', 'inventory'],
  ['key-value-document', 'custom-objects'],
])

/**
 * A message as the platform's subscriptions deliver it. Source: API › Subscriptions, Delivery Formats; CloudEvents 1.0.2
 * with the extensions sequence and dataref.
 */
export function payloadOf(message: SeenMessage, projectKey: string, format: Format): object {
  const {id, type, resource, createdAt, sequenceNumber} = message
  const data = {notificationType: 'Message', projectKey, ...message}
  if (format === 'platform') return data
  return {
    specversion: '1.0',
    id,
    type: `com.commercetools.${resource.typeId}.message.${type}`,
    source: `/${projectKey}/${segmentOf(resource.typeId)}`,
    subject: resource.id,
    time: createdAt,
    sequence: String(sequenceNumber),
    sequencetype: 'Integer',
    dataref: `/${projectKey}/messages/${id}`,
    data,
  }
}

const contentTypes = {platform: 'application/json', cloudevents: 'application/cloudevents+json; charset=utf-8'}

/** What posts payloads to a receiver: ten seconds each, no redirects, certificates verified. */
export async function posting({url, format, headers}: Receiver, options: {readonly caFile?: string}) {
  const [{dispatcherOf}, {noAnswer, wasSent}] = await Promise.all([
    import('../../client/transports/dispatcher.js'),
    import('../../client/transports/no-answer.js'),
  ])
  const limited = {...options, timeoutMs}
  const dispatcher = await dispatcherOf(limited)
  const {origin, pathname, search} = new URL(url)
  const post = async (payload: object): Promise<Attempt> => {
    const began = performance.now()
    const durationMs = () => Math.round(performance.now() - began)
    try {
      const {statusCode: status, body} = await dispatcher.request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers: {...headers, 'content-type': contentTypes[format], 'user-agent': 'frontdesk'},
        body: JSON.stringify(payload),
        signal: AbortSignal.timeout(timeoutMs),
      })
      // The status decides; what else the receiver says is not needed, and may have no end.
      await body.dump().catch(() => undefined)
      return {status, durationMs: durationMs()}
    } catch (error) {
      const {message: problem} = noAnswer(error, url, limited)
      return {problem, durationMs: durationMs(), ...(wasSent(error) ? {} : {isUnreachable: true})}
    }
  }
  return {post, close: () => dispatcher.destroy()}
}
