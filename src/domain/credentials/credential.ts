import type {Effect} from '../action.js'

/**
 * The secret side of a customer, stored beside it and never part of its document: the password's hash, and epochs that
 * tokens remember. Raising an epoch kills every token that remembers the old one (decision 21).
 */
export interface Credential {
  /** The customer's id. */
  readonly id: string
  readonly version: number
  readonly passwordHash?: string
  /** The hash came from another shop, which hashed passwords as they were typed (decision 19). */
  readonly imported?: true
  readonly sessionEpoch: number
  readonly passwordTokenEpoch: number
  readonly emailTokenEpoch: number
}

export const newCredential = (customerId: string): Credential => ({
  id: customerId,
  version: 1,
  sessionEpoch: 0,
  passwordTokenEpoch: 0,
  emailTokenEpoch: 0,
})

/** A credential with its first hash, made here or by another shop. */
export const withHash = (credential: Credential, passwordHash: string, imported: boolean): Credential => ({
  ...credential,
  passwordHash,
  ...(imported ? {imported: true} : {}),
})

/** The credential after some effects; the same object if none concerns it. `passwordHash` is the hash of `setPassword`. */
export function afterEffects(credential: Credential, effects: readonly Effect[], passwordHash?: string): Credential {
  let next = credential
  for (const {effect} of effects) {
    switch (effect) {
      case 'dropOneTimeTokens':
        next = withoutPasswordTokens({...next, emailTokenEpoch: next.emailTokenEpoch + 1})
        break
      case 'endSessions':
        next = {...next, sessionEpoch: next.sessionEpoch + 1}
        break
      case 'setPassword':
        next = passwordHash === undefined ? next : withPasswordHash(next, passwordHash)
        break
      case 'dropPassword': {
        const {passwordHash: _, imported: __, ...rest} = next
        next = rest
        break
      }
      case 'recalculateCart':
        break
    }
  }
  return next === credential ? credential : {...next, version: credential.version + 1}
}

function withPasswordHash({imported: _, ...credential}: Credential, passwordHash: string): Credential {
  return {...credential, passwordHash}
}

/** The credential with a new hash of the same password: nothing ends by it. */
export const rehashed = (credential: Credential, passwordHash: string): Credential => ({
  ...withPasswordHash(credential, passwordHash),
  version: credential.version + 1,
})

const withoutPasswordTokens = (credential: Credential): Credential => ({
  ...credential,
  passwordTokenEpoch: credential.passwordTokenEpoch + 1,
})
