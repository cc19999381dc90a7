import {JsonText, jsonTextOf} from '../../../domain/json-text.js'
import {idOf, isTwice, recordKey, sharedWithin} from '../../adapter/changes.js'
import {isFrozenJson} from '../../adapter/frozen.js'
import {type Parted, presenceOf} from '../../adapter/requirements.js'
import {Reservations, type Ticket} from '../../adapter/reservations.js'
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
import {IndexDamaged} from '../table/pages.js'
import {Collection} from './collection.js'

const isExclusive = (entry: Entry, key: string): boolean =>
  entry.uniqueKeys.some((uniqueKey) => uniqueKey.key === key && !uniqueKey.shared)

/** Whether the holder's unique key excludes another one of this mode. */
const excludes = (holder: Entry, key: string, shared: boolean): boolean => !shared || isExclusive(holder, key)

interface Presence {
  readonly kind: string
  readonly id: string
  readonly mine: string
  readonly theirs: string
}

const noPresence: readonly Presence[] = []
const noKeys: readonly UniqueKey[] = []

/** Documents that stay parsed after a change. */
const mostParsed = 2_048

/** A commit that passed its checks and is waiting to become durable. */
export class Transaction {
  readonly entries: readonly Entry[]
  #settled: Promise<void> | undefined
  #resolve: (() => void) | undefined

  constructor(entries: readonly Entry[]) {
    this.entries = entries
  }

  /** Made for whoever waits, as hardly anybody does. Ask before the commit has ended. */
  get settled(): Promise<void> {
    this.#settled ??= new Promise((resolve) => {
      this.#resolve = resolve
    })
    return this.#settled
  }

  settle(): void {
    this.#resolve?.()
  }
}

/**
 * The state of one project. Reads see durable commits only: a commit changes the collections once its line is durable;
 * until then its documents are locked and its new unique keys reserved.
 */
export class State {
  readonly collections = new Map<string, Collection>()
  /** Commits not yet passed to the adapter. */
  readonly unwritten: Transaction[] = []
  readonly #facets: Facets
  readonly #reservations = new Reservations()
  /** Commits on their way, by the collection and the id of what they change. */
  readonly #busy = new Map<Collection, Map<string, Transaction>>()
  /** The last entries with a document at hand, in a ring. */
  readonly #parsed: Entry[] = []
  #nextParsed = 0

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

  /** Reads, at once if nothing has to wait. A damaged index is rebuilt, and the read repeated. Never throws at once. */
  reading<T>(read: () => T | Promise<T>): T | Promise<T> {
    try {
      const found = read()
      return found instanceof Promise ? found.catch((error) => this.#readAgain(error, read)) : found
    } catch (error) {
      return this.#readAgain(error, read)
    }
  }

  async #readAgain<T>(error: unknown, read: () => T | Promise<T>): Promise<T> {
    await this.mend(error)
    return this.reading(read)
  }

  /** Rebuilds the index of an IndexDamaged error; rethrows any other error. */
  async mend(error: unknown): Promise<void> {
    if (!(error instanceof IndexDamaged)) throw error
    for (const {segments} of this.collections.values()) {
      for (const segment of segments) if (segment.indexPath === error.path) await segment.rebuildIndex()
    }
  }

  /**
   * Checks versions and unique keys and reserves the unique keys for `ticket`. If a commit in progress is about to
   * change one of the documents, returns that commit, to wait for before checking again.
   */
  check({changes, required}: Parted, ticket: Ticket): Promise<void> | undefined {
    if (isTwice(changes)) throw new Error('a commit changes one document twice')
    let busy: Transaction | undefined
    for (const change of changes) {
      const id = idOf(change)
      const collection = this.collection(change.kind)
      const current = collection.get(id)?.version ?? 0
      if (current !== change.expect) throw new VersionConflict(change.kind, id, change.expect, current)
      busy ??= this.#busy.get(collection)?.get(id)
    }
    for (const {kind, require: id} of required) {
      const collection = this.collection(kind)
      if (!collection.get(id)?.version) throw new Missing(kind, id)
      busy ??= this.#busy.get(collection)?.get(id)
    }
    if (busy) return busy.settled
    this.#checkPresence({changes, required}, ticket)
    this.#checkUniqueKeys(changes, ticket)
    return undefined
  }

  /**
   * Those who require a document and those who remove it exclude each other. Several may require it, and of several that
   * remove it the version lets one succeed.
   */
  #checkPresence(all: Parted, ticket: Ticket): void {
    for (const {kind, id, mine, theirs} of presenceIn(all)) {
      // No unique key is empty, so that these record keys are those of none.
      const reserved = (use: string) => recordKey(recordKey(kind, ''), recordKey(use, id))
      const isTaken = this.#reservations.clash(reserved(theirs), false, ticket)
      if (isTaken) throw new UniqueConflict(presenceOf(kind, id), 'pending')
      this.#reservations.take(reserved(mine), true, ticket)
    }
  }

  #checkUniqueKeys(changes: readonly Change[], ticket: Ticket): void {
    const keyed = changes.filter((change) => 'doc' in change && change.uniqueKeys !== undefined) as Put[]
    if (keyed.length > 1) sharedWithin(keyed)
    const isChanged = (kind: string, id: string) => changes.some((one) => one.kind === kind && idOf(one) === id)
    for (const {kind, doc, uniqueKeys = []} of keyed) {
      const collection = this.collection(kind)
      const own = collection.get(doc.id)?.uniqueKeys
      for (const {key, shared = false} of uniqueKeys) {
        // A key that the document holds already needs no look-up and no reservation: its version guards it.
        if (own?.some((held) => held.key === key && (held.shared ?? false) === shared)) continue
        const wantedKey = recordKey(kind, key)
        const holders = collection.holders(key)
        const held = holders.some((entry) => excludes(entry, key, shared) && !isChanged(kind, entry.id))
        if (held) throw new UniqueConflict(key, 'held')
        // A key that the document already holds needs no reservation: its version guards it.
        const kept = holders.some((entry) => entry.id === doc.id && (shared || isExclusive(entry, key)))
        if (kept) continue
        if (this.#reservations.clash(wantedKey, shared, ticket)) throw new UniqueConflict(key, 'pending')
        this.#reservations.take(wantedKey, shared, ticket)
      }
    }
  }

  /** Locks the documents; from here on only the disk can fail the commit. */
  begin(changes: readonly Change[]): Transaction {
    const entries = changes.map((change): Entry => {
      const {kind, expect} = change
      if ('remove' in change) {
        return Entry.of({kind, id: change.remove, expect, version: 0, uniqueKeys: [], facets: []}, undefined)
      }
      const {doc, uniqueKeys = noKeys} = change
      const facets = facetValues(this.collection(kind).facets, doc)
      // Where the next reader shall find the document parsed: whoever changes one will soon read it again.
      const parsed = expect > 0 && isFrozenJson(doc) ? doc : undefined
      const head = {kind, id: doc.id, expect, version: doc.version, uniqueKeys, facets}
      const entry = Entry.of(head, JsonText.of(change.json ?? jsonTextOf(doc)), parsed)
      if (parsed) this.#keepParsed(entry)
      return entry
    })
    const transaction = new Transaction(entries)
    for (const {kind, id} of entries) this.#busyIn(this.collection(kind)).set(id, transaction)
    return transaction
  }

  #busyIn(collection: Collection): Map<string, Transaction> {
    const present = this.#busy.get(collection)
    if (present) return present
    const busy = new Map<string, Transaction>()
    this.#busy.set(collection, busy)
    return busy
  }

  /** Ends a commit: applies its operations if it became durable. */
  end(transaction: Transaction, durable: boolean): void {
    const at = this.unwritten.indexOf(transaction)
    if (at >= 0) this.unwritten.splice(at, 1)
    for (const entry of transaction.entries) {
      this.#busy.get(this.collection(entry.kind))?.delete(entry.id)
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

  #keepParsed(entry: Entry): void {
    this.#parsed[this.#nextParsed]?.forgetDocument()
    this.#parsed[this.#nextParsed] = entry
    this.#nextParsed = (this.#nextParsed + 1) % mostParsed
  }
}

/** What a commit requires to be there, and what it removes. */
function presenceIn({changes, required}: Parted): readonly Presence[] {
  const removed = changes.some((change) => 'remove' in change)
  if (required.length === 0 && !removed) return noPresence
  return [
    ...required.map(({kind, require: id}) => ({kind, id, mine: 'required', theirs: 'removed'})),
    ...changes.flatMap((change) =>
      'remove' in change ? [{kind: change.kind, id: change.remove, mine: 'removed', theirs: 'required'}] : [],
    ),
  ]
}
