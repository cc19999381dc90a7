import {queryCustomers} from '../../api/customers/operations.js'
import type {Client, Incoming} from '../../client/client.js'
import {refusalOf} from '../../client/transports/refusal.js'
import type {Customer} from '../../domain/customers/customer.js'
import {isObject} from '../../domain/equal.js'
import {callsOf, customerIn, findEvery} from '../send/customer-calls.js'
import {Sender, sendingOf} from '../send/sender.js'

/**
 * The marks that a target keeps: custom objects of the platform, or the same below `_frontdesk` of a server of ours. Which of
 * both a target has, its answers tell.
 */

const container = 'frontdesk-marks'
const passing: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])

/** A mark as it was read, and where it is. */
export interface StoredMark {
  readonly below: '/_frontdesk' | ''
  /** 0: there is none. */
  readonly version: number
  readonly value?: unknown
}

const senderOf = (signal: AbortSignal): Sender => new Sender(sendingOf({concurrency: 2, signal}))

/** The answer to a request that does no harm if it is sent again: a write names the version that it replaces. */
const asked = (client: Client, signal: AbortSignal, method: string, path: string, body?: object): Promise<Incoming> =>
  senderOf(signal).send(async () => {
    const answer = await client.raw(method, `/${client.projectKey}${path}`, body === undefined ? {signal} : {body})
    if (passing.has(answer.status)) throw refusalOf(answer)
    return answer
  })

/** Reads a mark; undefined if the client may not read it. */
export async function readMark(client: Client, key: string, signal: AbortSignal): Promise<StoredMark | undefined> {
  for (const below of ['/_frontdesk', ''] as const) {
    const {status, body} = await asked(client, signal, 'GET', `${below}/custom-objects/${container}/${key}`)
    const {version, value} = isObject(body) ? (body as {version?: unknown; value?: unknown}) : {}
    if (status === 200 && typeof version === 'number') return {below, version, value}
    if (status === 404 && below === '') return {below, version: 0}
  }
  return undefined
}

/** Writes a mark unless its version has changed; undefined if the client may not write it. */
export async function writeMark(
  client: Client,
  key: string,
  {below, version}: StoredMark,
  value: object,
  signal: AbortSignal,
): Promise<'kept' | 'changed meanwhile' | undefined> {
  const {status} = await asked(client, signal, 'POST', `${below}/custom-objects`, {container, key, version, value})
  if (status === 409) return 'changed meanwhile'
  return status >= 200 && status < 300 ? 'kept' : undefined
}

/**
 * The customer of a target that was changed last: one that was emptied or restored since has no such customer. A mark at the
 * target needs it as one on the machine does, since a project is emptied by deleting its customers: its custom objects stay.
 */
export type Anchor = Pick<Customer, 'id' | 'version' | 'createdAt'>

/** Undefined at a target without customers. */
export async function anchorOf(client: Client, signal: AbortSignal): Promise<Anchor | undefined> {
  const query = {sort: 'lastModifiedAt desc', limit: 1, withTotal: false}
  const {results} = await senderOf(signal).send(() => client.call(queryCustomers, {}, {query}))
  if (results[0] === undefined) return undefined
  const {id, version, createdAt} = customerIn(results[0])
  return {id, version, createdAt}
}

/** Those that the target still has, at their versions or later ones. */
export async function anchorsAt(
  client: Client,
  anchors: readonly Anchor[],
  signal: AbortSignal,
): Promise<readonly Anchor[]> {
  const values = anchors.map(({id}) => id)
  const found = await findEvery(callsOf(client), senderOf(signal), {member: 'id', values, expand: []})
  return anchors.filter(({id, version, createdAt}) =>
    found.some((one) => one.id === id && one.version >= version && one.createdAt === createdAt),
  )
}
