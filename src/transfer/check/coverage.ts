import {isSecretPath} from '../../domain/secret-members.js'
import type {JoinCounts} from '../mapping/mapper.js'
import type {Mapping} from '../mapping/mapping.js'
import type {Mapper} from '../mapping/row-mapper.js'
import {SeenValues} from './seen-values.js'

/** Rows of one file of which the same is to be said. */
export interface CountedRows {
  readonly file: string
  readonly rows: number
  readonly lines: readonly number[]
  /** The numbers are those of rows: the file is one line. */
  readonly by?: 'row'
}

/** What the rows of a run fill, for those who sign the run off. */
export interface Coverage {
  /** The valid rows that the map takes. */
  readonly rows: number
  /** In the order of the first rows; then those that the map names and no row fills. */
  readonly fields: readonly FieldCoverage[]
  readonly moreFields?: number
  /** Columns and paths of the files that nothing takes, and that the map does not leave out by name. */
  readonly ignored: readonly string[]
  /** Rows that mean the customer of another row, which counts instead, by file. */
  readonly duplicates?: readonly CountedRows[]
  readonly joins?: readonly JoinCounts[]
}

export interface FieldCoverage {
  /** The member of a draft, with `*` for each of its places: `addresses.*.city`. */
  readonly field: string
  readonly rows: number
  /** How many different values it has, at most `mostDistinct`; absent for secrets. */
  readonly distinct?: number
  readonly more?: true
  /** The first different values, shortened; none of secrets. */
  readonly samples: readonly string[]
}

export const [mostDistinct, mostFields, mostSamples] = [1000, 200, 3]
const [mostCharacters, mostIgnored] = [60, 200]

interface Tally {
  readonly field: string
  /** Its own number, to tell its values from those of other fields. */
  readonly tag: number
  readonly isSecret: boolean
  rows: number
  lastRow: number
  distinct: number
  readonly samples: string[]
}

/** A place in drafts: a member, or every element of a list. */
interface Node {
  readonly path: string
  readonly members: Map<string, Node>
  tally?: Tally
}

const nodeOf = (path: string): Node => ({path, members: new Map()})

/** Counts what rows fill, in bounded memory: hashes of some values of some fields. */
export class FilledFields {
  readonly #root = nodeOf('')
  readonly #tallies: Tally[] = []
  readonly #beyond = new Set<string>()
  /** By the numbers of their fields; a file that is made to collide is counted less. */
  readonly #values = new SeenValues(0)
  #mapper: Pick<Mapper, 'columnOf' | 'isSecret'> | undefined
  #rows = 0
  #nodes = 0

  add(draft: object, mapper: Pick<Mapper, 'columnOf' | 'isSecret'>): void {
    this.#rows += 1
    this.#mapper = mapper
    this.#members(this.#root, draft)
  }

  coverage(mapping: Mapping = {}, ignored: Iterable<Iterable<string>> = []): Coverage {
    const {leftOut = {}} = mapping
    const untaken = new Set([...ignored].flatMap((columns) => [...columns]))
    const met = new Set(this.#tallies.map(({field}) => field))
    const unfilled = [...new Set(targetsOf(mapping).map(fieldOf))].filter(
      (field) => !met.has(field) && !this.#beyond.has(field),
    )
    const fields = [
      ...this.#tallies.map(shownTally),
      ...unfilled.map((field): FieldCoverage => ({field, rows: 0, samples: []})),
    ]
    const more = Math.max(0, fields.length - mostFields) + this.#beyond.size
    return {
      rows: this.#rows,
      fields: fields.slice(0, mostFields),
      ...(more > 0 ? {moreFields: more} : {}),
      ignored: [...untaken].filter((column) => !Object.hasOwn(leftOut, column)).slice(0, mostIgnored),
    }
  }

  #members(node: Node, members: object): void {
    for (const name in members) {
      const value = (members as Readonly<Record<string, unknown>>)[name]
      if (value === undefined || value === null || value === '' || name === 'typeId') continue
      const inner = this.#inner(node, name)
      if (inner) this.#value(inner, value)
    }
  }

  #value(node: Node, value: unknown): void {
    if (Array.isArray(value)) {
      for (const entry of value as unknown[]) {
        if (typeof entry !== 'object' || entry === null) this.#note(node, entry)
        else {
          const each = this.#inner(node, '*')
          if (each) this.#members(each, entry)
        }
      }
    } else if (typeof value === 'object' && value !== null) this.#members(node, value)
    else this.#note(node, value)
  }

  #inner(node: Node, name: string): Node | undefined {
    const known = node.members.get(name)
    if (known) return known
    // Members of custom fields may have any names, and ever new ones.
    if (this.#nodes >= 2 * mostFields) return undefined
    this.#nodes += 1
    const inner = nodeOf(node.path === '' ? name : `${node.path}.${name}`)
    node.members.set(name, inner)
    return inner
  }

  #note(node: Node, value: unknown): void {
    const tally = node.tally ?? this.#begun(node)
    if (!tally) return
    if (tally.lastRow !== this.#rows) {
      tally.lastRow = this.#rows
      tally.rows += 1
    }
    if (tally.isSecret || tally.distinct > mostDistinct) return
    const text = String(value)
    if (this.#values.add(text, {line: this.#rows, source: 0}, tally.tag)) return
    tally.distinct += 1
    if (tally.samples.length < mostSamples) tally.samples.push(shortened(text))
  }

  #begun(node: Node): Tally | undefined {
    const {path: field} = node
    if (this.#tallies.length >= mostFields) {
      this.#beyond.add(field)
      return undefined
    }
    const {columnOf, isSecret} = this.#mapper ?? {columnOf: () => field, isSecret: isSecretPath}
    const isHidden = isSecretPath(field) || isSecret(columnOf(field))
    const tag = this.#tallies.length
    const tally: Tally = {field, tag, isSecret: isHidden, rows: 0, lastRow: 0, distinct: 0, samples: []}
    node.tally = tally
    this.#tallies.push(tally)
    return tally
  }
}

const shownTally = ({field, isSecret, rows, distinct, samples}: Tally): FieldCoverage => ({
  field,
  rows,
  ...(isSecret ? {} : {distinct: Math.min(distinct, mostDistinct)}),
  ...(distinct > mostDistinct ? {more: true as const} : {}),
  samples,
})

const shortened = (text: string): string =>
  text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters - 1).toWellFormed()}…`

const targetsOf = ({columns = {}, fallbacks = {}, join = []}: Mapping): string[] => [
  ...[columns, ...join.map((one) => one.columns)].flatMap((one) => Object.values(one).flat()),
  ...Object.keys(fallbacks),
]

/** The field of a target of a map: `addresses.0.city` and `addresses.+.city` are `addresses.*.city`. */
const fieldOf = (path: string): string =>
  path
    .replace(/\.(?:\d+|\+)(?=\.|$)/g, '.*')
    .replace(/\.\*$/, '')
    .replace(/^addresses\.\*\.isDefault(Shipping|Billing)$/, 'default$1Address')
    .replace(/^default(Shipping|Billing)AddressId$/, 'default$1Address')
    .replace(/^(shipping|billing)AddressIds$/, '$1Addresses')

export const withoutSamples = (coverage: Coverage): Coverage => ({
  ...coverage,
  fields: coverage.fields.map((field) => ({...field, samples: []})),
})

export const hasSamples = ({fields}: Coverage): boolean => fields.some(({samples}) => samples.length > 0)
