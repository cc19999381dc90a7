import {type ProcessIdentity, parsedIdentity, thisProcess as thisIdentity} from '../../files/process-identity.js'

/** Who holds the lock of a store. */
export interface Holder extends ProcessIdentity {
  readonly nonce: string
  readonly purpose: 'server' | 'one-shot'
  /** Where a live server listens. */
  readonly origin?: string
}

export const thisProcess = (nonce: string, purpose: Holder['purpose']): Holder => ({...thisIdentity(), nonce, purpose})

export function parsedHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null
    return parsedIdentity(holder) && typeof holder?.nonce === 'string' ? (holder as Holder) : undefined
  } catch {
    return undefined
  }
}
