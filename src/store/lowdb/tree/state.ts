import {jsonTextOf} from '../../../domain/json-text.js'
import {excludesRequirements, idOf, isTwice, recordKey, sharedWithin} from '../../adapter/changes.js'
import {isElsewhere, presenceOf, type SplitCommit} from '../../adapter/requirements.js'
import {Reservations, Ticket} from '../../adapter/reservations.js'
import {
  type Change,
  type Facets,
  Missing,
  type Put,
  UniqueConflict,
  type UniqueKey,
  VersionConflict,
} from '../../store.js'
import {Entry} from '../line/entry.js'
import {facetsOf, facetValues} from '../line/facets.js'
import {Collection, isExclusive} from './collection.js'

const noKeys: readonly UniqueKey[] = []

/** A commit that passed its checks and is waiting to become durable. */
export class Transaction {
  readonly entries: readonly Entry[]
  readonly #waiting: (() => void)[] = []

  constructor(entries: readonly Entry[]) {
    this.entries = entries
  }

  /** Ask before the commit has ended. */
  get settled(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  settle(): void {
    for (const resolve of this.#waiting) resolve()
  }
}

/** The part of a commit that concerns one project. */
export interface Part {
  readonly state: State
  readonly all: SplitCommit
  readonly ticket: Ticket
}

/** The parts of a commit that requires documents of other projects: its own, and one for each of these. */
export async function partsOf(own: Part, stateOf: (project: string) => Promise<State>): Promise<Part[]> {
  const {changes, required} = own.all
  const parts = [{...own, all: {changes, required: required.filter((one) => !isElsewhere(one))}}]
  for (const one of required.filter(isElsewhere)) {
    parts.push({state: await stateOf(one.project), all: {changes: [], required: [one]}, ticket: new Ticket()})
  }
  return parts
}

/** Runs `then` right after the checks of all parts, as soon as no commit in progress conflicts with one. */
export function admitted<T>(parts: readonly Part[], then: () => T): T | Promise<T> {
  for (const {state, all, ticket} of parts) {
    const busy = state.check(all, ticket)
    if (busy) return busy.then(() => admitted(parts, then))
  }
  return then()
}

/** The state of one project. Reads see durable commits; what others change is locked, with their unique keys. */
export class State {
  readonly collections = new Map<string, Collection>()
  readonly #facets: Facets
  readonly #reservations = new Reservations()
  /** Commits on their way, by the kinds and ids of what they change. */
  readonly #busy = new Map<string, Map<string, Transaction>>()

  constructor(facets: Facets) {
    this.#facets = facets
  }

  collection(kind: string): Collection {
    const present = this.collections.get(kind)
    if (present) return present
    const collection = new Collection(facetsOf(this.#facets, kind))
    this.collections.set(kind, collection)
    return collection
  }

  /** Checks versions and keys, which it reserves; returns a commit in progress that has to be waited for first. */
  check({changes, required}: SplitCommit, ticket: Ticket): Promise<void> | undefined {
    if (isTwice(changes)) throw new Error('a commit changes one document twice')
    let busy: Transaction | undefined
    for (const change of changes) {
      const id = idOf(change)
      const current = this.collection(change.kind).get(id)?.version ?? 0
      if (current !== change.expect) throw new VersionConflict(change.kind, id, change.expect, current)
      busy ??= this.#busy.get(change.kind)?.get(id)
    }
    for (const {kind, require: id, version} of required) {
      const current = this.collection(kind).get(id)?.version ?? 0
      if (version === undefined && current === 0) throw new Missing(kind, id)
      if (version !== undefined && current !== version) throw new VersionConflict(kind, id, version, current)
      busy ??= this.#busy.get(kind)?.get(id)
    }
    if (busy) return busy.settled
    this.#checkPresence({changes, required}, ticket)
    this.#checkUniqueKeys(changes, ticket)
    return undefined
  }

  /** Who requires a document and who removes it, or replaces it exclusively, exclude each other. */
  #checkPresence({changes, required}: SplitCommit, ticket: Ticket): void {
    for (const {kind, require: id} of required) this.#reserve({kind, id, mine: 'required', theirs: 'removed'}, ticket)
    for (const change of changes) {
      if (!excludesRequirements(change)) continue
      this.#reserve({kind: change.kind, id: idOf(change), mine: 'removed', theirs: 'required'}, ticket)
    }
  }

  #reserve(
    {kind, id, mine, theirs}: Readonly<Record<'kind' | 'id' | 'mine' | 'theirs', string>>,
    ticket: Ticket,
  ): void {
    // No unique key is empty, so that these record keys are those of none.
    const reserved = (use: string) => recordKey(recordKey(kind, ''), recordKey(use, id))
    const isTaken = this.#reservations.clash(reserved(theirs), false, ticket)
    if (isTaken) throw new UniqueConflict(presenceOf(kind, id), 'pending')
    this.#reservations.take(reserved(mine), true, ticket)
  }

  #checkUniqueKeys(changes: readonly Change[], ticket: Ticket): void {
    const keyed: Put[] = []
    for (const change of changes) if ('doc' in change && change.uniqueKeys !== undefined) keyed.push(change)
    if (keyed.length > 1) sharedWithin(keyed)
    for (const {kind, doc, expect, uniqueKeys = []} of keyed) {
      const collection = this.collection(kind)
      const own = expect === 0 ? undefined : collection.get(doc.id)
      for (const {key, shared = false} of uniqueKeys) {
        // A key that the document holds already needs no look-up and no reservation: its version guards it.
        if (own && (shared ? own.uniqueKeys.some((held) => held.key === key) : isExclusive(own, key))) continue
        const wantedKey = recordKey(kind, key)
        for (const holder of collection.holders(key)) {
          // A shared key excludes none but an exclusive holder.
          if (shared && !isExclusive(holder, key)) continue
          if (!isChanged(changes, kind, holder.id)) throw new UniqueConflict(key, 'held')
        }
        if (this.#reservations.clash(wantedKey, shared, ticket)) throw new UniqueConflict(key, 'pending')
        this.#reservations.take(wantedKey, shared, ticket)
      }
    }
  }

  /** Locks the documents; from here on only the disk can fail the commit. */
  begin(changes: readonly Change[]): Transaction {
    const entries: Entry[] = []
    for (const change of changes) entries.push(this.#entryOf(change))
    const transaction = new Transaction(entries)
    for (const {kind, id} of entries) {
      const ofKind = this.#busy.get(kind)
      if (ofKind) ofKind.set(id, transaction)
      else this.#busy.set(kind, new Map([[id, transaction]]))
    }
    return transaction
  }

  #entryOf(change: Change): Entry {
    const {kind, expect} = change
    if ('remove' in change) {
      return Entry.of({kind, id: change.remove, expect, version: 0, uniqueKeys: [], facets: []}, undefined)
    }
    const {doc, uniqueKeys = noKeys} = change
    const facets = facetValues(this.collection(kind).facets, doc)
    const head = {kind, id: doc.id, expect, version: doc.version, uniqueKeys, facets}
    return Entry.of(head, change.json ?? jsonTextOf(doc), doc)
  }

  /** Ends a commit: applies its operations if it became durable. */
  end(transaction: Transaction, durable: boolean): void {
    for (const entry of transaction.entries) {
      this.#busy.get(entry.kind)?.delete(entry.id)
      if (durable) this.apply(entry)
    }
    transaction.settle()
  }

  release(ticket: Ticket): void {
    this.#reservations.release(ticket)
  }

  apply(entry: Entry): void {
    this.collection(entry.kind).put(entry)
  }
}

const isChanged = (changes: readonly Change[], kind: string, id: string): boolean =>
  changes.some((one) => one.kind === kind && idOf(one) === id)
