import type {Customer} from '../../domain/customers/customer.js'
import {changeOf} from './change.js'
import type {UndoJournal} from './undo-journal.js'

interface Remembered {
  readonly journal: UndoJournal
  readonly before: Customer
  readonly after: Customer
  readonly now: number
  readonly say: (text: string) => void
}

/**
 * Keeps what an update replaced. Returns whether it can be taken back. The update has happened: a failure here is a note,
 * and no error.
 */
export function rememberChange({journal, before, after, now, say}: Remembered): boolean {
  const change = after.version === before.version ? undefined : changeOf(before, after, now)
  if (!change) return false
  try {
    journal.write(change)
    return Object.keys(change.before).length + Object.keys(change.after).length > 0
  } catch (error) {
    say(`What was replaced could not be kept for an undo: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}
