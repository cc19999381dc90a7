/** The abstract syntax tree of predicates: the parser produces it, the compilers to functions and SQL read it. */

export type Scalar = string | number | boolean

/** How a leaf's value is stored and compared. Dates and times are ISO 8601 text; DateTime compares chronologically. */
export type LeafType = 'string' | 'number' | 'boolean' | 'date' | 'time' | 'datetime' | 'unknown'

/** A member path below the current object, `['customerGroup', 'id']`. A facet is a value derived from the document. */
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
  /** Of a value that is a place, never below an array. */
  | {
      readonly op: 'within'
      readonly field: Field
      readonly longitude: number
      readonly latitude: number
      readonly radiusMeters: number
    }

export type Leaf = Exclude<Predicate, {op: 'and' | 'or' | 'not' | 'nested'}>

export interface SortKey {
  readonly field: Field
  readonly direction: 'asc' | 'desc'
}

export interface LeafShape {
  readonly leaf: LeafType
  readonly array?: true
  readonly facet?: string
  /** The texts that are its values, of an enum. */
  readonly keys?: ReadonlySet<string>
}

/**
 * The fields of a kind of document that predicates may name. A leaf has a type; an object or an array of objects has
 * members; `open` accepts any name below it, each of the shape `of`; what `fieldsOf` accepts, the types of that kind of
 * resource say. Plain data, so that adapters can read it.
 */
export type Shape =
  | LeafShape
  | {readonly members: Readonly<Record<string, Shape>>; readonly array?: true; readonly example?: string}
  | {readonly open: true; readonly of?: Shape; readonly array?: true; readonly example?: string}
  | {readonly fieldsOf: string; readonly array?: never}

/** The shapes of custom fields by kind of resource and name: `get('customer')?.get('lastVisit')`. Decision 62. */
export type CustomShapes = ReadonlyMap<string, ReadonlyMap<string, Shape>>
