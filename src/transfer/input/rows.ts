import {csvRows} from './csv-rows.js'
import {InputError} from './input-error.js'
import {textLines} from './json-lines.js'
import {rowOf} from './json-row.js'
import {jsonValues, type TextAt} from './json-values.js'
import type {Rows, SourceRow} from './row.js'
import {checkUnchanged, type Source} from './source.js'
import {utf8Chunks} from './utf8-chunks.js'
import {type XmlLayout, xmlRows} from './xml-rows.js'

/** What a map says of how files are read. */
export interface Layout {
  readonly xml?: XmlLayout | undefined
  /** Where a JSON document has its rows: a member, or a path to one. */
  readonly rows?: string | undefined
}

/**
 * The rows of several files, one file after the other, with the memory of a few rows. May be read again: the row
 * numbers are the same each time. Throws InputError for what cannot be read as rows at all.
 */
export async function* readRows(sources: readonly Source[], {xml, rows}: Layout = {}): AsyncGenerator<Rows> {
  let count = 0
  const next = (): number => {
    count += 1
    return count
  }
  for (const source of sources) {
    await checkUnchanged(source)
    const chunks = utf8Chunks(source)
    if (rows !== undefined && !source.format.startsWith('json')) {
      const message = `${source.name} is no JSON document, and the map names the rows of one ('rows').`
      throw new InputError(message, {file: source.name})
    }
    if (source.format === 'xlsx') {
      const {workbookRows} = await import('./workbook/workbook-rows.js')
      yield await workbookRows(source, next)
    } else if (source.format === 'csv') {
      yield await csvRows(source, chunks, next)
    } else if (source.format === 'xml') {
      yield {source, rows: xmlRows(source, chunks, xml, next)}
    } else {
      const isDocument = source.format === 'json' || rows !== undefined
      const texts = isDocument ? jsonValues(source, chunks, rows) : textLines(source, chunks)
      yield {source, rows: documentRows(source, texts, next)}
    }
    await checkUnchanged(source)
  }
}

async function* documentRows(
  source: Source,
  texts: AsyncIterable<TextAt>,
  next: () => number,
): AsyncGenerator<SourceRow> {
  for await (const {text, line} of texts) yield rowOf(text, {source, line, number: next()})
}
