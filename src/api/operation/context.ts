import type {TokenPurpose} from '../../domain/credentials/one-time-token.js'
import type {Project} from '../../domain/project/project.js'
import type {Passwords} from '../../secrets/passwords.js'
import type {Secrets} from '../../secrets/secrets.js'
import type {Searchable} from '../../store/searchable.js'
import type {Store} from '../../store/store.js'
import {limits} from '../../work/limits.js'
import type {ApiClient} from '../documents/api-client.js'
import type {Binding} from '../documents/token.js'
import type {Budget} from './budget.js'
import type {Lockouts} from './lockouts.js'
import type {Sweeper} from './retention.js'
import type {SignInLockout} from './sign-in-lockout.js'

/** Services that live as long as the server: state, clock, randomness, password workers and settings. */
export interface Runtime {
  readonly state: Store & Searchable
  /** Milliseconds since the epoch. Injected, so that tests and `server clock` can move it. */
  readonly clock: () => number
  readonly secrets: Secrets
  readonly passwords: Passwords
  readonly settings: Settings
  /** Failed sign-ins by account (decision 28). */
  readonly signInLockout: SignInLockout
  /** Wrong client secrets, by client and address. */
  readonly wrongSecrets: Lockouts
  /** Inactive replies to one client's introspections. */
  readonly inactiveAnswers: Lockouts
  readonly sweeper: Sweeper
  /** Receives each new one-time token, as a mailbox would. Absent: there is no outbox. */
  readonly outbox?: (token: NewToken) => void
  /** Introspects a token at an external authorization server (decision 30). Absent: external tokens are refused. */
  readonly external?: ExternalIntrospection
  /** Compacts the files of the state, so that removed data is gone from the disk as well. */
  readonly compact?: () => Promise<void>
  /** Digest of the token of the local administration. Absent: there is none. */
  readonly adminDigest?: string
  /** Counts deprecated uses by the ids of the catalogue, for `server status` and `deprecations list --seen`. */
  readonly deprecatedUses: Map<string, number>
}

/** Settings of a server, for all its projects. */
export interface Settings {
  /** Work factor of bcrypt, 4 to 14. */
  readonly passwordCost: number
  /** Narrows bound tokens to `/me` (decision 26). */
  readonly strictTokens: boolean
  /** Whether a changed password ends the customer's other sessions (decision 21). */
  readonly changePasswordEndsSessions: boolean
  readonly accessTokenSeconds: number
  readonly refreshTokenIdleSeconds: number
  readonly maxRefreshTokens: number
  readonly maxCustomers: number
  readonly maxGroupsPerCustomer: number
  /** Whether repeated failures lock an email for a while (decision 28). */
  readonly lockout: boolean
  readonly maxBodyBytes: number
}

export const defaultSettings: Settings = {
  passwordCost: 10,
  strictTokens: false,
  changePasswordEndsSessions: true,
  accessTokenSeconds: 172_800,
  refreshTokenIdleSeconds: 17_280_000,
  maxRefreshTokens: 10_000_000,
  maxCustomers: 10_000_000,
  maxGroupsPerCustomer: 500,
  lockout: true,
  maxBodyBytes: limits.bodyBytes,
}

/** Introspects an external token: its scope text, or undefined if it is not active. */
export type ExternalIntrospection = (
  project: Project,
  token: string,
  correlationId: string,
) => Promise<{readonly scope: string} | undefined>

/** A new one-time token with its value; the state keeps only a digest of it. */
export interface NewToken {
  readonly projectKey: string
  readonly customerId: string
  readonly email: string
  readonly purpose: TokenPurpose
  /** ISO 8601. */
  readonly createdAt: string
  readonly expiresAt: string
  readonly value: string
}

/** The authenticated caller. `nobody`, the initial one, may call open routes only. */
export type Principal =
  | {readonly kind: 'nobody'}
  | {readonly kind: 'admin'}
  | {readonly kind: 'basic'; readonly client: ApiClient}
  | Bearer

export interface Bearer extends Binding {
  readonly kind: 'bearer'
  readonly projectKey: string
  readonly clientId: string
  /** Scopes with project and store: `manage_customers:shop`, `manage_customers:shop:store`. */
  readonly scopes: readonly string[]
  /** Digest of the refresh token that the access token comes from. */
  readonly grant?: string
  readonly external?: true
}

/** What a bearer token says of its caller; nothing of any other. */
export const bearerOf = ({principal}: Pick<Context, 'principal'>): Partial<Bearer> =>
  principal.kind === 'bearer' ? principal : {}

export type OnFault = (error: unknown, correlationId: string) => void

/** One request on its way through the pipeline. */
export interface Context {
  readonly runtime: Runtime
  readonly project: Project
  readonly principal: Principal
  /** The store of an `/in-store` path. */
  readonly storeKey?: string | undefined
  readonly correlationId: string
  /** `X-External-User-ID`, at most 128 characters. */
  readonly externalUserId?: string | undefined
  readonly budget: Budget
  /** Whether documents of the reply may be texts (`JsonText`). */
  readonly takesTexts?: boolean
  /** Reports a failure of the server that an answer shows beside its data. */
  readonly onFault?: OnFault | undefined
  /** Time of the request, the same for all its changes. */
  readonly now: number
}
