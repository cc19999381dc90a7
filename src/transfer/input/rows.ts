import {grouped, isObject} from '../../domain/equal.js'
import {InputError} from '../files/input-error.js'
import {linesIn, noLine} from '../files/lines.js'
import {csvRows} from './csv-rows.js'
import {exactJson, unsafeBecause} from './json-hygiene.js'
import {jsonValues, type TextAt} from './json-values.js'
import {mapPieces, maxRowBytes, placesIn, type Rows, type Seen, type Source, type SourceRow} from './row.js'
import {checkUnchanged} from './source.js'
import {utf8Chunks} from './utf8-chunks.js'
import {xmlRows} from './xml-rows.js'

/** What a map says of how files are read. */
export interface Layout {
  /** Texts that stand for no value, such as `NULL`. */
  readonly absent?: readonly string[] | undefined
  /** Path of a list of names and values to the member with the name: the list becomes an object. */
  readonly names?: Readonly<Record<string, string>> | undefined
  /** What holds the rows: of a JSON document a list, by its path; of XML the elements of a name. */
  readonly rows?: string | undefined
  readonly header?: readonly string[] | undefined
}

/**
 * The rows of several files, one file after the other, with the memory of a few rows. May be read again: the row
 * numbers are the same each time. Throws InputError for what cannot be read as rows at all.
 */
export async function* readRows(sources: readonly Source[], layout: Layout = {}): AsyncGenerator<Rows> {
  const {rows, header} = layout
  let count = 0
  const next = (): number => {
    count += 1
    return count
  }
  for (const file of sources) {
    const source = header ? {...file, header} : file
    await checkUnchanged(source)
    const seen: Seen = {isOneLine: false}
    const chunks = noted(source, seen)
    if (rows !== undefined && !/json|xml/.test(source.format)) {
      const message = `${source.name} is a table, and the map names the rows of a document ('rows').`
      throw new InputError(message, {file: source.name})
    }
    if (source.format === 'xlsx') {
      const {workbookRows} = await import('./workbook/workbook-rows.js')
      yield adjustedRows(await workbookRows(source, next), layout)
    } else if (source.format === 'csv') {
      yield adjustedRows(await csvRows(source, chunks, next), layout)
    } else if (source.format === 'xml') {
      const pieces = xmlRows(source, chunks, {rows, placeOf: placesIn(source, seen)}, next)
      yield adjustedRows({source, pieces}, layout)
    } else {
      const isDocument = source.format === 'json' || rows !== undefined
      const texts = isDocument ? jsonValues(source, chunks, rows) : textLines(source, chunks)
      const placeOf = placesIn(source, seen)
      const pieces = mapPieces(texts, ({text, line}) =>
        /\S/.test(text) ? rowOf(text, {place: placeOf(line), number: next()}) : undefined,
      )
      yield adjustedRows({source, pieces}, layout)
    }
    await checkUnchanged(source)
  }
}

/** The text of a source; notes with its beginning whether it is a document of one line, where lines tell no rows apart. */
async function* noted(source: Source, seen: Seen): AsyncGenerator<Buffer> {
  let isFirst = /json$|xml/.test(source.format)
  for await (const chunk of utf8Chunks(source)) {
    if (isFirst) {
      const text = chunk.toString('latin1').replace(/^\s*<\?xml[^>]*>/, '')
      seen.isOneLine = !text.trim().includes('\n')
    }
    isFirst = false
    yield chunk
  }
}

type Numbered = Pick<SourceRow, 'place' | 'number'>

/** One JSON text as a row. What V8 says of a syntax error quotes the text, which may hold a password: only its place is kept. */
function rowOf(text: string, numbered: Numbered): SourceRow {
  const {line, by} = numbered.place
  let document: unknown
  try {
    document = exactJson(text)
  } catch (error) {
    const at = /position (\d+)/.exec((error as Error).message)?.[1]
    return broken(
      numbered,
      `is not valid JSON${at === undefined ? '' : whereIs(text, Number(at), by === 'row' ? undefined : line)}`,
    )
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return broken(numbered, 'is not a JSON object')
  }
  const unsafe = unsafeBecause(document)
  if (unsafe !== undefined) return broken(numbered, `cannot be used: ${unsafe}`)
  const {place, number} = numbered
  return {place, number, kind: 'document', document: document as Record<string, unknown>}
}

const broken = (numbered: Numbered, what: string): SourceRow => ({
  ...numbered,
  kind: 'broken',
  issue: {code: 'InvalidJsonInput', message: `The row ${what}.`},
})

function whereIs(text: string, at: number, firstLine: number | undefined): string {
  if (firstLine === undefined) return ` (character ${at + 1} of the row)`
  const before = text.slice(0, at).split('\n')
  return ` (line ${firstLine + before.length - 1}, character ${(before.at(-1) ?? '').length + 1})`
}

/** The lines of a source, by chunks. */
async function* textLines({name}: Source, chunks: AsyncIterable<Buffer>): AsyncGenerator<Iterable<TextAt>> {
  const open = noLine()
  for await (const chunk of chunks) {
    yield linesIn(chunk, open)
    const {rest, line} = open
    if (rest.length <= maxRowBytes) continue
    throw new InputError(`Line ${line} of ${name} is longer than ${maxRowBytes} bytes.`, {file: name, line})
  }
  if (open.rest.length > 0) yield linesIn(Buffer.from('\n'), open)
}

/** The rows of a source with their values adjusted; the same rows if nothing is to be done. */
function adjustedRows(table: Rows, {absent = [], names = {}}: Layout): Rows {
  const none: ReadonlySet<unknown> = new Set(absent)
  const lists = Object.entries(names).map(([path, name]) => ({path: path.split('.'), name}))
  if (none.size + lists.length === 0) return table
  const adjusted = (row: SourceRow): SourceRow => {
    if (row.kind === 'broken') return row
    if (row.kind === 'cells') return {...row, cells: row.cells.map((cell) => (none.has(cell) ? undefined : cell))}
    const document = lists.reduce<unknown>((value, {path, name}) => named(value, path, name), row.document)
    return {...row, document: (none.size > 0 ? without(document, none) : document) as typeof row.document}
  }
  return {...table, pieces: mapPieces(table.pieces, adjusted)}
}

function without(value: unknown, none: ReadonlySet<unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, none))
  if (!isObject(value)) return none.has(value) ? '' : value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, without(one, none)]))
}

function named(value: unknown, [segment, ...rest]: readonly string[], by: string): unknown {
  if (segment === undefined) return byName(value, by)
  if (segment === '*') return [value].flat().map((one) => named(one, rest, by))
  if (!isObject(value) || !Object.hasOwn(value, segment)) return value
  return {...value, [segment]: named(value[segment], rest, by)}
}

/** `[{"name": "size", "value": "L"}]` as `{"size": "L"}`; elements with more than a value keep its members. */
function byName(list: unknown, by: string): unknown {
  const elements = [list].flat()
  if (!elements.every((one) => isObject(one) && typeof one[by] === 'string')) return list
  const found = (elements as Record<string, unknown>[]).flatMap(({[by]: name, ...more}) => {
    const values = Object.values(more)
    return values.length > 0 ? [[name as string, values.length > 1 ? more : values[0]] as const] : []
  })
  return Object.fromEntries([...grouped(found)].map(([name, values]) => [name, values.length > 1 ? values : values[0]]))
}
