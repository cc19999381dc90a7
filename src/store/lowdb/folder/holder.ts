import {type ProcessIdentity, parsedIdentity, thisProcess as thisIdentity} from '../../../files/process-identity.js'
import {checksumOf} from '../file/checksum.js'

/** Who holds the lock of a store. */
export interface Holder extends ProcessIdentity {
  readonly nonce: string
  readonly purpose: 'server' | 'one-shot'
  /** The origin where a server listens. */
  readonly origin?: string
  /** The origin that clients use, if it differs. */
  readonly publicOrigin?: string
}

export const thisProcess = (nonce: string, purpose: Holder['purpose']): Holder => ({
  ...thisIdentity(),
  nonce,
  purpose,
})

/** Parses the holder in a lock file. An unreadable file has a holder that matches no process. */
export function holderIn(content: Buffer): Holder {
  return parsedHolder(content.toString()) ?? unknownHolder(content)
}

function parsedHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null
    return parsedIdentity(holder) && typeof holder?.nonce === 'string' ? (holder as Holder) : undefined
  } catch {
    return undefined
  }
}

const unknownHolder = (content: Buffer): Holder => ({
  pid: 0,
  startTime: '',
  bootId: '',
  host: '',
  namespace: '',
  nonce: `unreadable-${checksumOf(content).toString(16)}`,
  purpose: 'one-shot',
})

/** Whether the lock file of a holder named nobody. */
export const isUnreadable = ({pid}: Holder): boolean => pid === 0
