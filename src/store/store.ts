import type {Caller} from '../domain/errors.js'
import type {JsonText} from '../domain/json-text.js'
import type {Predicate, SortKey} from '../query/ast.js'

/**
 * The port between the API and its state. An adapter knows no business word but `kind`; uniqueness arrives as opaque
 * unique keys that the domain computed.
 */

/** Everything stored has an id and a version. Documents are handed out frozen. */
export interface Document {
  readonly id: string
  readonly version: number
}

/**
 * A uniqueness string. An exclusive unique key (the default) has one holder and clashes with every other holder,
 * exclusive or shared; shared unique keys of the same key tolerate each other.
 */
export interface UniqueKey {
  readonly key: string
  readonly shared?: true
}

/**
 * Writes `doc` if the stored version is `expect`; 0 means that the document must not exist. Unique keys replace the old
 * ones.
 *
 *     {kind: 'customer', expect: 1, doc: {...ada, version: 2}, uniqueKeys: [{key: 'email:*:ada@example.com'}]}
 */
export interface Put {
  readonly kind: string
  readonly expect: number
  readonly doc: Document
  readonly uniqueKeys?: readonly UniqueKey[]
  /** As a removal, it and commits that require the document exclude each other. */
  readonly exclusive?: true
  /** The JSON of `doc`, exactly as `JSON.stringify` makes it, where whoever commits has made it. */
  readonly json?: string
}

/** Removes the document if the stored version is `expect`, and frees its unique keys. */
export interface Removal {
  readonly kind: string
  readonly expect: number
  readonly remove: string
}

export type Change = Put | Removal

/**
 * Writes nothing: the commit takes effect only while the document exists, so that nothing refers to what was removed.
 * A commit that removes the document, or replaces it as `exclusive`, may look in its `complete` for what refers to it, since
 * none comes in between. With `version` it must be at that version, so that nothing rests on what has changed since it was
 * read; while another commit removes it, the commit waits or ends with UniqueConflict `pending`.
 */
export interface Requirement {
  readonly kind: string
  readonly require: string
  readonly version?: number
  /** The project that has the document, where it is another one than that of the commit. */
  readonly project?: string
}

/** Which documents a query returns. */
export interface Page {
  readonly where?: Predicate
  /** Without a key, ascending id. Absent values sort last in `asc`, first in `desc`; id breaks ties (decision 16). */
  readonly sort?: readonly SortKey[]
  readonly limit: number
  readonly offset: number
  /** Count all matches, up to `cap`. Absent: do not count. */
  readonly count?: {readonly cap: number}
  readonly caller?: Caller
  /** Counts the bytes of each result in turn, and tells whether they fit. The page ends before the first that does not. */
  readonly take?: (bytes: number) => boolean
}

export interface QueryResult<D> {
  readonly results: readonly D[]
  readonly total?: number
  /** The page ended early, since the next result did not fit. */
  readonly isCut?: boolean
}

/**
 * Values derived from a document, by kind and name: indexed for equality, and reachable in predicates as `Field.facet`.
 * One that is named like a member path (`email`, `customerGroup.id`) must be that member's text, and answers equality
 * on it. Stores keep the values, so a facet that changes its meaning raises its `version`, which is 1 without one.
 */
export type Facets = Readonly<Record<string, Readonly<Record<string, Facet>>>>

export interface Facet {
  (document: Document): string | undefined
  readonly version?: number
  /** Many documents have the same value, so that a page of them is found sooner in the order of ids. */
  readonly isCommon?: true
  /**
   * The member whose moments its values are, in UTC with milliseconds: stores find ranges of that member by it, and pages
   * in its order.
   */
  readonly orders?: string
  /** The unique key that every document with a value holds or shares, where one follows from it. */
  readonly uniqueKey?: (value: string) => string
}

/**
 * Thrown by `commit` for a unique key: `held` by a stored document or `pending` in another commit that is in flight.
 */
export class UniqueConflict extends Error {
  override readonly name = 'UniqueConflict'
  readonly key: string
  readonly state: 'held' | 'pending'

  constructor(key: string, state: 'held' | 'pending') {
    super(`the unique key ${key} is ${state}`)
    this.key = key
    this.state = state
  }
}

/** Thrown by `commit` when a document is not at the expected or required version. `current` is 0 for an absent one. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict'
  readonly kind: string
  readonly id: string
  readonly expected: number
  readonly current: number

  constructor(kind: string, id: string, expected: number, current: number) {
    super(`${kind} ${id} is at version ${current}, not ${expected}`)
    this.kind = kind
    this.id = id
    this.expected = expected
    this.current = current
  }
}

/** Thrown by `commit` for a document that it requires at any version and that is not there. */
export class Missing extends Error {
  override readonly name = 'Missing'
  readonly kind: string
  readonly id: string

  constructor(kind: string, id: string) {
    super(`${kind} ${id} is not there`)
    this.kind = kind
    this.id = id
  }
}

/** The port: documents by project and kind, with unique keys, queries and atomic commits. */
export interface Store {
  get<D extends Document>(project: string, kind: string, id: string): Promise<D | undefined>
  /** The holder of an exclusive unique key: `find('shop', 'customer', 'key:ada')`. */
  find<D extends Document>(project: string, kind: string, uniqueKey: string): Promise<D | undefined>
  query<D extends Document>(project: string, kind: string, page: Page): Promise<QueryResult<D>>
  /**
   * All or nothing, durable when it resolves. Versions and unique keys of `changes` are checked and the unique keys
   * reserved at once; `complete` may then take its time (a password is hashed) and adds further changes to the same
   * commit. While it runs, another commit that wants one of the unique keys ends with UniqueConflict `pending` without
   * waiting. If it rejects, the reservation is released and nothing is written. Throws UniqueConflict, VersionConflict,
   * or an ApiError of status 503 when the state cannot be written.
   *
   *     await store.commit('shop', [{kind: 'customer', expect: 0, doc: ada, uniqueKeys: [{key: 'key:ada'}]}])
   */
  commit(
    project: string,
    changes: readonly (Change | Requirement)[],
    complete?: () => Promise<readonly Change[]>,
  ): Promise<void>
  /**
   * A number that is another one after every change of a document of this kind, and equal as long as every reading finds
   * the same. Undefined, or no such function: the store cannot tell without reading.
   */
  revision?(project: string, kind: string): number | undefined
  /** Absent: the store keeps no texts. */
  readonly texts?: Texts
  close(): Promise<void>
}

/**
 * What `get`, `find` and `query` find, as the texts under which it is stored, for replies that show whole documents.
 * Waits only where it has to.
 */
export interface Texts {
  get(project: string, kind: string, id: string): JsonText | undefined | Promise<JsonText | undefined>
  find(project: string, kind: string, uniqueKey: string): JsonText | undefined | Promise<JsonText | undefined>
  query(project: string, kind: string, page: Page): QueryResult<JsonText> | Promise<QueryResult<JsonText>>
}

/** The project name under which server-wide documents live: projects, API clients, tokens. No project key can equal it. */
export const REALM = '_'

/**
 * Keys of projects are names of directories, so nothing else may be one: `_` is the realm, and what else begins with a
 * dot or an underscore (the audit log, journals of jobs) is never a project.
 */
export const isProjectName = (name: string): boolean => /^(?:_|[a-z0-9][a-z0-9_-]{0,99})$/.test(name)
