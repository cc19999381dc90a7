import type {InputError} from '../../../src/transfer/files/input-error.js'
import type {SourceOptions, SourceRow} from '../../../src/transfer/input/row.js'
import {readRows} from '../../../src/transfer/input/rows.js'
import {failureOf, inOne, type scratch} from '../scratch.js'
import type {SheetXml} from './workbook-file.js'

interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly SourceRow[]
}

/** Reads workbooks that are written to a folder. */
export function workbookReader(files: ReturnType<typeof scratch>) {
  const tableIn = async (content: Uint8Array, options?: SourceOptions): Promise<Table> => {
    const sources = await files.source('customers.xlsx', content, options)
    for await (const {columns = [], pieces} of readRows(sources)) return {columns, rows: await inOne(pieces)}
    throw new Error('there is no table')
  }
  const problem = (content: Uint8Array, options?: SourceOptions): Promise<InputError> =>
    failureOf<InputError>(tableIn(content, options))
  return {tableIn, problem}
}

export const cellsOf = (row: SourceRow | undefined): unknown => (row?.kind === 'cells' ? row.cells : row?.kind)
export const sheet = (name: string, ...rows: readonly string[]): SheetXml => ({name, rows: rows.join('')})
