import {unguard} from '../files/csv-line.js'
import {type CsvRecord, csvRecords, quotedCells} from './csv-records.js'
import type {Rows, Source} from './row.js'
import {type RawRow, tableRows} from './table-rows.js'

const candidates = [',', ';', '\t', '|']

const titleLines = 20

/** The separator that the first line with any uses most, outside quotes; a comma if none of the first lines has one. */
export function delimiterOf(text: string): string {
  const counts = new Map(candidates.map((candidate) => [candidate, 0]))
  let [quoted, any, lines] = [false, false, 0]
  for (const character of text.replace(/^[\r\n]+/, '')) {
    if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === '\n' && (any || ++lines === titleLines)) break
    const count = counts.get(character)
    if (count === undefined) continue
    counts.set(character, count + 1)
    any = true
  }
  return candidates.reduce((best, next) => ((counts.get(next) ?? 0) > (counts.get(best) ?? 0) ? next : best))
}

/** The first line that spreadsheets write to name the separator, such as `sep=;`. */
const separatorLine = /^"?sep=(.)"?\r?\n/i

function delimiterAndBody(head: Buffer, headerRow = 1) {
  const text = head.toString()
  const [line, named] = separatorLine.exec(text) ?? []
  if (line !== undefined && named !== undefined)
    return {delimiter: named, body: head.subarray(Buffer.byteLength(line)), linesBefore: 1}
  const header = text.split('\n').slice(Math.max(0, headerRow - 1))
  return {delimiter: delimiterOf(header.join('\n')), body: head, linesBefore: 0}
}

export async function csvRows(source: Source, chunks: AsyncGenerator<Buffer>, numberFrom: () => number): Promise<Rows> {
  const first = await chunks.next()
  const {body, ...form} = delimiterAndBody(first.done ? Buffer.alloc(0) : first.value, source.headerRow)
  async function* whole(): AsyncGenerator<Buffer> {
    yield body
    yield* chunks
  }
  async function* pieces(): AsyncGenerator<readonly RawRow[]> {
    let rowOf: ((record: CsvRecord) => RawRow) | undefined
    for await (const piece of csvRecords({source, ...form}, whole())) {
      rowOf ??= rowReader(piece, form.delimiter)
      if (rowOf) yield piece.map(rowOf)
    }
  }
  return tableRows(source, pieces(), numberFrom, form.linesBefore + 1)
}

/**
 * An empty cell is absent. Only in an export of customers (it has their versions) that quotes only where it must, `""`
 * is an empty text that the customer has.
 */
function rowReader(piece: readonly CsvRecord[], delimiter: string): ((record: CsvRecord) => RawRow) | undefined {
  const header = piece.find(({cells}) => cells.some((cell) => cell.trim() !== ''))
  if (!header) return undefined
  const isExport = header.cells.includes('version') && !quotedCells(header.raw.trimEnd(), delimiter).every(Boolean)
  return ({cells, raw, line}) => {
    const quoted = isExport && raw.includes('""') && cells.includes('') ? quotedCells(raw, delimiter) : undefined
    return {line, cells: cells.map((cell, at) => (cell === '' ? (quoted?.[at] ? '' : undefined) : unguard(cell)))}
  }
}
