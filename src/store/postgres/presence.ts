import {presenceOf} from '../adapter/requirements.js'
import {Missing, type Requirement, UniqueConflict} from '../store.js'
import {lockTimeout, patientMs, type Run} from './connection/connections.js'
import {isLockTimeout} from './connection/faults.js'
import {RetryCommit} from './retry-commit.js'
import {lockPresence} from './schema/statements.js'
import {storable} from './schema/text-form.js'

/** How long the first attempt waits for a commit that may be removing what is required; the next ones wait longer. */
const firstMs = 10
/** Up to this attempt a wait may have been for something else, such as a slow disk. */
const surelyRemoved = 3

/**
 * Keeps what a commit requires from being removed until its transaction ends. Throws Missing, and UniqueConflict
 * `pending` while another commit is removing it.
 */
export async function lockRequired(
  run: Run,
  project: string,
  required: readonly Requirement[],
  attempt: number,
): Promise<void> {
  if (required.length === 0) return
  await Promise.all([
    run(lockTimeout(firstMs * 4 ** (attempt - 1))),
    ...required.map(async ({kind, require: id}) => {
      const {rows} = await run(lockPresence, [project, kind, id].map(storable)).catch((error: unknown) => {
        if (!isLockTimeout(error)) throw error
        throw attempt < surelyRemoved ? new RetryCommit() : new UniqueConflict(presenceOf(kind, id), 'pending')
      })
      if (rows.length === 0) throw new Missing(kind, id)
    }),
    run(lockTimeout(patientMs)),
  ])
}
