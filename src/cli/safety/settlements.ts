import type {Client} from '../../client/client.js'
import type {Settlement} from '../../client/settle.js'
import type {Attribution} from '../../domain/customers/customer.js'

/** Settlement of writes by version: reads that decide whether a write whose answer was lost took effect. */

export interface Versioned {
  readonly version: number
  readonly lastModifiedBy?: Attribution
}

interface ByVersion<R extends Versioned> {
  /** How the resource is called in a sentence: `The customer`. */
  readonly what: string
  /** The version that was read before. */
  readonly version: number
  readonly client: Client
  readonly read: () => Promise<R>
  /** Whether the resource has all members that the write meant to give it. */
  readonly holds: (now: R) => boolean | Promise<boolean>
  readonly look: string
}

/** Settles a write that raises a version which was read before. */
export const byVersion = <R extends Versioned>(write: ByVersion<R>): Settlement<R> => ({
  // The version sees to it that a repeat is refused once the write had its effect.
  fenced: true,
  look: write.look,
  read: async () => {
    const {what, version, client, holds} = write
    const now = await write.read()
    if (now.version === version) return {unchanged: `${what} is still at version ${version}.`}
    const isOurs = isBy(client, now.lastModifiedBy)
    if (isOurs && (await holds(now))) return {happened: now}
    if (!isOurs && now.version === version + 1) {
      return {unchanged: `Another API client was faster, and ${what.toLowerCase()} is at version ${now.version} now.`}
    }
    const by = isOurs ? '' : ', changed by another API client'
    return {open: `${what} was at version ${version}, and is at version ${now.version} now${by}.`}
  },
})

/** Whether what was written may be our own; unknown authors may be. */
export const isBy = ({clientId}: Client, by: Attribution | undefined): boolean =>
  clientId === undefined || by?.clientId === undefined || by.clientId === clientId
