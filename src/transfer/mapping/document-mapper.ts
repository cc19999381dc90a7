import type {Issue} from '../input/row.js'
import {type Assignment, issueOf, type Mapped, type Mapper, secretsAmong} from './assignment.js'
import {eachElement, isServerOwned, type Target} from './draft-shape.js'
import {giveLateValues} from './late-values.js'
import {inElement, type MappingPlan, namedBy, namedColumns} from './mapping-plan.js'
import {leafPaths, pruned, takeAll, valueAt} from './paths.js'
import {putRecords, putValue} from './put-values.js'

type Document = Record<string, unknown>

/** What does not depend on the row. */
interface Documents {
  readonly plan: MappingPlan
  readonly columns: ReadonlySet<string>
  readonly assignments: readonly Assignment[]
  /** Targets that no column fills and whose texts pass transforms. */
  readonly transformed: readonly Target[]
  readonly ignored: Set<string>
}

/** The mapper of JSON and XML rows: what they have is known row by row. */
export function documentMapper(plan: MappingPlan): Mapper {
  const assignments = [...plan.columns.values()].flat()
  const combined = plan.combined.flatMap(({columns, target, pipe}) => columns.map((column) => ({column, target, pipe})))
  const names = new Map([...assignments, ...combined].map(({target, column}) => [target.path, column]))
  const transformed = plan.transformed.filter(({path}) => !names.has(path))
  const documents = {plan, columns: namedColumns(plan), assignments, transformed, ignored: new Set<string>()}
  return {
    ignored: documents.ignored,
    columnOf: (path) => namedBy(names, path),
    reaches: () => true,
    isSecret: secretsAmong([...assignments, ...combined]),
    rows: (rows) => rows,
    map: (row) => mapDocument(documents, row.kind === 'document' ? row.document : {}),
  }
}

/** A value of a row, and its position among its equals if the column stands for several. */
interface Taken {
  readonly value: unknown
  readonly at?: number
}

/** A document in the making. */
interface Making {
  readonly plan: MappingPlan
  readonly document: Document
  readonly issues: Issue[]
  readonly taken: (column: string) => readonly Taken[]
}

function mapDocument(documents: Documents, source: Readonly<Document>): Mapped {
  const {plan, columns, assignments} = documents
  // Taking members out of the row must not change the row, which may have to be reported.
  const rest: Document = columns.size + plan.leftOut.size > 0 ? structuredClone(source) : source
  const all = new Map([...columns].map((column) => [column, takeAll(rest, column)]))
  for (const column of plan.leftOut) if (takeAll(rest, column).length > 0) documents.ignored.add(column)
  const issues: Issue[] = []
  const taken = (column: string): readonly Taken[] => all.get(column) ?? []
  const making = {plan, document: restOf(documents, rest), issues, taken}
  for (const assignment of assignments) {
    for (const one of taken(assignment.column)) assignAt(making, assignment, one)
  }
  combine(making)
  readRecords(making)
  transformRest(making, documents.transformed)
  const {problems, unplaced} = giveLateValues(making.document, plan.late, (column) => textOf(taken(column)[0]))
  for (const {column, target, ...problem} of problems) issues.push(issueOf(column, target, problem))
  return {...making, unplaced: unplaced.filter((column) => (plan.columns.get(column) ?? []).length === 0)}
}

const textOf = (taken: Taken | undefined): string | undefined =>
  typeof taken?.value === 'object' || taken?.value === undefined ? undefined : String(taken.value)

/** What was not taken: members of a draft under their own names, unless only what is mapped counts. */
function restOf({plan, ignored}: Documents, rest: Document): Document {
  const drop = (path: string): void => {
    if (!isServerOwned(path)) ignored.add(path)
  }
  if (!plan.onlyMapped) return pruned(rest, drop)
  for (const path of leafPaths(rest)) drop(path)
  return {}
}

function assignAt(making: Making, assignment: Assignment, {value, at}: Taken): void {
  const isOne = at === undefined || !assignment.target.segments.includes(eachElement)
  const target = isOne ? assignment.target : inElement(assignment.target, at)
  assign(making, isOne ? assignment : {...assignment, target, pipe: making.plan.pipeOf(target)}, value)
}

/** Only texts pass the pipe: a number or an object of a JSON row is what it is, and so is the text of a custom field. */
function assign({plan, document, issues}: Making, {column, target, pipe}: Assignment, value: unknown): void {
  if (value === undefined || value === null) return
  const isFree = target.leaf === 'json' && !plan.onlyMapped
  const through = isFree ? plan.pipeOf({...target, leaf: 'text'}) : pipe
  const piped = typeof value === 'string' ? through(value) : {value}
  if ('problem' in piped) issues.push(issueOf(column, target, piped))
  else if (piped.value !== undefined) putValue(document, target.segments, piped.value)
}

function combine(making: Making): void {
  for (const {target, columns, combine: combined, pipe} of making.plan.combined) {
    const there = columns.flatMap((column) =>
      making.taken(column).flatMap((one) => {
        const text = textOf(one)
        return text === undefined ? [] : [{column, text, at: one.at ?? 0}]
      }),
    )
    for (const at of new Set(there.map((one) => one.at))) {
      const own = there.filter((one) => one.at === at)
      const place = target.segments.includes(eachElement) ? inElement(target, at) : target
      const value = combined(own.map(({text}) => text))
      assign(making, {column: own[0]?.column ?? '', target: place, pipe}, value)
    }
  }
}

function readRecords({plan, document, issues, taken}: Making): void {
  for (const [column, record] of plan.records) {
    const text = textOf(taken(column)[0])
    if (text !== undefined) putRecords(document, issues, column, record.read(text))
  }
}

/** Transforms hold for members under their own names as well. */
function transformRest(making: Making, transformed: readonly Target[]): void {
  for (const target of transformed) {
    const each = target.segments.indexOf(eachElement)
    const list = each < 0 ? undefined : valueAt(making.document, target.segments.slice(0, each))
    const elements = Array.isArray(list) ? [...list.keys()].map((at) => inElement(target, at)) : []
    for (const place of each < 0 ? [target] : elements) {
      const value = valueAt(making.document, place.segments)
      if (typeof value !== 'string') continue
      assign(making, {column: place.path, target: place, pipe: making.plan.pipeOf(place)}, value)
    }
  }
}
