import {isSecretPath} from '../../domain/secret-members.js'
import {csvLine} from '../files/csv-line.js'
import {createPrivateFile} from '../files/private-file.js'
import {eachElement} from '../mapping/draft-shape.js'
import {emptyColumn, isReportColumn, reportColumns} from '../mapping/empty-members.js'
import type {Mapping} from '../mapping/mapping.js'
import {readJournal} from './journal.js'
import type {RowFailure, RowLine} from './journal-lines.js'

type FailedRow = RowLine & RowFailure
type Facts = Partial<Record<(typeof reportColumns)[number], string | undefined>>

/**
 * Writes the failed rows of a journal as a table that can be imported again: the source's own columns, and what went
 * wrong. `_file` is there if there were several, `_empty` if a JSON row had empty members. Flat memory: the journal
 * is read twice.
 */
export async function writeReport(journal: string, path: string, files: readonly string[]): Promise<void> {
  const {columns, hasEmpty} = await columnsOf(journal)
  const left: ReadonlySet<string> = new Set([
    ...(files.length > 1 ? [] : ['_file']),
    ...(hasEmpty ? [] : [emptyColumn]),
  ])
  const own = reportColumns.filter((column) => !left.has(column))
  await createPrivateFile(path, true, async (report) => {
    await report.write(csvLine([...columns, ...own]))
    for await (const row of failedRows(journal)) {
      const {line, outcome, code, message, correlationId, file = 0, empty = [], further = []} = row
      const facts: Facts = {
        _line: `${line}`,
        _outcome: outcome,
        _code: code,
        _message: message,
        _correlationId: correlationId,
        _file: files[file],
        _empty: empty.length > 0 ? empty.join(' ') : undefined,
      }
      const lineOf = (record: Readonly<Record<string, string>>, about: Facts): string =>
        csvLine([
          ...columns.map((column) => (Object.hasOwn(record, column) ? record[column] : undefined)),
          ...own.map((column) => about[column]),
        ])
      await report.write(lineOf(row.record ?? {}, facts))
      for (const one of further) await report.write(lineOf(one.record, {_line: `${one.line}`}))
    }
  })
}

async function* failedRows(journal: string): AsyncGenerator<FailedRow> {
  for await (const {line} of readJournal(journal)) {
    // One without a record was about a person who is erased.
    if ('row' in line && line.outcome === 'failed' && line.record) yield line
  }
}

/**
 * The columns of the tables with failed rows in their order, then those that only documents have, and what their map
 * reads: a member that every failed row lacks is filled in there.
 */
async function columnsOf(journal: string): Promise<{columns: readonly string[]; hasEmpty: boolean}> {
  const tables = new Map<number, readonly string[]>()
  const failedFiles = new Set<number>()
  const met = new Set<string>()
  let hasEmpty = false
  let mapping: Mapping | undefined
  for await (const {line} of readJournal(journal)) {
    if ('options' in line) mapping = line.options['mapping'] as Mapping | undefined
    if ('columns' in line) tables.set(line.file, line.columns)
    if (!('row' in line) || line.outcome !== 'failed') continue
    failedFiles.add(line.file ?? 0)
    hasEmpty ||= line.empty !== undefined
    for (const record of [line.record, ...(line.further ?? []).map((one) => one.record)])
      for (const column of Object.keys(record ?? {})) met.add(column)
  }
  const fromTables = [...tables].flatMap(([file, columns]) => (failedFiles.has(file) ? columns : []))
  const ofDocuments = mapping && [...failedFiles].some((file) => !tables.has(file)) ? plainColumns(mapping) : []
  const columns = [...new Set([...fromTables, ...met, ...ofDocuments])].filter(
    (column) => column !== '' && !isReportColumn(column),
  )
  return {columns, hasEmpty}
}

/** The columns of a map that are no list's and no password's, with one for the email. */
function plainColumns({columns = {}, constants = {}}: Mapping): readonly string[] {
  const targets = Object.entries(columns).map(([column, to]) => [column, [to].flat()] as const)
  const isPlain = (path: string): boolean => !path.includes(eachElement) && !isSecretPath(path)
  const plain = targets.flatMap(([column, to]) => (isPlain(column) && to.every(isPlain) ? [column] : []))
  const hasEmail = targets.some(([, to]) => to.includes('email')) || Object.hasOwn(constants, 'email')
  return hasEmail ? plain : [...plain, 'email']
}
