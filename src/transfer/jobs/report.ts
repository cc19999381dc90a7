import {isReportColumn, reportColumns} from '../mapping/report-columns.js'
import {csvLine} from '../output/csv-line.js'
import {createPrivateFile} from '../output/private-file.js'
import {readJournal} from './journal.js'
import type {ColumnsLine, Failed, RowLine} from './journal-lines.js'

type FailedRow = RowLine & Failed

/**
 * Writes the failed rows of a journal as a table that can be imported again: the source's own columns, and what went
 * wrong. `_file` is there if there were several. Flat memory: the journal is read twice.
 */
export async function writeReport(journal: string, path: string, files: readonly string[]): Promise<void> {
  const columns = await columnsOf(journal)
  const own = reportColumns.filter((column) => column !== '_file' || files.length > 1)
  const report = await createPrivateFile(path, {replace: true})
  try {
    await report.write(csvLine([...columns, ...own]))
    for await (const row of failedRows(journal)) {
      const {line, outcome, code, message, correlationId, file = 0} = row
      const last = [`${line}`, outcome, code, message, correlationId, ...(files.length > 1 ? [files[file]] : [])]
      const record = new Map(Object.entries(row.record ?? {}))
      await report.write(csvLine([...columns.map((column) => record.get(column)), ...last]))
    }
    await report.finish()
  } catch (error) {
    await report.discard()
    throw error
  }
}

async function* failedRows(journal: string): AsyncGenerator<FailedRow> {
  for await (const {line} of readJournal(journal)) {
    if ('row' in line && line.outcome === 'failed') yield line
  }
}

/** The columns of the tables with failed rows in their order, then those that only documents have. */
async function columnsOf(journal: string): Promise<readonly string[]> {
  const tables = new Map<number, readonly string[]>()
  const failedFiles = new Set<number>()
  const met = new Set<string>()
  for await (const {line} of readJournal(journal)) {
    if ('columns' in line) tables.set((line satisfies ColumnsLine).file, line.columns)
    if (!('row' in line) || line.outcome !== 'failed') continue
    failedFiles.add(line.file ?? 0)
    for (const column of Object.keys(line.record ?? {})) met.add(column)
  }
  const fromTables = [...tables].flatMap(([file, columns]) => (failedFiles.has(file) ? columns : []))
  return [...new Set([...fromTables, ...met])].filter((column) => column !== '' && !isReportColumn(column))
}
