import pg from 'pg'
import {ApiError, StateError} from '../../../domain/errors.js'

/** Classifies the errors of the driver and the server by how they are handled. */

/** The SQLSTATE of an error that the server reported. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined

/** The server reports a failure between it and a node of its own: its connection to us is sound. */
export const isOfNodes = (error: unknown): boolean => /^(XX000|08)/.test(sqlState(error) ?? '')

const codeOf = (error: unknown): string | undefined => (error as {code?: string} | null)?.code

const lostMessage = /^(Connection terminated|Client (has encountered|was closed)|Query read timeout)/
const lostCode = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|ENOENT|EADDR|ERR_STREAM)/
/** The server ends or ended the connection, or it was idle or in a transaction for too long. */
const lostState = /^(57P|25P03|25P04)/
/** Citus reports as an internal error that the server under its process was killed. */
const orphaned = /^postmaster was shut down/

/** The server, or a pooler before it, closes the connection behind this error. */
const isFatal = (error: Error): boolean => error instanceof pg.DatabaseError && error.severity === 'FATAL'

/** The connection is gone; whether the last statement took effect is unknown. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const state = sqlState(error)
  if (state !== undefined) return lostState.test(state) || isFatal(error) || orphaned.test(error.message)
  return lostCode.test(codeOf(error) ?? '') || lostMessage.test(error.message)
}

/** Whether the database has no further connection or memory at the moment. */
export const isNoRoom = (error: unknown): boolean => sqlState(error)?.startsWith('53') ?? false

/** Whether the server is read-only, such as a former primary: nothing was stored, and a new connection may accept it. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006'

/** No connection was available, so that no statement was sent. The cause says why. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'
}

/** The server asks to run the whole transaction again: serialization failure or deadlock. */
export const isRepeatable = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '')

export const isLockTimeout = (error: unknown): boolean => sqlState(error) === '55P03'

/** Whether a lock timeout was of a wait for a transaction that is writing a row; only PostgreSQL reports it. */
export const isOverRow = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.where?.includes('tuple') ?? false)

export const isDuplicate = (error: unknown): boolean => sqlState(error) === '23505'

/**
 * States in which the server runs but cannot serve: classes 53 and 58, authentication, privileges, a dropped database,
 * read-only, timeouts and exhausted retries.
 */
const unable = /^(08|53|58|28|3D000|25006|42501|55P03|57014|40001|40P01|23505)/

/** Citus reports a node that does not answer as an internal error. */
const isNodeAway = (error: unknown): boolean =>
  sqlState(error) === 'XX000' &&
  /^(failure on connection|connection to the remote node|could not )/.test((error as Error).message)

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
  const state = sqlState(error) ?? ''
  const isTheirs = error instanceof NoConnection || isLost(error) || unable.test(state) || isNodeAway(error)
  if (!isTheirs) return error
  const message = isReadOnly(error)
    ? 'The database takes no changes at the moment.'
    : 'The database cannot serve the request at the moment.'
  return ApiError.of('OverCapacity', {message, retryAfterSeconds: 1}, {cause: error})
}

/** `requestError` for a query, which may also have exceeded its time limit. */
export function queryError(error: unknown): unknown {
  if (sqlState(error) !== '57014') return requestError(error)
  const message = 'The query took too long. Narrow it by an indexed field, or ask for less.'
  return ApiError.of('QueryTimedOut', {message}, {cause: error})
}

const isTls = (error: Error): boolean =>
  /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(codeOf(error) ?? '') || /SSL|certificate/i.test(error.message)

/** Why a store could not be opened, as a StateError that names the place and the remedy. */
export function openingError(error: unknown, label: string): unknown {
  if (error instanceof NoConnection || error instanceof CommitUnknown) return openingError(error.cause, label)
  if (!(error instanceof Error) || error instanceof StateError) return error
  const unusable = (message: string, remedy: string) =>
    new StateError('StateUnusable', message, label, remedy, {cause: error})
  const state = sqlState(error) ?? ''
  if (state.startsWith('28')) {
    return unusable(`${label} refuses the user or the password.`, 'Correct them in the URL of the store.')
  }
  if (state === '3D000') return unusable(`${label} does not exist.`, 'Create the database first, with createdb.')
  if (state === '42501' || state === '25006') {
    const message = `The user of ${label} may not make or change the tables.`
    return unusable(message, 'Start a server once with the role that owns the database; then this role is enough.')
  }
  if (isTls(error)) {
    const message = `${label} does not speak TLS with a certificate that is trusted here (${codeOf(error) ?? error.message}).`
    return unusable(message, 'Name the certificate of its authority with sslrootcert=FILE in the URL.')
  }
  if (isLost(error) || unable.test(state)) {
    const reason = codeOf(error) ?? error.message
    return unusable(
      `${label} does not answer or does not serve (${reason}).`,
      'Start it, or correct the URL of the store.',
    )
  }
  return error
}
