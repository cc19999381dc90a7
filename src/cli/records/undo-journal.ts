import {createHash} from 'node:crypto'
import {existsSync, readdirSync, renameSync, statSync} from 'node:fs'
import {join} from 'node:path'
import type {Target} from '../../client/target.js'
import type {Customer} from '../../domain/customers/customer.js'
import {createPrivate, privateFolder, readPrivate, removeQuietly, temporaryName} from '../../files/private-file.js'
import {type Change, changeOf} from './change.js'

/**
 * The last change that this tool made to each customer, with the values that it replaced: private files, since the audit
 * log holds no personal values. A deletion removes the customer's; all go after a while.
 */

const keptFiles = 500

export class UndoJournal {
  readonly #folder: string
  readonly #target: Target

  constructor(folder: string, target: Target) {
    this.#folder = folder
    this.#target = target
  }

  /** The change of a customer that can be taken back. */
  read(id: string): Change | undefined {
    const text = readPrivate(this.#path(id))
    return text === undefined ? undefined : (JSON.parse(text) as Change)
  }

  write(change: Change): void {
    privateFolder(this.#folder)
    const path = this.#path(change.id)
    const temporary = temporaryName(path)
    try {
      // Not synced: what a power cut takes is the way back, not the change.
      createPrivate(temporary, JSON.stringify(change), {durable: false})
      renameSync(temporary, path)
    } finally {
      removeQuietly(temporary)
    }
    UndoJournal.prune(this.#folder)
  }

  /** Removes what is kept of a customer, who is gone. */
  forget(id: string): void {
    removeQuietly(this.#path(id))
  }

  /** The name tells neither the customer nor the project. */
  #path(id: string): string {
    const {projectKey} = this.#target
    const place = this.#target.kind === 'remote' ? this.#target.apiUrl : this.#target.dataDir
    const name = createHash('sha256')
      .update(JSON.stringify([place, projectKey, id]))
      .digest('hex')
    return join(this.#folder, `${name}.json`)
  }

  /** Removes the oldest of too many, and those from before a moment. */
  static prune(folder: string, before = 0): void {
    if (!existsSync(folder)) return
    const files = readdirSync(folder).map((name) => {
      const path = join(folder, name)
      return {path, at: statSync(path, {throwIfNoEntry: false})?.mtimeMs ?? 0}
    })
    const newest = files.sort((a, b) => b.at - a.at)
    for (const [index, {path, at}] of newest.entries()) {
      if (index >= keptFiles || at < before) removeQuietly(path)
    }
  }
}

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
    say(
      `The replaced values could not be stored for an undo: ${error instanceof Error ? error.message : String(error)}`,
    )
    return false
  }
}
