import {defined} from '../../domain/equal.js'
import {InputError} from '../files/input-error.js'
import {asCell, textOfCell} from '../input/cell.js'
import type {Issue} from '../input/row.js'
import {readRows} from '../input/rows.js'
import type {Source} from '../input/source.js'
import {documentMapper} from './document-mapper.js'
import type {Mapping} from './mapping.js'
import {mappingPlanOf} from './mapping-plan.js'
import {peek} from './paths.js'
import type {Joined} from './row-mapper.js'
import {tableMapper} from './table-mapper.js'

const [each, first] = ['addresses.*.', 'addresses.0.']

type JoinRule = NonNullable<Mapping['join']>

/** What a joined row brings, as JSON: a million rows are to fit into the memory. */
interface Brought {
  readonly line: number
  readonly addresses: readonly object[]
  readonly issues: readonly Issue[]
}

/** The rows of a second file by what names their customer. */
export class JoinedRows implements Joined {
  readonly to: string
  readonly #source: Source
  readonly #rows = new Map<string, string[]>()
  readonly #used = new Set<string>()

  private constructor(source: Source, to: string) {
    this.#source = source
    this.to = to
  }

  /** Reads the second file of a mapping. Throws InputError for what cannot be joined. */
  static async read(source: Source, mapping: Mapping, rule: JoinRule): Promise<JoinedRows> {
    const joined = new JoinedRows(source, rule.to)
    const plan = await mappingPlanOf(ofAddresses(mapping, rule))
    for await (const table of readRows([source])) {
      const {columns} = table
      const mapper = columns ? tableMapper(plan, table, columns) : documentMapper(plan)
      const at = columns?.indexOf(rule.column) ?? -1
      if (columns && at < 0) {
        const message = `${source.name} has no column '${rule.column}', by which the map joins it.`
        throw new InputError(message, {file: source.name, remedy: `Its columns are ${columns.join(', ')}.`})
      }
      for await (const row of table.rows) {
        if (row.kind === 'broken')
          throw new InputError(`${source.name}, line ${row.place.line}: ${row.issue.message}`, {
            file: source.name,
            line: row.place.line,
          })
        if (mapper.leavesOut(row) !== undefined) continue
        const key = asCell(row.kind === 'cells' ? row.cells[at] : peek(row.document, rule.column))
        const {document, issues} = mapper.map(row)
        const addresses = (document['addresses'] ?? []) as readonly object[]
        joined.#add(key === undefined ? '' : textOfCell(key), {line: row.place.line, addresses, issues})
      }
    }
    return joined
  }

  #add(key: string, brought: Brought): void {
    const rows = this.#rows.get(key)
    if (rows) rows.push(JSON.stringify(brought))
    else this.#rows.set(key, [JSON.stringify(brought)])
  }

  addressesOf(key: string, issues: Issue[]): readonly object[] {
    const rows = (this.#rows.get(key) ?? []).map((text) => JSON.parse(text) as Brought)
    if (rows.length > 0) this.#used.add(key)
    for (const {line, issues: own} of rows) {
      for (const issue of own)
        issues.push({...issue, message: `Line ${line} of ${this.#source.name}: ${issue.message}`})
    }
    return rows.flatMap(({addresses}) => addresses)
  }

  /** The lines of rows that no customer has asked for. */
  *unused(): Generator<{readonly file: string; readonly line: number}> {
    for (const [key, rows] of this.#rows) {
      if (this.#used.has(key)) continue
      for (const text of rows) yield {file: this.#source.name, line: (JSON.parse(text) as Brought).line}
    }
  }
}

/** The map of the second file: each of its rows is an address, which passes what the map says of every address. */
function ofAddresses({transforms, aliases, optionalColumns}: Mapping, {columns, where}: JoinRule): Mapping {
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
    ...defined({where, optionalColumns}),
  }
}
