import {type Change, type Requirement, UniqueConflict} from '../store.js'
import {CommitUnknown} from './connection/faults.js'
import {idOf, recordKey} from './unique-key-changes.js'

/** Births share a transaction up to this number. */
const mostBirths = 100
/** Transactions of births at the same time. What comes meanwhile waits, and shares the next one. */
const mostTransactions = 2
/** Tries of a group, each without those who met a key that is held. */
const mostTries = 3

interface Waiting {
  readonly changes: readonly Change[]
  readonly resolve: (alone?: Alone) => void
}

/** A birth was not stored with others. `unanswered`: it may have been, and is looked for first. */
interface Alone {
  readonly unanswered: CommitUnknown | undefined
}

/** What tells two births of one transaction from each other: their unique keys and their documents. */
const placesOf = (changes: readonly Change[]): string[] =>
  changes.flatMap((change) => [
    recordKey(change.kind, `\0${idOf(change)}`),
    ...('doc' in change ? (change.uniqueKeys ?? []).map(({key}) => recordKey(change.kind, key)) : []),
  ])

/**
 * Group commit of new documents: those that are committed together share a transaction, and with it its round trips and
 * its wait for the disk. Each is all or nothing for itself: if the transaction fails, each is committed by itself, so
 * that a conflict is the business of those whom it concerns.
 */
export class GroupedBirths {
  readonly #store: (project: string, changes: readonly Change[]) => Promise<void>
  readonly #waiting = new Map<string, Waiting[]>()
  #running = 0
  #isDue = false

  /** `store`: one transaction, or an error and nothing stored; CommitUnknown if that is not known. */
  constructor(store: (project: string, changes: readonly Change[]) => Promise<void>) {
    this.#store = store
  }

  /** Whether a commit only makes documents, whose keys exclude each other, and needs nothing else. */
  static takes(changes: readonly Change[], required: readonly Requirement[], complete: unknown): boolean {
    if (complete !== undefined || required.length > 0) return false
    return changes.every(
      (change) => 'doc' in change && change.expect === 0 && !change.uniqueKeys?.some((key) => key.shared),
    )
  }

  /** Resolves when the birth is stored, or with what its own commit has to know. */
  commit(project: string, changes: readonly Change[]): Promise<Alone | undefined> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(project) ?? []
      this.#waiting.set(project, waiting)
      waiting.push({changes, resolve})
      if (this.#isDue) return
      this.#isDue = true
      setImmediate(() => {
        this.#isDue = false
        this.#start()
      })
    })
  }

  #start(): void {
    for (const [project, waiting] of this.#waiting) {
      while (waiting.length > 0 && this.#running < mostTransactions) {
        const [first, ...others] = taken(waiting)
        if (!first) break
        // Whoever is alone has nobody to share with, and takes no place of those who have.
        if (others.length === 0) {
          first.resolve({unanswered: undefined})
          continue
        }
        this.#running += 1
        void this.#commit(project, [first, ...others]).finally(() => {
          this.#running -= 1
          this.#start()
        })
      }
      if (waiting.length === 0) this.#waiting.delete(project)
    }
  }

  /** Never rejects. */
  async #commit(project: string, group: readonly Waiting[]): Promise<void> {
    let members = group
    let unanswered: CommitUnknown | undefined
    for (let attempt = 1; attempt <= mostTries && members.length > 1; attempt += 1) {
      try {
        await this.#store(
          project,
          members.flatMap(({changes}) => changes),
        )
        for (const {resolve} of members) resolve()
        return
      } catch (error) {
        unanswered = error instanceof CommitUnknown ? error : undefined
        if (!(error instanceof UniqueConflict)) break
        const refused = members.filter(({changes}) => hasKey(changes, error.key))
        for (const {resolve} of refused) resolve({unanswered})
        members = members.filter((member) => !refused.includes(member))
      }
    }
    for (const {resolve} of members) resolve({unanswered})
  }
}

/** Removes the next group from those who wait: in their order, without who wants what an earlier one wants. */
function taken(waiting: Waiting[]): Waiting[] {
  const places = new Set<string>()
  const group: Waiting[] = []
  for (const member of waiting) {
    const own = placesOf(member.changes)
    if (group.length === mostBirths || own.some((place) => places.has(place))) break
    for (const place of own) places.add(place)
    group.push(member)
  }
  waiting.splice(0, group.length)
  return group
}

const hasKey = (changes: readonly Change[], wanted: string): boolean =>
  changes.some((change) => 'doc' in change && change.uniqueKeys?.some(({key}) => key === wanted) === true)
