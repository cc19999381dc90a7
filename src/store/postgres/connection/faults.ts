import pg from 'pg'
import {ApiError, StateError} from '../../../domain/errors.js'

/** Classifies the errors of the driver and the server by how they are handled. */

/** Tells the errors that the server reported with one of these SQLSTATEs. */
export const inState =
  (states: RegExp) =>
  (error: unknown): boolean =>
    error instanceof pg.DatabaseError && states.test(error.code ?? '')

/** The server reports a failure between it and a node of its own: its connection to us is sound. */
export const isOfNodes = inState(/^(XX000|08)/)

const codeOf = (error: unknown): string | undefined => (error as {code?: string} | null)?.code

const lostMessage = /^(Connection terminated|Client (has encountered|was closed)|Query read timeout)/
const lostCode = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|ENOENT|EADDR|ERR_STREAM)/
/** The server ends or ended the connection, or it was idle or in a transaction for too long. */
const isEnded = inState(/^(57P|25P03|25P04)/)
/** Citus reports as an internal error that the server under its process was killed. */
const orphaned = /^postmaster was shut down/

/** The connection is gone; whether the last statement took effect is unknown. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (!(error instanceof pg.DatabaseError)) return lostCode.test(codeOf(error) ?? '') || lostMessage.test(error.message)
  // The server, or a pooler before it, closes the connection behind a fatal error.
  return isEnded(error) || error.severity === 'FATAL' || orphaned.test(error.message)
}

/** Whether the database has no further connection or memory at the moment. */
export const isNoRoom = inState(/^53/)

/** Whether the server is read-only, such as a former primary: nothing was stored, and a new connection may accept it. */
export const isReadOnly = inState(/^25006/)

/** No connection was available, so that no statement was sent. The cause says why. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'
}

/** The server asks to run the whole transaction again: serialization failure or deadlock. */
export const isRepeatable = inState(/^(40001|40P01)/)

export const isLockTimeout = inState(/^55P03/)

/** Whether a lock timeout was of a wait for a transaction that is writing a row; only PostgreSQL reports it. */
export const isOverRow = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.where?.includes('tuple') ?? false)

export const isDuplicate = inState(/^23505/)

/**
 * States in which the server runs but cannot serve: classes 53 and 58, authentication, privileges, a dropped database,
 * read-only, timeouts and exhausted retries.
 */
const isUnable = inState(/^(08|53|58|28|3D000|25006|42501|55P03|57014|40001|40P01|23505)/)

/** Citus reports a node that does not answer as an internal error. */
const nodeAway = /^(failure on connection|connection to the remote node|could not )/

/** The database cannot serve now. */
const isAway = (error: unknown): boolean =>
  isLost(error) || isUnable(error) || (inState(/^XX000/)(error) && nodeAway.test((error as Error).message))

/** The connection was lost while a transaction was being committed. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown'
}

/** The error of a request: 503 for a database that cannot serve it now, the error itself for a bug. */
export function requestError(error: unknown): unknown {
  if (error instanceof CommitUnknown) {
    const message = 'The database did not say whether it stored the change. Look before you repeat it.'
    return ApiError.of('OverCapacity', {message, retryAfterSeconds: 1}, {cause: error})
  }
  if (!(error instanceof NoConnection || isAway(error))) return error
  const message = isReadOnly(error)
    ? 'The database takes no changes at the moment.'
    : 'The database cannot serve the request at the moment.'
  return ApiError.of('OverCapacity', {message, retryAfterSeconds: 1}, {cause: error})
}

/** `requestError` for a query, which may also have exceeded its time limit. */
export function queryError(error: unknown): unknown {
  if (!inState(/^57014/)(error)) return requestError(error)
  const message = 'The query took too long. Narrow it by an indexed field, or ask for less.'
  return ApiError.of('QueryTimedOut', {message}, {cause: error})
}

const isTls = (error: Error): boolean =>
  /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(codeOf(error) ?? '') || /SSL|certificate/i.test(error.message)

const owner = 'Start a server once with the role that owns the database; then this role is enough.'

/** What a database that keeps a store from being opened does, by its errors, and the remedy. The first that fits is told. */
const problems: readonly [is: (error: Error) => boolean, problem: string, remedy: string][] = [
  [inState(/^28/), 'refuses the user or the password', 'Correct them in the URL of the store.'],
  [inState(/^3D000/), 'does not exist', 'Create the database first, with createdb.'],
  [inState(/^(42501|25006)/), 'lets this role neither make nor change the tables', owner],
  [
    isTls,
    'does not speak TLS with a trusted certificate',
    'Name that of its authority with sslrootcert=FILE in the URL.',
  ],
  [isAway, 'does not answer or does not serve', 'Start it, or correct the URL of the store.'],
]

/** Why a store could not be opened, as a StateError that names the place and the remedy. */
export function openingError(error: unknown, label: string): unknown {
  if (error instanceof NoConnection || error instanceof CommitUnknown) return openingError(error.cause, label)
  if (!(error instanceof Error) || error instanceof StateError) return error
  const [, problem, remedy = ''] = problems.find(([is]) => is(error)) ?? []
  if (problem === undefined) return error
  const message = `${label} ${problem} (${codeOf(error) ?? error.message}).`
  return new StateError('StateUnusable', message, label, remedy, {cause: error})
}
