import {resolve} from 'node:path'
import type {Rows, SourceRow} from '../input/row.js'
import {readRows} from '../input/rows.js'
import type {Source} from '../input/source.js'
import {isMask} from '../mapping/exported.js'
import {mapperOf} from '../mapping/mapper.js'
import type {Mapping} from '../mapping/mapping.js'

export interface Secrets {
  readonly password?: string
  readonly passwordHash?: string
}

/** The passwords of reported rows. A report has none, so they come from the files that it reports on. */
export type RecoveredPasswords = (table: Rows, row: SourceRow) => Secrets | undefined

/** Where a reported row stood in its own file. */
function originOf({columns}: Rows, row: SourceRow, firstFile: string): string | undefined {
  if (row.kind !== 'cells' || !columns) return undefined
  const line = row.cells[columns.indexOf('_line')]
  const file = columns.includes('_file') ? row.cells[columns.indexOf('_file')] : firstFile
  return line === undefined || file === undefined ? undefined : `${resolve(String(file))}:${line}`
}

/** Reads the passwords behind the rows of reports; as many are kept as there are reported rows. */
export async function recoverPasswords(
  reports: readonly Source[],
  originals: readonly Source[],
  mapping: Mapping,
): Promise<RecoveredPasswords> {
  const firstFile = originals[0]?.name ?? ''
  const wanted = new Set<string | undefined>()
  for await (const table of readRows(reports)) {
    for await (const row of table.rows) wanted.add(originOf(table, row, firstFile))
  }
  const found = new Map<string | undefined, Secrets>()
  const {mapperFor} = await mapperOf(mapping)
  for await (const table of readRows(originals, mapping)) {
    const mapper = mapperFor(table)
    for await (const row of table.rows) {
      const place = `${resolve(table.source.name)}:${row.place.line}`
      if (row.kind === 'broken' || !wanted.has(place)) continue
      const {password, passwordHash} = mapper.map(row).document
      found.set(place, {
        ...(typeof password === 'string' && !isMask(password) ? {password} : {}),
        ...(typeof passwordHash === 'string' ? {passwordHash} : {}),
      })
    }
  }
  return (table, row) => found.get(originOf(table, row, firstFile))
}
