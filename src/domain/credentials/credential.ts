import type {Effect} from '../action.js'

/**
 * A customer's credential, a document of its own: the password hash, and the epochs that tokens carry. Raising an epoch
 * revokes every token that carries an older one (decision 21).
 */
export interface Credential {
  /** The customer's id. */
  readonly id: string
  readonly version: number
  readonly passwordHash?: string
  /** The hash was imported from a shop that hashed passwords without normalising them (decision 19). */
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

/** The credential with a hash, made here unless it is said to be imported. */
export const withHash = (
  {imported: _, ...credential}: Credential,
  passwordHash: string,
  imported = false,
): Credential => ({...credential, passwordHash, ...(imported ? {imported} : {})})

const after: Readonly<Record<Effect['effect'], (next: Credential, hash: string | undefined) => Credential>> = {
  dropOneTimeTokens: (next) => ({
    ...next,
    emailTokenEpoch: next.emailTokenEpoch + 1,
    passwordTokenEpoch: next.passwordTokenEpoch + 1,
  }),
  endSessions: (next) => ({...next, sessionEpoch: next.sessionEpoch + 1}),
  setPassword: (next, hash) => (hash === undefined ? next : withHash(next, hash)),
  dropPassword: ({passwordHash: _, imported: __, ...rest}) => rest,
  recalculateCart: (next) => next,
}

/** The credential after effects; the same object if none applies. `passwordHash` is the hash for `setPassword`. */
export function afterEffects(credential: Credential, effects: readonly Effect[], passwordHash?: string): Credential {
  const next = effects.reduce((former, {effect}) => after[effect](former, passwordHash), credential)
  return next === credential ? credential : {...next, version: credential.version + 1}
}

/** The credential with a new hash of the same password; its epochs stay, so that sessions and tokens do too. */
export const rehashed = (credential: Credential, passwordHash: string): Credential => ({
  ...withHash(credential, passwordHash),
  version: credential.version + 1,
})
