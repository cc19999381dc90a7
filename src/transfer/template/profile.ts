import {isObject} from '../../domain/equal.js'
import {SeenValues} from '../check/seen-values.js'
import {InputError} from '../files/input-error.js'
import {asCell, type Cell, isBlank, jsonOrText, textOfCell, withoutGuard} from '../input/cell.js'
import {eachRow, type Rows} from '../input/row.js'
import {leafPaths} from '../mapping/paths.js'
import {idRank} from './columns.js'

interface Column {
  readonly texts: Set<string>
  /** How many rows have a text, and how many of these had come before: of what may be an id or an email. */
  filled: number
  repeats: number
  readonly isTracked: boolean
  /** The column of the file, and what takes this part out of its cells. */
  readonly via: {readonly column: string; readonly transform: string} | undefined
}

export type Profile = Awaited<ReturnType<typeof profileOf>>

const [mostColumns, mostTexts] = [10_000, 200_000]

const isEmail = (column: string): boolean => /mail/i.test(column)

/** Reads a whole file. Throws InputError for a row that cannot be read, and for a file without any. */
export async function profileOf(table: Rows, seed: number) {
  const {columns: header = [], pieces, source} = table
  const file = source.name
  const columns = new Map<string, Column>()
  const seen = new SeenValues(seed)
  const columnOf = (column: string, via?: Column['via']): Column => {
    const known = columns.get(column)
    if (known) return known
    const isTracked = via === undefined && (idRank(column) !== undefined || isEmail(column))
    const made = {texts: new Set<string>(), filled: 0, repeats: 0, isTracked, via}
    columns.set(column, made)
    return made
  }
  let rows = 0
  const note = (known: Column, text: string): void => {
    known.filled += 1
    if (known.texts.size < Math.max(1000, mostTexts / columns.size)) known.texts.add(text)
  }
  const noteCell = (column: string, cell: Cell): void => {
    const known = columnOf(column)
    const text = withoutGuard(textOfCell(cell), known.isTracked)
    note(known, text)
    const value = `${column}\n${isEmail(column) ? text.toLowerCase() : text}`
    if (known.isTracked && seen.add(value, {line: rows, source: 0})) known.repeats += 1
    for (const [part, value, transform] of partsOf(text))
      note(columnOf(`${column} ${part}`, {column, transform}), value)
  }
  for (const column of header) if (column !== '') columnOf(column)
  for await (const row of eachRow(pieces)) {
    rows += 1
    const {line, by = 'line'} = row.place
    if (row.kind === 'broken') throw new InputError(`${file}, ${by} ${line}: ${row.issue.message}`, {file, line})
    const document = row.kind === 'document' ? row.document : {}
    const paths = leafPaths(document)
    if (Math.max(columns.size, paths.length) > mostColumns)
      throw new InputError(`${file} has more than ${mostColumns} different names in its rows.`, {file, line})
    if (row.kind === 'cells')
      for (const [at, cell] of row.cells.entries()) if (!isBlank(cell) && header[at]) noteCell(header[at], cell as Cell)
    for (const path of paths) {
      columnOf(path)
      for (const cell of cellsAt(document, path)) if (!isBlank(cell)) noteCell(path, cell)
    }
  }
  if (columns.size === 0) throw new InputError(`${file} has no rows.`, {file})
  return {rows, columns: settled(columns)}
}

/** The cells of a document at a path of a row, of each element of its lists. */
const cellsAt = (document: Readonly<Record<string, unknown>>, path: string): readonly Cell[] =>
  Object.hasOwn(document, path) ? valuesAt(document[path], []) : valuesAt(document, path.split('.'))

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): readonly Cell[] {
  if (Array.isArray(value) && name === '*') return value.flatMap((one) => valuesAt(one, rest))
  if (name !== undefined) return isObject(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : []
  const cell = asCell(value)
  return cell === undefined ? [] : [cell]
}

/** The parts of a text that is an object of JSON, or an address whose lines stand behind two blanks. */
function partsOf(text: string): readonly (readonly [part: string, value: string, transform: string])[] {
  if (text.startsWith('{')) {
    const document = jsonOrText(text)
    if (!isObject(document)) return []
    // A transform takes a value out of a text, or a list of values, which its first stands for here.
    return leafPaths(document).flatMap((leaf) => {
      const [[first], path] = [cellsAt(document, leaf), leaf.replace(/\.\*$/, '')]
      if (first === undefined || path.includes('*')) return []
      return [[path.replaceAll('.', ' '), textOfCell(first), `json:${path}`] as const]
    })
  }
  const lines = text.length < 1000 && / {2}[A-Z]{2}\s*$/.test(text) ? text.split('  ').map((line) => line.trim()) : []
  if (lines.length < 5) return []
  const parts = ['city', 'state', 'zip', 'country'].map(
    (part, at) => [part, `${lines.at(at - 4)}`, `part:${at - 4}:  `] as const,
  )
  return [['street', lines.slice(0, -4).join(' '), 'part:1--5:  '], ...parts]
}

/** A column is read by its parts where each of its cells has them; what is a list in one row is one in all. */
function settled(columns: ReadonlyMap<string, Column>): ReadonlyMap<string, Column> {
  const most = new Map<string, number>()
  for (const {via, filled} of columns.values())
    if (via) most.set(via.column, Math.max(filled, most.get(via.column) ?? 0))
  const isDivided = (column: string): boolean => most.has(column) && most.get(column) === columns.get(column)?.filled
  const lists = new Set([...columns.keys()].flatMap((column) => (column.includes('.*.') ? column.split('.*.', 1) : [])))
  const found = new Map<string, Column>()
  for (const [column, seen] of columns) {
    if (seen.via ? !isDivided(seen.via.column) : isDivided(column)) continue
    const list = [...lists].find((one) => column.startsWith(`${one}.`) && !column.startsWith(`${one}.*`))
    const name = list === undefined ? column : `${list}.*${column.slice(list.length)}`
    const known = found.get(name)
    if (known) for (const text of seen.texts) known.texts.add(text)
    found.set(name, known ?? seen)
  }
  return found
}
