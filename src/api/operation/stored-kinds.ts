import type {OneTimeToken} from '../../domain/credentials/one-time-token.js'
import {isoDay} from '../../domain/iso-time.js'
import type {Document} from '../../store/store.js'
import type {ApiClient} from '../documents/api-client.js'
import {accessTokens, type RefreshToken, refreshTokens, type Token} from '../documents/token.js'
import {collections} from './collection-table.js'
import {parseIsoTime, type Retention} from './retention.js'
import {type FailedSignIns, failedSignIns} from './sign-in-lockout.js'

export interface StoredKind {
  readonly kind: string
  /** Whether its documents belong to a project, or to the realm of all. */
  readonly within: 'project' | 'realm'
  /** What a document is, for the table of the documentation. */
  readonly holds: string
  /** Absent: a document stays until somebody deletes it, or what it belongs to. */
  readonly retention?: Retention
}

export const anonymousSessions = 'anonymous-session'

export const fieldNames = 'field-names'

export const marks = 'mark'

export const sweeps = 'sweep'

/** Ended tokens are kept so long, so that they are never taken for tokens of another server, and are called expired. */
const tokenDays = 30

const keptAfterEnd = <D extends Document>(keptDays: number, since: (document: D) => number | undefined): Retention => ({
  facet: 'endDay',
  period: 'day',
  since: since as Retention['since'],
  keptDays: () => keptDays,
  term: keptDays === 0 ? 'until its end' : `${keptDays} days after its end`,
})

const tokenRetention = keptAfterEnd<Token>(tokenDays, ({expiresAt}) => expiresAt)

/** A visit ends with its refresh token. */
export const visitOf = (document: Document) => {
  const {projectKey, anonymousId} = document as RefreshToken
  return anonymousId === undefined ? [] : [{kind: anonymousSessions, expect: 1, remove: `${projectKey}/${anonymousId}`}]
}

const ofService: readonly StoredKind[] = [
  {kind: 'project', within: 'realm', holds: 'a project and its settings'},
  {
    kind: 'api-client',
    within: 'realm',
    holds: 'an API client, with a digest of its secret',
    retention: {...keptAfterEnd<ApiClient>(0, ({deleteAt}) => parseIsoTime(deleteAt)), term: 'until its `deleteAt`'},
  },
  {kind: accessTokens, within: 'realm', holds: 'a digest of an access token', retention: tokenRetention},
  {
    kind: refreshTokens,
    within: 'realm',
    holds: 'a digest of a refresh token',
    retention: {...tokenRetention, also: visitOf},
  },
  {kind: anonymousSessions, within: 'realm', holds: 'the id of an anonymous session, as long as its refresh token'},
  {
    kind: failedSignIns,
    within: 'realm',
    holds: 'times of failed sign-ins, under a digest of the email',
    retention: {
      ...keptAfterEnd<FailedSignIns>(0, ({expiresAt}) => expiresAt),
      facet: 'endHour',
      period: 'hour',
      term: 'until none of its failures counts',
    },
  },
  {kind: sweeps, within: 'realm', holds: 'when the state was last swept'},
  {kind: 'store-migration', within: 'realm', holds: 'how far a migration of the state is'},
  {kind: 'credential', within: 'project', holds: 'a hash of the password of a customer'},
  {kind: 'password-work', within: 'project', holds: "the highest cost of the project's password hashes"},
  {kind: fieldNames, within: 'project', holds: 'a counter of new fields of types'},
  {
    kind: marks,
    within: 'project',
    holds: 'how far runs with `--since last` came',
    retention: {
      ...keptAfterEnd(400, (document) => parseIsoTime((document as {lastModifiedAt?: string}).lastModifiedAt)),
      term: '400 days after the last run',
    },
  },
  {
    kind: 'one-time-token',
    within: 'project',
    holds: 'a digest of a one-time token',
    retention: keptAfterEnd<OneTimeToken>(tokenDays, ({expiresAt}) => parseIsoTime(expiresAt)),
  },
  {
    kind: 'message',
    within: 'project',
    holds: 'a message with its payload',
    retention: {
      facet: 'created',
      period: 'moment',
      member: 'createdAt',
      since: (document) => parseIsoTime((document as {createdAt?: string}).createdAt),
      keptDays: (project) => project?.messages.deleteDaysAfterCreation ?? 15,
      term: '15 days, or as many as the project sets (1 to 90)',
    },
  },
]

/** Every stored kind with its retention. A test finds kinds without a row. */
export const storedKinds: readonly StoredKind[] = [
  ...collections.map(({typeId, label, retention}) => ({
    kind: typeId,
    within: 'project' as const,
    holds: `a resource: ${label}`,
    ...(retention ? {retention} : {}),
  })),
  ...ofService,
]

/** The index of refresh tokens by the UTC day of their last use, by which those beyond their number are found. */
export const usedDay = (document: Document): string => isoDay((document as RefreshToken).lastUsedAt)
