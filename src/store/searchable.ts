import type {Caller} from '../domain/errors.js'
import type {Predicate} from '../query/ast.js'
import type {Reader} from '../query/sort.js'
import type {Document} from './store.js'

/** The part of the port that Customer Search alone uses. Who takes it out begins here: the compiler names the rest. */
export interface Searchable {
  search(project: string, kind: string, search: Search): Promise<Matches>
}

/**
 * The text by which documents of a kind are searched. Stores keep what it says, so that it raises `version` when it
 * says something else.
 */
export type SearchTexts = Readonly<Record<string, SearchText>>

export interface SearchText {
  readonly version: number
  readonly textOf: (document: Document) => string
  readonly unparsed?: Unparsed
}

/** How it shows without parsing that the text of a document does not have something. */
export interface Unparsed {
  /** JSON, a character for each byte, as `patternOf` looks into it, in each spelling; undefined where the document has to be read. */
  readonly lettersIn: (json: string) => readonly string[] | undefined
  /** Matches if the text that is made of a document may have one of some pieces. */
  readonly patternOf: (pieces: readonly string[]) => RegExp
}

/** A condition on a text: it contains a piece, each of several, or one of them. */
export type Contains = string | {readonly all: readonly Contains[]} | {readonly any: readonly Contains[]}

/** A document that may match a search. */
export interface Candidate {
  readonly id: string
  text(): string
  /** Undefined while it is not at hand: a search that needs it is asked again. */
  document(): Document | undefined
}

export interface Match {
  readonly id: string
  readonly relevance: number
}

export interface Ranked extends Match {
  readonly candidate: Candidate
}

/** A search over all documents of a kind that has `SearchTexts`, in an order of its own. */
export interface Search {
  /** What the search text of every match contains; absent if the texts do not tell. */
  readonly contains?: Contains
  /** What every match satisfies, where an index may find them. */
  readonly where?: Predicate
  /** How well a candidate fits; negative for no match, undefined until its document is at hand. */
  readonly relevance: (candidate: Candidate) => number | undefined
  /** Keys of matches, read as far as they decide; ties end at ascending ids. */
  readonly order: readonly Reader<Ranked>[]
  readonly limit: number
  readonly offset: number
  readonly caller?: Caller
}

/** A page of matches in the order of the search, and how many there are in all. */
export interface Matches {
  readonly total: number
  readonly results: readonly Match[]
}
