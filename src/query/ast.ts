/** The abstract syntax tree of predicates: the parser produces it, the compilers to functions and SQL read it. */

export type Scalar = string | number | boolean

/** How a leaf's value is stored and compared. Dates are ISO 8601 text; DateTime compares chronologically. */
export type LeafType = 'string' | 'number' | 'boolean' | 'date' | 'datetime' | 'unknown'

/**
 * A member path below the current object, e.g. `['customerGroup', 'id']`. A facet is a value derived from the document.
 */
export interface Field {
  readonly path: readonly string[]
  readonly type: LeafType
  /** The value is an array of scalars; one element that satisfies a comparison is enough. `unknown` may be one too. */
  readonly array?: true
  /** Name of a derived value (`lowercaseEmail`) that adapters compute by the facets given at opening. */
  readonly facet?: string
}

export type Comparison = '=' | '!=' | '<' | '>' | '<=' | '>='

export type Predicate =
  | {readonly op: 'and' | 'or'; readonly terms: readonly Predicate[]}
  | {readonly op: 'not'; readonly term: Predicate}
  /**
   * The object at `path`, or at least one element of the array at `path`, satisfies `term`, whose paths start there.
   * `single`: the shape promises an object, so an array does not satisfy it and an index may answer it.
   */
  | {readonly op: 'nested'; readonly path: readonly string[]; readonly single?: true; readonly term: Predicate}
  | {readonly op: 'compare'; readonly field: Field; readonly comparison: Comparison; readonly value: Scalar}
  | {readonly op: 'in'; readonly field: Field; readonly negated: boolean; readonly values: readonly Scalar[]}
  | {readonly op: 'contains'; readonly field: Field; readonly mode: 'all' | 'any'; readonly values: readonly Scalar[]}
  | {readonly op: 'defined' | 'empty'; readonly field: Field; readonly negated: boolean}
  | {
      readonly op: 'within'
      readonly field: Field
      readonly longitude: number
      readonly latitude: number
      readonly radiusMeters: number
    }

/** A condition on one field. */
export type Leaf = Exclude<Predicate, {op: 'and' | 'or' | 'not' | 'nested'}>

export interface SortKey {
  readonly field: Field
  readonly direction: 'asc' | 'desc'
}

/**
 * The fields of a kind of document that predicates may name. A leaf has a type; an object or an array of objects has
 * members; `open` accepts any name below it (custom fields, localized strings). Plain data, so that adapters can read
 * it.
 */
export type Shape =
  | {readonly leaf: LeafType; readonly array?: true; readonly facet?: string}
  | {readonly members: Readonly<Record<string, Shape>>; readonly array?: true}
  | {readonly open: true; readonly array?: true}
