import {createHash} from 'node:crypto'
import {existsSync, readdirSync, renameSync, statSync} from 'node:fs'
import {join} from 'node:path'
import type {Target} from '../../client/target.js'
import {desiredOf, irrevocable, type Members, plain, revocable} from '../../domain/customers/before-image.js'
import {addressRelated, type Customer} from '../../domain/customers/customer.js'
import type {DesiredCustomer} from '../../domain/customers/desired-customer.js'
import {equal} from '../../domain/equal.js'
import {createPrivate, privateFolder, readPrivate, removeQuietly, temporaryName} from '../../files/private-file.js'
import {placeOf} from '../target/subject.js'

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

  /**
   * Keeps what an update replaced. Returns whether it can be taken back. The update has happened: a failure here is a
   * note, and no error.
   */
  remember(before: Customer, after: Customer, now: number, say: (text: string) => void): boolean {
    const change = after.version === before.version ? undefined : changeOf(before, after, now)
    if (!change) return false
    try {
      this.#write(change)
      return namesOf(change).length > 0
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      say(`The replaced values could not be stored for an undo: ${why}`)
      return false
    }
  }

  #write(change: Change): void {
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
    const name = createHash('sha256').update(JSON.stringify([placeOf(this.#target), id]))
    return join(this.#folder, `${name.digest('hex')}.json`)
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

/** The members of a customer that an update changed, as they were and as they became. */
export interface Change {
  readonly id: string
  /** ISO 8601. */
  readonly time: string
  /** The version that the update led to. */
  readonly version: number
  readonly before: Members
  readonly after: Members
  /** Members that changed and that nothing brings back. */
  readonly lost: readonly string[]
}

/** What an update changed of a customer; undefined if nothing that a person could want back. */
function changeOf(from: Customer, to: Customer, now: number): Change | undefined {
  const [old, next] = [plain(from) as unknown as Members, plain(to) as unknown as Members]
  const differs = (name: string): boolean => !equal(old[name], next[name])
  const ownAddresses = addressRelated.some(differs) ? addressRelated : []
  const names = [...new Set([...revocable.filter(differs), ...ownAddresses])]
  const lost = irrevocable.filter(differs)
  if (names.length + lost.length === 0) return undefined
  const picked = (members: Members): Members =>
    Object.fromEntries(names.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])))
  const {id, version} = to
  return {id, version, time: new Date(now).toISOString(), before: picked(old), after: picked(next), lost}
}

const namesOf = ({before, after}: Change): readonly string[] => [
  ...new Set([...Object.keys(before), ...Object.keys(after)]),
]

/** Members of the change that somebody has changed since. */
export const changedSince = (change: Change, now: Customer): readonly string[] => {
  const held = plain(now) as unknown as Members
  return namesOf(change).filter((name) => !equal(held[name], change.after[name]))
}

/** The customer as it was before the change, as far as the change went. */
export const desiredBefore = (change: Change): DesiredCustomer =>
  desiredOf(Object.fromEntries(namesOf(change).map((name) => [name, change.before[name] ?? null])))
