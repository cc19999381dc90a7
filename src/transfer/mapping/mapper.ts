import {canonicalEmail} from '../../domain/customers/identity.js'
import {unusualText} from '../../domain/customers/unusual.js'
import {defined} from '../../domain/equal.js'
import {InputError} from '../files/input-error.js'
import {asCell, type Cell, textOfCell, withoutGuard} from '../input/cell.js'
import {eachRow, type Issue, type Place, type Rows, type Source} from '../input/row.js'
import {readRows} from '../input/rows.js'
import {type CompiledMapping, compiledMapping} from './compiled-mapping.js'
import {documentMapper} from './document-mapper.js'
import type {Mapping} from './mapping.js'
import {neverMet, peek, UnmetPaths} from './paths.js'
import type {Joined, Mapper} from './row-mapper.js'
import {tableMapper} from './table-mapper.js'
import type {Noted, UnusualColumn} from './value-notes.js'

/** Makes a mapping ready to be fitted to sources; `others` are the files of its joins. Throws InputError, as `mapperFor` does. */
export async function mapperOf(mapping: Mapping, others: readonly Source[] = [], today?: string) {
  const map = await compiledMapping(mapping, today)
  const joins: Awaited<ReturnType<typeof joinedRows>>[] = []
  for (const [at, source] of others.entries()) {
    const rule = mapping.join?.[at]
    if (rule) joins.push(await joinedRows(source, mapping, rule))
  }
  const mapperFor = (rows: Rows): Mapper => {
    // A JSON row may bring any member under its own name.
    if (!rows.columns && rows.source.format !== 'xml') map.idle.clear()
    return fitted(map, rows, joins)
  }
  return {mapperFor, joins, idle: map.idle}
}

const fitted = (map: CompiledMapping, rows: Rows, joins: readonly Joined[] = []): Mapper =>
  rows.columns ? tableMapper(map, rows, rows.columns, joins) : documentMapper(map, rows.source.format === 'xml', joins)

type JoinRule = NonNullable<Mapping['join']>[number]

/** How the rows of a joined file met those of the run. */
export interface JoinCounts {
  readonly file: string
  readonly rows: number
  /** Rows that belong to a customer. */
  readonly joined: number
  /** Rows of the run that have a value to be joined by, and those that something was brought to. */
  readonly customers: number
  readonly customersJoined: number
  /** Values that several rows of the run have: each got what belongs to the value. */
  readonly shared: number
  /** Rows, of either file, whose value stands for a missing one; they are not joined. */
  readonly withoutValue: number
  /** The first rows that belong to nobody. */
  readonly lines: readonly number[]
  readonly by?: string | undefined
}

/** What a column of a join says of a row: emails without their case; nothing for blanks, zero and words for a missing value. */
function joinValue(cell: Cell | undefined): string | undefined {
  const text = cell === undefined ? '' : withoutGuard(textOfCell(cell).trim(), true)
  if (text.includes('@')) return canonicalEmail(text)
  return /^0*$/.test(text) || unusualText(text) === 'placeholder' ? undefined : text
}

const mostLines = 5

/** What a joined row brings, as JSON: a million rows are to fit into the memory. */
interface Brought extends Pick<Place, 'line' | 'by'> {
  readonly addresses: readonly object[]
  readonly issues: readonly Issue[]
  readonly unusual: readonly UnusualColumn[]
}

async function joinedRows(source: Source, mapping: Mapping, rule: JoinRule) {
  const {name: file} = source
  const found = new Map<string, string[]>()
  const askedFor = new Map<string, number>()
  let total = 0
  let withoutValue = 0
  const map = await compiledMapping(ofAddresses(mapping, rule))
  const {absent, names} = mapping
  for await (const table of readRows([source], {absent, names, rows: rule.rows})) {
    const {columns} = table
    const mapper = fitted(map, table)
    const at = columns?.indexOf(rule.column) ?? -1
    if (columns && at < 0) {
      const message = `${file} has no column '${rule.column}', by which the map joins it.`
      throw new InputError(message, {file, remedy: `Its columns are ${columns.join(', ')}.`})
    }
    const keys = new UnmetPaths(columns ? [] : [rule.column])
    let rows = 0
    for await (const row of eachRow(table.pieces)) {
      rows += 1
      const {line, by} = row.place
      if (row.kind === 'broken')
        throw new InputError(`${file}, ${by ?? 'line'} ${line}: ${row.issue.message}`, {file, line})
      if (mapper.leavesOut(row) !== undefined) continue
      if (row.kind === 'document') keys.meet(row.document)
      const cell = asCell(row.kind === 'cells' ? row.cells[at] : peek(row.document, rule.column))
      total += 1
      const key = joinValue(cell)
      if (key === undefined) {
        withoutValue += 1
        continue
      }
      const {document, issues, unusual} = mapper.map(row)
      const notes = unusual.filter(({kind}) => kind !== 'disabled')
      const brought = JSON.stringify({line, by, addresses: document['addresses'] ?? [], issues, unusual: notes})
      const known = found.get(key)
      if (known) known.push(brought)
      else found.set(key, [brought])
    }
    const [path] = rows === 0 ? [] : [...keys.paths, ...mapper.unmet]
    if (path !== undefined) throw neverMet(path, file, {isWhere: map.where.has(path), others: mapper.ignored})
  }
  return {
    to: rule.to,
    paths: Object.values(rule.columns).flat(),
    addressesOf(cell: Cell, {issues, unusual}: Noted): readonly object[] {
      const key = joinValue(cell)
      if (key === undefined) {
        withoutValue += 1
        return []
      }
      askedFor.set(key, (askedFor.get(key) ?? 0) + 1)
      return (found.get(key) ?? []).flatMap((text) => {
        const {line, by, addresses, ...own} = JSON.parse(text) as Brought
        for (const issue of own.issues)
          issues.push({...issue, message: `On ${by ?? 'line'} ${line} of ${file}: ${issue.message}`})
        for (const one of own.unusual) unusual.push({...one, place: {file, line, ...defined({by})}})
        return addresses
      })
    },
    /** Throws InputError where no row belongs to a customer. */
    counts(): JoinCounts {
      const unused = [...found].flatMap(([key, rows]) => (askedFor.has(key) ? [] : rows))
      const customers = [...askedFor.values()].reduce((sum, one) => sum + one, 0)
      const customersJoined = [...askedFor].reduce((sum, [key, one]) => sum + (found.has(key) ? one : 0), 0)
      if (found.size > 0 && customers > 0 && customersJoined === 0) throw nothingJoined(file, rule, found, askedFor)
      const first = unused.slice(0, mostLines).map((text) => JSON.parse(text) as Brought)
      return {
        ...{file, rows: total, joined: [...found.values()].flat().length - unused.length, customers, customersJoined},
        ...{shared: [...askedFor].filter(([key, one]) => one > 1 && found.has(key)).length, withoutValue},
        lines: first.map(({line}) => line),
        ...defined({by: first[0]?.by}),
      }
    },
  }
}

function nothingJoined(
  file: string,
  {column, to}: JoinRule,
  found: Iterable<readonly [string, unknown]>,
  wanted: Iterable<readonly [string, unknown]>,
) {
  const sample = (values: Iterable<readonly [string, unknown]>) =>
    [...values]
      .slice(0, 3)
      .map(([value]) => `'${value}'`)
      .join(', ')
  return new InputError(`No row of ${file} belongs to a customer: no value of '${column}' is one of '${to}'.`, {
    file,
    column,
    remedy: `${column}: ${sample(found)}. ${to}: ${sample(wanted)}. Name other columns in join, or a transform that makes them equal.`,
  })
}

const [each, first] = ['addresses.*.', 'addresses.0.']

/** The map of a joined file: each of its rows is an address, which passes what the map says of every address. */
function ofAddresses({transforms, aliases, absent, optionalColumns}: Mapping, {columns, where}: JoinRule): Mapping {
  const firsts = <T>(section: Readonly<Record<string, T>> = {}): Record<string, T> =>
    Object.fromEntries(
      Object.entries(section).flatMap(([path, value]) =>
        path.startsWith(each) ? [[path.replace(each, first), value] as const] : [],
      ),
    )
  const targets = Object.entries(columns).map(([column, paths]) => {
    const other = [paths].flat().find((path) => !path.startsWith(each))
    if (other === undefined) return [column, [paths].flat().map((path) => path.replace(each, first))] as const
    throw new InputError(`'${other}' in join is no member of an address.`, {remedy: `Write ${each}city, for example.`})
  })
  return {
    columns: Object.fromEntries(targets),
    transforms: firsts(transforms),
    aliases: firsts(aliases),
    ...defined({where, absent, optionalColumns}),
  }
}
