import {crc32} from 'node:zlib'
import {JsonText, jsonTextOf} from '../../../domain/json-text.js'
import {excludesRequirements, idOf, isTwice, recordKey, sharedWithin} from '../../adapter/changes.js'
import {isElsewhere, presenceOf, type SplitCommit} from '../../adapter/requirements.js'
import {Reservations, Ticket} from '../../adapter/reservations.js'
import {
  type Change,
  type Document,
  type Facets,
  Missing,
  type Put,
  UniqueConflict,
  VersionConflict,
} from '../../store.js'
import {lineOf} from '../line/line.js'
import {Collection, type FacetFunctions, type Parts} from './collection.js'
import type {DataFile} from './data-file.js'
import {Entry, type Head, isExclusive, type Lines, noHead} from './documents.js'

/** A document as a commit leaves it, with its line; the version 0 removes it. */
export interface Written {
  readonly kind: string
  readonly id: string
  readonly version: number
  readonly head: Head
  readonly line: Buffer
  readonly json?: string
  file?: Lines
  at?: number
}

export function facetValues(functions: FacetFunctions, doc: Document): (string | null)[] {
  const values: (string | null)[] = []
  for (const name in functions) values.push(functions[name]?.(doc) ?? null)
  return values
}

/** A commit that passed its checks and is waiting to become durable. */
export class Transaction {
  readonly written: readonly Written[]
  readonly #waiting: (() => void)[] = []

  constructor(written: readonly Written[]) {
    this.written = written
  }

  /** Ask before the commit has ended. */
  get settled(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  settle(): void {
    for (const resolve of this.#waiting) resolve()
  }
}

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
  /** The files that have its lines, the oldest first. */
  files: readonly DataFile[] = []
  readonly #facets: Facets
  readonly #reservations = new Reservations()
  /** Commits on their way, by the kinds and ids of what they change. */
  readonly #busy = new Map<string, Map<string, Transaction>>()

  constructor(facets: Facets) {
    this.#facets = facets
  }

  /** One that there is not yet begins with these parts. */
  collection(kind: string, parts?: Parts): Collection {
    const present = this.collections.get(kind)
    if (present) return present
    const facets = (Object.hasOwn(this.#facets, kind) && this.#facets[kind]) || {}
    const collection = new Collection(facets, this.pin, parts, this.files)
    this.collections.set(kind, collection)
    return collection
  }

  get liveBytes(): number {
    let bytes = 0
    for (const {liveBytes} of this.collections.values()) bytes += liveBytes
    return bytes
  }

  get size(): number {
    return [...this.collections.values()].reduce((sum, {size}) => sum + size, 0)
  }

  readonly pin = (): (() => void) => {
    const pinned = this.files
    for (const file of pinned) file.pin()
    return () => {
      for (const file of pinned) file.unpin()
    }
  }

  /** Checks versions and keys, which it reserves; returns a commit in progress that has to be waited for first. */
  check({changes, required}: SplitCommit, ticket: Ticket): Promise<void> | undefined {
    if (isTwice(changes)) throw new Error('a commit changes one document twice')
    let busy: Transaction | undefined
    for (const one of [...changes, ...required]) {
      const {kind} = one
      const id = idOf(one)
      const current = this.collection(kind).get(id)?.version ?? 0
      const expected = 'require' in one ? one.version : one.expect
      if (expected === undefined && current === 0) throw new Missing(kind, id)
      if (expected !== undefined && current !== expected) throw new VersionConflict(kind, id, expected, current)
      busy ??= this.#busy.get(kind)?.get(id)
    }
    if (busy) return busy.settled
    this.#checkPresence({changes, required}, ticket)
    this.#checkUniqueKeys(changes, ticket)
    return undefined
  }

  /** Who requires a document and who removes it, or replaces it exclusively, exclude each other. */
  #checkPresence({changes, required}: SplitCommit, ticket: Ticket): void {
    for (const {kind, require: id} of required) this.#reserve(kind, id, ['required', 'removed'], ticket)
    for (const change of changes.filter(excludesRequirements)) {
      this.#reserve(change.kind, idOf(change), ['removed', 'required'], ticket)
    }
  }

  #reserve(kind: string, id: string, [mine, theirs]: readonly [string, string], ticket: Ticket): void {
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
      const own = expect === 0 ? undefined : collection.get(doc.id)?.head
      for (const {key, shared = false} of uniqueKeys) {
        // A key that the document holds already needs no look-up and no reservation: its version guards it.
        if (own && (shared ? own.uniqueKeys.some((held) => held.key === key) : isExclusive(own, key))) continue
        const wantedKey = recordKey(kind, key)
        for (const holder of collection.holders(key)) {
          // A shared key excludes none but an exclusive holder.
          if (shared && !isExclusive(holder.head, key)) continue
          if (!isChanged(changes, kind, holder.id)) throw new UniqueConflict(key, 'held')
        }
        if (this.#reservations.clash(wantedKey, shared, ticket)) throw new UniqueConflict(key, 'pending')
        this.#reservations.take(wantedKey, shared, ticket)
      }
    }
  }

  /** Locks the documents; from here on only the disk can fail the commit. */
  begin(changes: readonly Change[]): Transaction {
    const written = changes.map((change) => this.#writtenBy(change))
    const transaction = new Transaction(written)
    for (const {kind, id} of written) {
      const ofKind = this.#busy.get(kind)
      if (ofKind) ofKind.set(id, transaction)
      else this.#busy.set(kind, new Map([[id, transaction]]))
    }
    return transaction
  }

  #writtenBy(change: Change): Written {
    const {kind} = change
    if ('remove' in change) {
      const id = change.remove
      return {kind, id, version: 0, head: noHead, line: lineOf({kind, id, uniqueKeys: noHead.uniqueKeys}, undefined)}
    }
    const {doc, uniqueKeys = noHead.uniqueKeys} = change
    const {id, version} = doc
    const json = change.json ?? jsonTextOf(doc)
    const head = {uniqueKeys, facets: facetValues(this.collection(kind).facets, doc)}
    return {kind, id, version, head, line: lineOf({kind, id, uniqueKeys}, json), json}
  }

  end(transaction: Transaction, isDurable: boolean): void {
    for (const {kind, id, version, head, line, json, file, at = 0} of transaction.written) {
      this.#busy.get(kind)?.delete(id)
      if (!isDurable || !file) continue
      const place = {file, at, size: line.length, crc: crc32(line)}
      this.collection(kind).put(new Entry(id, version, head, place))
      // Not the document itself, which may differ from what its JSON says.
      if (json !== undefined) file.documents.add(place, JsonText.of(json))
    }
    transaction.settle()
  }

  release(ticket: Ticket): void {
    this.#reservations.release(ticket)
  }
}

const isChanged = (changes: readonly Change[], kind: string, id: string): boolean =>
  changes.some((one) => one.kind === kind && idOf(one) === id)
