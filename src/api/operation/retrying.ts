import {ApiError} from '../../domain/errors.js'
import {VersionConflict} from '../../store/store.js'

/** One competing writer succeeds in every round, so that this many writers all succeed. */
const maxTries = 200

/**
 * Repeats work after a version conflict, bare or translated. `kinds` limits it to conflicts on documents whose version
 * the caller did not pass: a conflict on the version that the caller expects is the caller's to resolve.
 */
export const retrying = <T>(work: () => Promise<T>, kinds?: readonly string[], tries = maxTries): Promise<T> =>
  work().catch((error: unknown) => {
    const cause = error instanceof ApiError ? error.cause : error
    const wasFaster = cause instanceof VersionConflict && (kinds === undefined || kinds.includes(cause.kind))
    if (!wasFaster || tries === 1) throw error
    return retrying(work, kinds, tries - 1)
  })
