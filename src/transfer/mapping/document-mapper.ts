import {unusualText} from '../../domain/customers/unusual.js'
import {asCell} from '../input/cell.js'
import type {Issue} from '../input/row.js'
import {assign, type RowInProgress, type SourceValue} from './assign.js'
import {type CompiledMapping, checkElements, inElement, namedBy, namedColumns} from './compiled-mapping.js'
import {eachElement, isServerOwned, type Leaf, starred, targetOf} from './draft-shape.js'
import {type Document, leafPaths, type OwnMembers, ownMembers, peek, takeAll, UnmetPaths} from './paths.js'
import {type Joined, type Mapper, rowMapper} from './row-mapper.js'
import {noteDisabled, passed, type UnusualColumn} from './value-notes.js'
import type {Assignment, ValuePipe} from './value-pipe.js'

interface Line {
  readonly document: Readonly<Document>
}

interface Documents {
  readonly map: CompiledMapping
  /** Nothing of a row is taken but what is mapped: of XML. */
  readonly onlyMapped: boolean
  readonly columns: ReadonlySet<string>
  readonly assignments: readonly Assignment[]
  readonly ignored: Set<string>
  /** Members of which the map takes something. */
  readonly entered: ReadonlySet<string>
  /** The pipe of a member under its own name. */
  readonly ownPipe: (path: string, leaf: Leaf) => ValuePipe
}

/** The mapper of JSON and XML rows: what they have is known row by row. */
export function documentMapper(map: CompiledMapping, onlyMapped: boolean, joins: readonly Joined[]): Mapper {
  checkElements(map, () => false)
  const assignments = [...map.columns.values()].flat()
  const names = new Map(assignments.map(({target, column}) => [target.path, column]))
  for (const {target, columns} of map.combined) names.set(target.path, columns.at(-1) ?? '')
  const columns = new Set([...namedColumns(map), ...joins.map(({to}) => to)])
  const ignored = new Set<string>()
  const entered = new Set([...columns, ...map.leftOut].flatMap((column) => parentsOf(starred(column))))
  const documents = {map, onlyMapped, columns, assignments, ignored, entered, ownPipe: ownPipes(map)}
  const paths = [...(map.optionalColumns ? [] : [...columns, ...map.leftOut]), ...map.where.keys()]
  const unmet = new UnmetPaths(map.continuation === undefined ? paths : [...paths, map.continuation])
  const reader = {
    ignored,
    unmet: unmet.paths,
    meet: ({document}: Line) => unmet.meet(document),
    assignments,
    columnOf: (path: string) => namedBy(names, path),
    reaches: () => true,
    hasColumn: () => true,
    onlyMapped,
    isPlaced: (column: string) =>
      (map.columns.get(column) ?? []).length > 0 || (!onlyMapped && targetOf(column) !== undefined),
    valueIn: ({document}: Line, column: string) => peek(document, column),
    read: ({document}: Line) => readDocument(documents, document),
  }
  return rowMapper<Line>(map, reader, joins)
}

/** `a` and `a.b` of `a.b.c`. */
const parentsOf = (path: string): string[] =>
  path.split('.').flatMap((_, at, all) => (at === 0 ? [] : [all.slice(0, at).join('.')]))

/** The pipes of members under their own names, each made once: by its path, or by its leaf where that decides alone. */
function ownPipes(map: CompiledMapping): Documents['ownPipe'] {
  const pipes = new Map<string, ValuePipe>()
  return (path, leaf) => {
    const known = pipes.get(path)
    if (known) return known
    const pipe = map.pipeOf({path, leaf, segments: []})
    pipes.set(path, pipe)
    return pipe
  }
}

function readDocument(documents: Documents, source: Readonly<Document>): RowInProgress {
  const {columns, assignments, map, ignored} = documents
  // In a customer as a project gave it an empty text is a value.
  const keepsEmpty = typeof source['id'] === 'string' && typeof source['version'] === 'number'
  // Taking members out of the row must not change the row, which may have to be reported.
  const rest: Document = columns.size + map.leftOut.size > 0 ? structuredClone(source) : source
  const all = new Map<string, readonly SourceValue[]>()
  const isValue = ({value}: SourceValue): boolean => value !== null && (value !== '' || keepsEmpty)
  for (const column of columns) all.set(column, takeAll(rest, column).filter(isValue))
  const own = new OwnReading(documents, keepsEmpty)
  const {issues, unusual} = own
  for (const column of map.leftOut) {
    const [one, ...others] = takeAll(rest, column)
    if (one) ignored.add(column)
    if (one && others.length === 0) noteDisabled(own, column, one.value)
  }
  const valuesOf = (column: string): readonly SourceValue[] => all.get(column) ?? []
  const row = {issues, unusual, valuesOf, document: own.read(rest), appended: new Map(), clashes: []}
  for (const assignment of assignments) {
    for (const {value, at} of valuesOf(assignment.column))
      assign(row, atElement(documents, assignment, value, at), value)
  }
  return row
}

class OwnReading implements OwnMembers {
  readonly issues: Issue[] = []
  readonly unusual: UnusualColumn[] = []
  readonly #documents: Documents
  readonly #keepsEmpty: boolean

  constructor(documents: Documents, keepsEmpty: boolean) {
    this.#documents = documents
    this.#keepsEmpty = keepsEmpty
  }

  read(rest: Readonly<Document>): Document {
    if (!this.#documents.onlyMapped) return ownMembers(rest, this)
    for (const path of leafPaths(rest)) this.dropped(path, peek(rest, path))
    return {}
  }

  dropped(path: string, value: unknown): void {
    const {entered, map, ignored} = this.#documents
    const name = starred(path)
    const isEntered = entered.has(name)
    if (isServerOwned(path) || (isEntered && (value === null || value === ''))) return
    for (const own of isEntered ? leafPaths(value, name) : [name]) if (!map.where.has(own)) ignored.add(own)
    if (!map.where.has(path)) noteDisabled(this, path, value)
  }

  convert(value: unknown, leaf: Leaf, at: string, name: string): unknown {
    const cell = asCell(value)
    if (cell === undefined || cell === '') return cell === '' && !this.#keepsEmpty ? undefined : value
    const {map, ownPipe} = this.#documents
    // A path is put together anew for each row, and costs a look-up more than the rest of a plain value.
    const pipe = ownPipe(map.isPlain ? leaf : at + name, leaf)
    const piped = pipe(cell)
    if (leaf !== 'date' && 'value' in piped && (typeof cell !== 'string' || unusualText(cell) === undefined))
      return piped.value
    const path = at + name
    return passed(this, {column: path, target: {path, leaf, segments: []}, pipe: () => piped}, cell)?.value
  }

  isApart(path: string): boolean {
    const {entered} = this.#documents
    return entered.size > 0 && entered.has(starred(path))
  }
}

/** The assignment in the element with a number, if the column stands for a list. The text of a custom field stays one. */
function atElement(
  {map, onlyMapped}: Documents,
  assignment: Assignment,
  value: unknown,
  at: number | undefined,
): Assignment {
  const {target} = assignment
  const isOne = at === undefined || !target.segments.includes(eachElement)
  const place = isOne ? target : inElement(target, at)
  const isText = typeof value === 'string' && target.leaf === 'json' && !onlyMapped
  if (isOne && !isText) return assignment
  return {...assignment, target: place, pipe: map.pipeOf(isText ? {...place, leaf: 'text'} : place)}
}
