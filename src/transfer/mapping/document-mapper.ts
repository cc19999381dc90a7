import {cellIn, isBlank} from '../input/cell.js'
import {continuedRows, type FullRow, parentOf} from '../input/continued-rows.js'
import type {Issue} from '../input/row.js'
import {type Assignment, issueOf, type Mapper, secretsAmong} from './assignment.js'
import {eachElement, isServerOwned, type Leaf, targetOf} from './draft-shape.js'
import {
  addressDefaults,
  checkElements,
  inElement,
  type MappingPlan,
  namedBy,
  namedColumns,
  reasonToLeaveOut,
} from './mapping-plan.js'
import {leafPaths, ownMembers, peek, takeAll} from './paths.js'
import {addFurther, assign, complete, type Joined, type MappedRow, type SourceValue} from './row-in-progress.js'
import type {ValuePipe} from './value-pipe.js'

type Document = Record<string, unknown>

/** What does not depend on the row. */
interface Documents {
  readonly plan: MappingPlan
  readonly columns: ReadonlySet<string>
  readonly assignments: readonly Assignment[]
  readonly ignored: Set<string>
  /** The pipe of a member under its own name. */
  readonly ownPipe: (path: string, leaf: Leaf) => ValuePipe
}

/** The mapper of JSON and XML rows: what they have is known row by row. */
export function documentMapper(plan: MappingPlan, joined?: Joined): Mapper {
  checkElements(plan, () => false)
  const assignments = [...plan.columns.values()].flat()
  const combined = plan.combined.flatMap(({columns, target, pipe}) => columns.map((column) => ({column, target, pipe})))
  const names = new Map([...assignments, ...combined].map(({target, column}) => [target.path, column]))
  const columnOf = (path: string): string => namedBy(names, path)
  const {continuation} = plan
  const columns = new Set([...namedColumns(plan), ...(joined ? [joined.to] : [])])
  const documents = {plan, columns, assignments, ignored: new Set<string>(), ownPipe: ownPipes(plan)}
  return {
    ignored: documents.ignored,
    columnOf,
    reaches: () => true,
    isSecret: secretsAmong([...assignments, ...combined]),
    rows: (rows) =>
      continuation === undefined ? rows : continuedRows(rows, continuation, (row) => hasValue(row, continuation)),
    leavesOut: (row) => reasonToLeaveOut(plan, (column) => memberOf(row, column)),
    map: (row) => {
      if (row.kind !== 'document') return {document: {}, issues: [], unplaced: []}
      const mapped = mapDocument(documents, row.document, plan.defaults, joined)
      for (const {line, ...further} of row.continuation ?? []) {
        addFurther(mapped, furtherIn(documents, further.document), `Line ${line}`, columnOf)
      }
      return mapped
    },
  }
}

const memberOf = (row: FullRow, column: string): unknown =>
  row.kind === 'document' ? peek(row.document, column) : undefined
const hasValue = (row: FullRow, column: string): boolean => !isBlank(cellIn(memberOf(row, column)))

/** A line that names its parent is an address: its other members are none of the customer's. */
function furtherIn(documents: Documents, document: Readonly<Document>): MappedRow {
  const mapped = mapDocument(documents, document, addressDefaults(documents.plan))
  const {addresses} = mapped.document
  return parentOf(document) === undefined ? mapped : {...mapped, document: addresses === undefined ? {} : {addresses}}
}

/** The pipes of members under their own names, each made once. */
function ownPipes(plan: MappingPlan): Documents['ownPipe'] {
  const pipes = new Map<string, ValuePipe>()
  return (path, leaf) => {
    const known = pipes.get(path)
    if (known) return known
    const pipe = plan.pipeOf({path, leaf, segments: []})
    pipes.set(path, pipe)
    return pipe
  }
}

/** A customer as a project gave it: an empty text is a value there. */
const isOfProject = ({id, version}: Readonly<Document>): boolean =>
  typeof id === 'string' && typeof version === 'number'

function mapDocument(
  documents: Documents,
  source: Readonly<Document>,
  defaults: MappingPlan['defaults'],
  joined?: Joined,
): MappedRow {
  const {plan, columns, assignments} = documents
  const keepsEmpty = isOfProject(source)
  // Taking members out of the row must not change the row, which may have to be reported.
  const rest: Document = columns.size + plan.leftOut.size > 0 ? structuredClone(source) : source
  const isValue = ({value}: SourceValue): boolean => value !== null && (value !== '' || keepsEmpty)
  const all = new Map([...columns].map((column) => [column, takeAll(rest, column).filter(isValue)]))
  for (const column of plan.leftOut) if (takeAll(rest, column).length > 0) documents.ignored.add(column)
  const issues: Issue[] = []
  const valuesOf = (column: string): readonly SourceValue[] => all.get(column) ?? []
  const isPlaced = (column: string): boolean =>
    (plan.columns.get(column) ?? []).length > 0 || (!plan.onlyMapped && targetOf(column) !== undefined)
  const {ignored} = documents
  const row = {plan, issues, ignored, valuesOf, isPlaced, document: restOf(documents, rest, issues, keepsEmpty)}
  for (const assignment of assignments) {
    for (const {value, at} of valuesOf(assignment.column)) assign(row, atElement(plan, assignment, value, at), value)
  }
  return {document: row.document, issues, unplaced: complete(row, defaults, joined)}
}

/** What was not taken: members of a draft under their own names, unless only what is mapped counts. */
function restOf({plan, ignored, ownPipe}: Documents, rest: Document, issues: Issue[], keepsEmpty: boolean): Document {
  const dropped = (path: string): void => {
    if (!isServerOwned(path) && !plan.where.has(path)) ignored.add(path)
  }
  if (plan.onlyMapped) {
    for (const path of leafPaths(rest)) dropped(path)
    return {}
  }
  const convert = (value: unknown, leaf: Leaf, path: string): unknown => {
    const cell = cellIn(value)
    if (cell === undefined || cell === '') return cell === '' && !keepsEmpty ? undefined : value
    const piped = ownPipe(path, leaf)(cell)
    if (!('problem' in piped)) return piped.value
    issues.push(issueOf(path, {path, leaf, segments: []}, piped))
    return undefined
  }
  return ownMembers(rest, {dropped, convert})
}

/** The assignment in the element with a number, if the column stands for a list. The text of a custom field stays one. */
function atElement(plan: MappingPlan, assignment: Assignment, value: unknown, at: number | undefined): Assignment {
  const {target} = assignment
  const isOne = at === undefined || !target.segments.includes(eachElement)
  const place = isOne ? target : inElement(target, at)
  const isText = typeof value === 'string' && target.leaf === 'json' && !plan.onlyMapped
  if (isOne && !isText) return assignment
  return {...assignment, target: place, pipe: plan.pipeOf(isText ? {...place, leaf: 'text'} : place)}
}
