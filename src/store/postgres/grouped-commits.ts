import {idOf, recordKey, uniqueKeysIn} from '../adapter/changes.js'
import {type Change, Missing, type Requirement, UniqueConflict, VersionConflict} from '../store.js'
import {CommitUnknown} from './connection/faults.js'
import {Semaphore} from './semaphore.js'

/** Commits share a transaction up to this number. */
const mostCommits = 100
/** Transactions at the same time. What comes meanwhile waits, and shares the next one. */
const mostTransactions = 2
/** Tries of a group, each without those who met a conflict. */
const mostTries = 3

/** What a transaction writes, and what has to be there. */
export interface Work {
  readonly project: string
  readonly changes: readonly Change[]
  readonly required: readonly Requirement[]
}

interface Waiting extends Work {
  readonly resolve: (alone?: Alone) => void
}

/** A commit was not stored with others. */
interface Alone {
  /** It may have been, and is looked for first. */
  readonly unanswered: CommitUnknown | undefined
  /** Called when it has ended: it takes the place of a group until then. */
  readonly over?: () => void
}

/** The place of a document beside those of unique keys, none of which begins so. */
const documentPlace = (one: Change | Requirement): string => recordKey(one.kind, `\0${idOf(one)}`)

/** What no two commits of one transaction have in common: unique keys, and documents whose version they expect. */
const placesOf = ({changes, required}: Work): string[] => [
  ...changes.map(documentPlace),
  ...changes.flatMap((change) => uniqueKeysIn(change).map(({key}) => recordKey(change.kind, key))),
  ...required.filter(({version}) => version !== undefined).map(documentPlace),
]

/**
 * Group commit: commits that come together, or while others are under way, share a transaction, and with it its round
 * trips and its wait for the disk. Each is all or nothing for itself: whoever meets a conflict leaves the group and is
 * committed alone, so that a conflict is the business of those whom it concerns.
 */
export class GroupedCommits {
  readonly #store: (work: Work) => Promise<void>
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #places: Semaphore

  /** `store`: one transaction, or an error and nothing stored; CommitUnknown if that is not known. */
  constructor(store: (work: Work) => Promise<void>, slowMs?: number) {
    this.#store = store
    this.#places = new Semaphore(mostTransactions, () => this.#start(), slowMs)
  }

  /** Whether a commit only makes and replaces documents, whose keys exclude each other. */
  static takes(changes: readonly Change[], complete: unknown): boolean {
    if (complete !== undefined) return false
    return changes.every((change) => 'doc' in change && !uniqueKeysIn(change).some(({shared}) => shared))
  }

  /** Resolves when the commit is stored, or with what it has to know to be stored alone. */
  commit(work: Work): Promise<Alone | undefined> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(work.project) ?? []
      this.#waiting.set(work.project, waiting)
      waiting.push({...work, resolve})
      this.#places.soon()
    })
  }

  /** One group of each project in turn, so that none waits for the whole queue of another. */
  #start(): void {
    for (let [next] = this.#waiting; next; [next] = this.#waiting) {
      const over = this.#places.take()
      if (!over) return
      const [project, waiting] = next
      this.#waiting.delete(project)
      const group = taken(waiting)
      if (waiting.length > 0) this.#waiting.set(project, waiting)
      const [only] = group.length === 1 ? group : []
      if (only) only.resolve({unanswered: undefined, over})
      else void this.#commit(project, group).finally(over)
    }
  }

  /** Never rejects. */
  async #commit(project: string, group: readonly Waiting[]): Promise<void> {
    let members = group
    let unanswered: CommitUnknown | undefined
    for (let attempt = 1; attempt <= mostTries && members.length > 1; attempt += 1) {
      try {
        const changes = members.flatMap((member) => member.changes)
        await this.#store({project, changes, required: members.flatMap(({required}) => required)})
        for (const {resolve} of members) resolve()
        return
      } catch (error) {
        unanswered = error instanceof CommitUnknown ? error : undefined
        const refused = members.filter((member) => concerns(error, member))
        if (refused.length === 0) break
        for (const {resolve} of refused) resolve({unanswered})
        members = members.filter((member) => !refused.includes(member))
      }
    }
    for (const {resolve} of members) resolve({unanswered})
  }
}

/** Removes the next group from those who wait: in their order, without who wants what an earlier one wants. */
function taken(waiting: Waiting[]): Waiting[] {
  // A commit alone need not be compared: an import makes large ones.
  if (waiting.length === 1) return waiting.splice(0)
  const places = new Set<string>()
  const group: Waiting[] = []
  for (const member of waiting) {
    const own = placesOf(member)
    if (group.length === mostCommits || own.some((place) => places.has(place))) break
    for (const place of own) places.add(place)
    group.push(member)
  }
  waiting.splice(0, group.length)
  return group
}

/** Whether a conflict is about what a commit writes or requires. */
function concerns(error: unknown, {changes, required}: Work): boolean {
  if (error instanceof VersionConflict) {
    return [...changes, ...required].some((one) => one.kind === error.kind && idOf(one) === error.id)
  }
  if (error instanceof Missing) return required.some(({kind, require}) => kind === error.kind && require === error.id)
  if (!(error instanceof UniqueConflict)) return false
  return changes.flatMap(uniqueKeysIn).some(({key}) => key === error.key)
}
