import type {Client, Incoming} from '../../client/client.js'
import {refusalOf} from '../../client/transports/refusal.js'
import {isObject} from '../../domain/equal.js'
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

/** The answer to a request that does no harm if it is sent again: a write names the version that it replaces. */
const asked = (client: Client, signal: AbortSignal, method: string, path: string, body?: object): Promise<Incoming> =>
  new Sender(sendingOf({concurrency: 1, signal})).send(async () => {
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
