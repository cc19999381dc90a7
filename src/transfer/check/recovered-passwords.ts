import {resolve} from 'node:path'
import {eachRow, type Rows, type Source, type SourceRow} from '../input/row.js'
import type {RowDraft} from '../input/row-draft.js'
import {readRows} from '../input/rows.js'
import {isMask} from '../mapping/exported.js'
import {mapperOf} from '../mapping/mapper.js'
import type {Mapping} from '../mapping/mapping.js'

export type Secrets = Pick<RowDraft, 'password' | 'passwordHash'>

function originOf({columns}: Rows, row: SourceRow, firstFile: string): string | undefined {
  if (row.kind !== 'cells' || !columns) return undefined
  const line = row.cells[columns.indexOf('_line')]
  const file = columns.includes('_file') ? row.cells[columns.indexOf('_file')] : firstFile
  return line === undefined || file === undefined ? undefined : `${resolve(String(file))}:${line}`
}

/** Reads the passwords of reported rows from the files that were reported on; keeps those of reported rows only. */
export async function recoverPasswords(
  reports: readonly Source[],
  originals: readonly Source[],
  mapping: Mapping,
): Promise<(table: Rows, row: SourceRow) => Secrets | undefined> {
  const firstFile = originals[0]?.name ?? ''
  const wanted = new Set<string | undefined>()
  for await (const table of readRows(reports)) {
    for await (const row of eachRow(table.pieces)) wanted.add(originOf(table, row, firstFile))
  }
  const found = new Map<string | undefined, Secrets>()
  const {mapperFor} = await mapperOf(mapping)
  for await (const table of readRows(originals, mapping)) {
    const mapper = mapperFor(table)
    for await (const row of eachRow(table.pieces)) {
      const origin = `${resolve(table.source.name)}:${row.place.line}`
      if (row.kind === 'broken' || !wanted.has(origin)) continue
      const {password, passwordHash} = mapper.map(row).document
      found.set(origin, {
        ...(typeof password === 'string' && !isMask(password) ? {password} : {}),
        ...(typeof passwordHash === 'string' ? {passwordHash} : {}),
      })
    }
  }
  return (table, row) => found.get(originOf(table, row, firstFile))
}
